import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import type { ReactNode } from "react";
import { formatCount, shortDay } from "../../../../contract/format.ts";
import type { UsageSummary } from "../../../../contract/reports.ts";
import type { Subscription } from "../../../../contract/subscriptions.ts";
import { Cells } from "../../../components/dashboard/cells.tsx";
import { SparkBars } from "../../../components/dashboard/spark-bars.tsx";
import { breakable } from "../../../components/ui/breakable.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { runsOutAt, sumOf } from "../../../lib/figures.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { useMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";
import { useMinute } from "../../../lib/use-minute.ts";
import { docsOf } from "../activity/call-parts.tsx";

// With all error texts.
const ErrorFix = lazyPart(() => import("../activity/error-fix.tsx").then((module) => module.ErrorFix));

const CELL = "min-w-0 bg-surface px-4 py-2 sm:px-5 sm:py-4";

function Cell({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className={CELL}>
      <dt className="label truncate">{name}</dt>
      <dd className="min-w-0 leading-6 font-medium text-ink tabular-nums sm:mt-1">{value}</dd>
      {note && <dd className="line-clamp-2 text-sm leading-5 text-muted">{note}</dd>}
    </div>
  );
}

function Days({ days }: { days: UsageSummary["days"] }) {
  return (
    <div className={CELL}>
      <dt className="sr-only">Last 14 days</dt>
      <dd>
        <span className="sr-only">{formatCount(sumOf(days).total, "verification")}</span>
        <SparkBars title="14 days" bars={days} from={shortDay(days[0]!.date)} to="Today" />
      </dd>
    </div>
  );
}

function TopError({ sampled, top_error: error }: UsageSummary["calls"]) {
  if (error === null) return <Cell name="Top error" value="None" note={`In ${formatCount(sampled, "sampled call")}`} />;
  const { code, count } = error;
  return (
    <Cell
      name={`Top error, ${formatCount(count, "call")}`}
      value={
        <TextLink to={docsOf(code)} className="line-clamp-2 font-mono text-sm leading-5 font-normal wrap-anywhere">
          {breakable(code)}
        </TextLink>
      }
      note={
        // A phone has no room: the link explains it.
        <span className="max-sm:hidden">
          <Suspense>
            <ErrorFix code={code} />
          </Suspense>
        </span>
      }
    />
  );
}

/** What a quota's pace means. */
function paceOf(subscription: Subscription, now: number): string | null {
  const runsOut = runsOutAt(subscription, now);
  if (runsOut === null) return null;
  return runsOut === Infinity ? "Enough at this pace" : `Used up ${shortDay(new Date(runsOut).toISOString())}`;
}

function Quota() {
  const { data } = useQuery(queries.subscription);
  const now = useMinute();
  const isActive = data?.status === "active";
  const remaining = data?.quota.remaining ?? null;
  const value = !isActive ? "None" : remaining === null ? "No limit" : `${formatCount(remaining)} left`;
  return <Cell name="Live quota" value={value} note={isActive ? paceOf(data, now) : "No active subscription"} />;
}

/** The selected mode's last days and calls at a glance. Nothing for an account that has made no call. */
export function HomeStrip() {
  const { data } = useQuery(queries.summary(useMode()));
  if (data === undefined) return <Skeleton className="mb-8 h-40 md:h-28" />;
  const { days, calls } = data;
  if (data.total_verifications === 0 && calls.sampled === 0) return null;
  return (
    <section aria-label="Recent use" className="@container mb-8">
      <Cells className="rounded-lg border @2xl:grid-cols-[minmax(0,1.2fr)_minmax(0,1.6fr)_minmax(0,0.8fr)_minmax(0,1fr)]">
        <Days days={days} />
        <TopError {...calls} />
        <Cell
          name="p95 duration"
          value={calls.p95_ms === null ? "–" : `${formatCount(calls.p95_ms)} ms`}
          note={formatCount(calls.sampled, "sampled call")}
        />
        <Quota />
      </Cells>
    </section>
  );
}
