import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { UsageSummary } from "../../../contract/reports.ts";
import { formatMonthOverMonth, ratesOf } from "../../lib/figures.ts";
import { formatCount } from "../../../contract/format.ts";
import { countryName } from "../../lib/format.ts";
import { useMode } from "../../lib/mode.ts";
import { queries } from "../../lib/queries.ts";
import { Button } from "../ui/button.tsx";
import { Cells } from "./cells.tsx";
import { QueryState } from "./query-state.tsx";

const COUNTRIES_SHOWN = 3;

function StatCard({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="@container flex min-h-32 min-w-0 flex-col bg-surface p-4 sm:p-5">
      <dt className="label">{name}</dt>
      <dd className="mt-2 flex flex-1 flex-col justify-between gap-1.5">{children}</dd>
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

function TopCountries({ countries }: { countries: UsageSummary["top_countries"] }) {
  if (countries.length === 0) return <span className="text-sm text-muted">No data yet</span>;
  return (
    <ol className="flex flex-col gap-0.5 text-sm">
      {countries.slice(0, COUNTRIES_SHOWN).map(({ country_code: code, count }) => (
        <li key={code} className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 truncate text-ink @max-[13rem]:sr-only print:whitespace-normal">
            {countryName(code)}
          </span>
          <span aria-hidden="true" className="label @[13rem]:hidden">
            {code}
          </span>
          <span className="text-muted tabular-nums">{formatCount(count)}</span>
        </li>
      ))}
    </ol>
  );
}

interface StatCardsProps {
  /** Opens Try it, if there is a key to try. */
  onTry: (() => void) | undefined;
}

/** The figures of the selected mode, below a page's heading; before the first call, how to get some. */
export function StatCards({ onTry }: StatCardsProps) {
  const mode = useMode();
  const summary = useQuery(queries.summary(mode));
  const { data: lastCall } = useQuery(queries.lastCall);
  // Without a key in this mode, only revoked ones can have figures. A failure is shown in any case.
  const isNone = summary.data ? summary.data.total_verifications === 0 : summary.errorUpdateCount === 0;
  if (onTry === undefined && isNone) return null;
  return (
    <section aria-label="All-time stats" className="mb-8">
      <QueryState query={summary} what="stats" rows={2} skeletonClass="min-h-65 @2xl:min-h-32.5" className="@container">
        {(data) => {
          const rates = ratesOf(data);
          const { total_verifications: total, successful_verifications: successful, month_over_month: change } = data;
          if (rates === null) {
            const isCounting = lastCall?.mode === mode;
            return (
              // Beside each other as high as the cards.
              <div className="flex flex-wrap content-center items-center justify-between gap-x-8 gap-y-4 rounded-lg border border-dashed border-edge p-5 @2xl:min-h-32.5">
                <div>
                  <h2 className="text-lg font-medium text-ink">
                    {isCounting ? `Counting your first ${mode} verification` : `No ${mode} verifications yet`}
                  </h2>
                  <p className="mt-1 text-soft">
                    {isCounting
                      ? "Your figures appear here in a few seconds."
                      : "Verify a number to see your figures here."}
                  </p>
                </div>
                {!isCounting && (
                  <Button variant="secondary" size="sm" onClick={onTry}>
                    Try it
                  </Button>
                )}
              </div>
            );
          }
          return (
            <Cells className="rounded-lg border @2xl:grid-cols-4">
              <StatCard name="Total">
                <Figure
                  count={total}
                  note={
                    change !== null && (
                      <abbr
                        title="Month over month: the last 30 days compared with the 30 before"
                        className="no-underline"
                      >
                        {formatMonthOverMonth(change)}
                      </abbr>
                    )
                  }
                />
              </StatCard>
              <StatCard name="Success">
                <Figure count={successful} note={`${rates.success} valid`} />
              </StatCard>
              <StatCard name="Failed">
                <Figure count={total - successful} note={`${rates.failure} invalid`} />
              </StatCard>
              <StatCard name="Countries">
                <TopCountries countries={data.top_countries} />
              </StatCard>
            </Cells>
          );
        }}
      </QueryState>
    </section>
  );
}
