import type { ActivityCall } from "../../../../contract/activity.ts";
import { formatCount } from "../../../../contract/format.ts";
import { SparkBars } from "../../../components/dashboard/spark-bars.tsx";
import { formatMoment, timeZoneName } from "../../../lib/format.ts";

const SLICES = 48;

/** The calls in equal slices of the time they cover, oldest first. */
function slicesOf(calls: readonly ActivityCall[], first: number, last: number) {
  const slices = Array.from({ length: SLICES }, () => ({ total: 0, failed: 0 }));
  for (const { at, code } of calls) {
    const slice = slices[Math.min(SLICES - 1, Math.floor(((Date.parse(at) - first) / (last - first)) * SLICES))]!;
    slice.total += 1;
    if (code !== null) slice.failed += 1;
  }
  return slices;
}

/** Milliseconds that 95 of 100 calls took at most. */
function p95Of(calls: readonly ActivityCall[]): number {
  const sorted = calls.map(({ duration_ms: took }) => took).toSorted((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1]!;
}

/** The listed calls in one line, which are a sample, and when they were made. */
export function CallsSummary({ calls }: { calls: readonly ActivityCall[] }) {
  const failed = calls.filter(({ code }) => code !== null).length;
  const [last, first] = [calls[0]!, calls.at(-1)!].map(({ at }) => Date.parse(at)) as [number, number];
  return (
    <div className="mb-4 grid items-end gap-x-8 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)]">
      <p className="text-sm text-soft tabular-nums">
        {formatCount(calls.length, "call")} · {formatCount(failed, "error")} · p95 {formatCount(p95Of(calls))} ms
        <span className="block text-muted">Times in {timeZoneName()}</span>
      </p>
      {last > first && (
        <SparkBars
          title="Calls"
          bars={slicesOf(calls, first, last)}
          from={formatMoment(first)}
          to={formatMoment(last)}
          className="w-full sm:max-w-96 sm:justify-self-end"
        />
      )}
    </div>
  );
}
