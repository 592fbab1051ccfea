import type { ActivityCall } from "../../../../contract/activity.ts";
import { formatCount } from "../../../../contract/format.ts";
import { formatMoment, timeZoneName } from "../../../lib/format.ts";

const SLICES = 48;
const HEIGHT = 28;

interface Slice {
  total: number;
  failed: number;
}

/** The calls in equal slices of the time they cover, oldest first. */
function slicesOf(calls: readonly ActivityCall[]): Slice[] {
  const times = calls.map(({ at }) => Date.parse(at));
  const first = Math.min(...times);
  const span = Math.max(...times) - first;
  const slices = Array.from({ length: SLICES }, (): Slice => ({ total: 0, failed: 0 }));
  for (const [index, { code }] of calls.entries()) {
    const slice = slices[Math.min(SLICES - 1, Math.floor(((times[index]! - first) / span) * SLICES))]!;
    slice.total += 1;
    if (code !== null) slice.failed += 1;
  }
  return slices;
}

/** A bar a slice, with the failed calls at its foot. The list below says the same. */
function Sparkline({ calls }: { calls: readonly ActivityCall[] }) {
  const slices = slicesOf(calls);
  const highest = Math.max(...slices.map(({ total }) => total));
  const heightOf = (count: number) => (count / highest) * (HEIGHT - 1);
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${SLICES} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-7 w-full sm:max-w-96 sm:justify-self-end"
      data-sparkline=""
    >
      <rect y={HEIGHT - 1} width={SLICES} height="1" fill="var(--line)" />
      {slices.map(({ total, failed }, at) => {
        const top = HEIGHT - 1 - heightOf(total);
        return (
          <g key={at}>
            <rect x={at + 0.15} y={top} width={0.7} height={heightOf(total - failed)} fill="var(--muted)" />
            <rect
              x={at + 0.15}
              y={HEIGHT - 1 - heightOf(failed)}
              width={0.7}
              height={heightOf(failed)}
              fill="var(--invalid)"
            />
          </g>
        );
      })}
    </svg>
  );
}

/** Milliseconds that 95 of 100 calls took at most. */
function p95Of(calls: readonly ActivityCall[]): number {
  const sorted = calls.map(({ duration_ms: took }) => took).toSorted((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1]!;
}

/** The listed calls in one line, which are a sample, and when they were made. */
export function CallsSummary({ calls }: { calls: readonly ActivityCall[] }) {
  const failed = calls.filter(({ code }) => code !== null).length;
  const zone = timeZoneName();
  const [newest, oldest] = [calls[0]!, calls.at(-1)!];
  return (
    <div className="mb-4 grid items-end gap-x-8 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)]">
      <p className="text-sm text-soft tabular-nums">
        {formatCount(calls.length, "call")} listed, {formatCount(failed)} with an error, p95 {formatCount(p95Of(calls))}{" "}
        ms
        <span className="block text-muted">
          {formatMoment(Date.parse(oldest.at))} to {formatMoment(Date.parse(newest.at))}
          {zone === "UTC" ? " UTC" : `, ${zone} time`}
        </span>
      </p>
      {newest.at !== oldest.at && <Sparkline calls={calls} />}
    </div>
  );
}
