import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { UsageSummary } from "../../../contract/reports.ts";
import { formatMonthOverMonth, ratesOf } from "../../lib/figures.ts";
import { formatCount } from "../../../contract/format.ts";
import { countryName } from "../../lib/format.ts";
import { useMode } from "../../lib/mode.ts";
import { queries } from "../../lib/queries.ts";
import { Cells } from "./cells.tsx";
import { QueryState } from "./query-state.tsx";

const COUNTRIES_SHOWN = 3;

function StatCard({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="@container flex min-w-0 flex-col bg-surface p-4 sm:p-5">
      <dt className="label">{name}</dt>
      <dd className="mt-2 flex flex-col gap-1.5">{children}</dd>
    </div>
  );
}

function Figure({ count, note }: { count: number; note: ReactNode }) {
  return (
    <>
      <span className="text-2xl tracking-[-0.02em] text-ink tabular-nums">{formatCount(count)}</span>
      <span className="min-h-5 text-sm leading-5 text-muted tabular-nums">{note}</span>
    </>
  );
}

/** "BR 440  US 241  GB 165  +4": the names are for screen readers and the mouse, and so are the counts if there is no room. */
function TopCountries({ summary: { top_countries: countries, countries: all } }: { summary: UsageSummary }) {
  return (
    <ol className="flex flex-wrap gap-x-3 whitespace-nowrap">
      {countries.slice(0, COUNTRIES_SHOWN).map(({ country_code: code, count }) => (
        <li key={code} title={countryName(code)}>
          <span aria-hidden="true" className="label">
            {code}
          </span>
          <span className="sr-only">{countryName(code)} </span>
          <span className="@max-[12rem]:sr-only"> {formatCount(count)}</span>
        </li>
      ))}
      {all > COUNTRIES_SHOWN && (
        <li>
          +{all - COUNTRIES_SHOWN}
          <span className="sr-only"> more</span>
        </li>
      )}
    </ol>
  );
}

const NONE = "No data yet";

function Change({ percent }: { percent: number | null }) {
  if (percent === null) return "No earlier month";
  return (
    <abbr title="Month over month: the last 30 days vs. the previous 30 days" className="no-underline">
      {formatMonthOverMonth(percent)}
    </abbr>
  );
}

/** The figures of the selected mode, below a page's heading. */
export function StatCards() {
  const mode = useMode();
  const summary = useQuery(queries.summary(mode));
  const { data: lastCall } = useQuery(queries.lastCall);
  return (
    <section aria-label="All-time stats" className="mb-4">
      <QueryState query={summary} what="stats" rows={2} skeletonClass="min-h-72 @2xl:min-h-39.5" className="@container">
        {(data) => {
          const { total_verifications: total, successful_verifications: successful, month_over_month: change } = data;
          const rates = ratesOf(data);
          const isCounting = rates === null && lastCall?.mode === mode;
          return (
            <>
              <Cells className="rounded-lg border @2xl:grid-cols-4">
                <StatCard name="Total">
                  <Figure
                    count={total}
                    note={rates !== null ? <Change percent={change} /> : isCounting ? "Counting your first…" : NONE}
                  />
                </StatCard>
                <StatCard name="Success">
                  <Figure count={successful} note={rates === null ? NONE : `${rates.success} valid`} />
                </StatCard>
                <StatCard name="Failed">
                  <Figure count={total - successful} note={rates === null ? NONE : `${rates.failure} invalid`} />
                </StatCard>
                <StatCard name="Countries">
                  <Figure count={data.countries} note={data.countries === 0 ? NONE : <TopCountries summary={data} />} />
                </StatCard>
              </Cells>
              <p className="mt-2 text-sm text-muted">
                All time, {mode} mode.{change !== null && " MoM: vs. the previous 30 days."}
              </p>
            </>
          );
        }}
      </QueryState>
    </section>
  );
}
