import { STATUS_DAYS } from "../../../contract/checks.ts";
import { formatCount, formatUtcDay } from "../../../contract/format.ts";
import type { Status } from "../../../contract/status.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { Fold } from "../../components/ui/fold.tsx";
import { Table, Td, Th } from "../../components/ui/table.tsx";
import { PARTS, timeName, totalOf } from "./words.ts";
import type { Day } from "./words.ts";

function figures({ checks, successful }: Day): string {
  return checks === 0 ? "no data" : `${formatCount(successful)} of ${formatCount(checks)}`;
}

/** The figures behind the bars, newest day first. None while the history can't be read. @param shown days */
export function DaysTable({ components, shown }: Pick<Status, "components"> & { shown: number }) {
  const parts = components.flatMap(({ id, days }) =>
    days === null ? [] : [{ id, days: days.slice(-shown).toReversed() }],
  );
  const [first] = parts;
  if (first === undefined) return null;
  return (
    <Fold title="View as table">
      <Table mono flush caption="Checks passed, by day (UTC)" className="max-h-112 overflow-y-auto">
        <thead>
          <tr>
            <Th>Day</Th>
            {parts.map(({ id }) => (
              <Th key={id} numeric>
                {PARTS[id].name}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.days.map(({ date }, row) => (
            <tr key={date}>
              <Th scope="row" className="font-mono text-sm font-normal! whitespace-nowrap">
                <time dateTime={date}>{formatUtcDay(date)}</time>
              </Th>
              {parts.map(({ id, days }) => (
                <Td key={id} numeric className="whitespace-nowrap">
                  {figures(days[row]!)}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Fold>
  );
}

type Incident = NonNullable<Status["incidents"]>[number];

function Times({ started_at: start, last_failed_at: end, failed_checks: count }: Incident) {
  if (count === 1) return <time dateTime={start}>{timeName(start)}</time>;
  return (
    <>
      <time dateTime={start}>{timeName(start)}</time> to <time dateTime={end}>{timeName(end)}</time>
    </>
  );
}

function Row({ incident }: { incident: Incident }) {
  const { component, failed_checks: count, ongoing } = incident;
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-t border-line py-3.5">
      <span className="w-28 shrink-0 font-medium text-ink">{PARTS[component].name}</span>
      <span className="text-soft">
        <Times {...incident} />
      </span>
      <span className="flex items-center gap-3 text-soft sm:ml-auto">
        {formatCount(count, "failed check")}
        {ongoing && <Badge tone="invalid">Still failing</Badge>}
      </span>
    </li>
  );
}

/** Runs of failed checks, as measured. */
export function FailedChecks({ status }: { status: Status }) {
  const { incidents, components } = status;
  const isMeasured = components.some(({ days }) => days !== null && totalOf(days) !== null);
  return (
    <section aria-labelledby="failed" className="mt-16">
      <h2 id="failed" className="text-2xl">
        Failed checks
      </h2>
      {incidents === null ? (
        <p className="mt-4 text-soft">This history is in the database, which isn’t responding.</p>
      ) : incidents.length === 0 ? (
        <p className="mt-4 text-soft">
          {isMeasured ? `No failed checks in the last ${STATUS_DAYS} days.` : "No checks yet."}
        </p>
      ) : (
        <ul className="mt-6 border-b border-line">
          {incidents.map((incident) => (
            <Row key={`${incident.component} ${incident.started_at}`} incident={incident} />
          ))}
        </ul>
      )}
    </section>
  );
}
