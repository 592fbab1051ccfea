import { useQuery } from "@tanstack/react-query";
import type { UsageSummary } from "../../../../contract/reports.ts";
import { ModeSwitch } from "../../../components/dashboard/mode-switch.tsx";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { countryName } from "../../../lib/country-name.ts";
import { useMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";

const WIDTHS = ["w-full", "w-4/5", "w-3/5", "w-2/5", "w-1/3"];

function Placeholder() {
  return (
    <div className="flex flex-col gap-5">
      {WIDTHS.map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}

function Countries({ summary: { top_countries: countries, total_verifications: total } }: { summary: UsageSummary }) {
  if (countries.length === 0) return <p className="text-sm text-muted">No data yet</p>;
  return (
    <ol className="flex flex-col gap-4">
      {countries.map(({ country_code: code, count }) => (
        <li key={code}>
          <div className="flex items-baseline justify-between gap-3 text-sm">
            <span className="min-w-0 truncate text-ink">{countryName(code)}</span>
            <span className="font-mono text-xs text-muted">{count.toLocaleString("en-US")}</span>
          </div>
          {/* The share of all verifications; its number is what stands above. */}
          <div aria-hidden="true" className="mt-1.5 h-1 rounded-full bg-line">
            <div className="h-full min-w-1 rounded-full bg-ink" style={{ width: `${(100 * count) / total}%` }} />
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Beside the page on wide screens: the mode, and where the numbers are from. */
export function RightPanel() {
  const summary = useQuery(queries.summary(useMode()));
  return (
    <aside aria-label="At a glance" className="flex flex-col gap-9 p-6 pt-9">
      <section aria-labelledby="panel-mode">
        <h2 id="panel-mode" className="label mb-2.5 font-normal">
          Mode
        </h2>
        <ModeSwitch className="w-full" />
        <p className="mt-2.5 text-sm text-muted">Keys and figures of this mode are shown.</p>
      </section>
      <section aria-labelledby="panel-countries">
        <h2 id="panel-countries" className="label mb-3.5 font-normal">
          Top Countries
        </h2>
        <p className="-mt-2.5 mb-3.5 text-sm text-muted">Since the account began.</p>
        <QueryState query={summary} what="countries" skeleton={<Placeholder />}>
          {(data) => <Countries summary={data} />}
        </QueryState>
      </section>
    </aside>
  );
}
