import type { Status } from "../../../contract/status.ts";
import { Cross } from "../../components/site/cross.tsx";
import { Table, Td, Th } from "../../components/ui/table.tsx";
import { dayName, formatCount, PARTS } from "./words.ts";
import type { Day } from "./words.ts";

function figures({ checks, successful }: Day): string {
  return checks === 0 ? "not measured" : `${formatCount(successful)} of ${formatCount(checks)}`;
}

/** The figures behind the bars, the newest day first. While the history cannot be read there are none. */
export function DaysTable({ components }: Pick<Status, "components">) {
  const shown = components.flatMap(({ id, days }) => (days === null ? [] : [{ id, days: days.toReversed() }]));
  const [first] = shown;
  if (first === undefined) return null;
  return (
    <details className="group border-y border-line">
      <summary className="flex min-h-12 list-none items-center justify-between font-medium [&::-webkit-details-marker]:hidden">
        The same as a table
        <Cross />
      </summary>
      <Table
        mono
        flush
        caption="Checks that succeeded, of those that were made, by day in UTC"
        className="max-h-112 overflow-y-auto"
      >
        <thead>
          <tr>
            <Th>Day</Th>
            {shown.map(({ id }) => (
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
                <time dateTime={date}>{dayName(date)}</time>
              </Th>
              {shown.map(({ id, days }) => (
                <Td key={id} numeric className="whitespace-nowrap">
                  {figures(days[row]!)}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </details>
  );
}
