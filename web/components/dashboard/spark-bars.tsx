import { formatCount } from "../../../contract/format.ts";

const HEIGHT = 32;

interface Bar {
  readonly total: number;
  /** The part at its foot, in red. */
  readonly failed?: number;
}

interface SparkBarsProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** What the first and the last bar are: a day, a time. */
  readonly from: string;
  readonly to: string;
  readonly className?: string | undefined;
}

/** Small bars with their scale. For the eye: what is around them says the same. */
export function SparkBars({ title, bars, from, to, className }: SparkBarsProps) {
  const highest = Math.max(1, ...bars.map(({ total }) => total));
  function bar(at: number, count: number, fill: string) {
    const height = (count / highest) * HEIGHT;
    return <rect x={at + 0.15} y={HEIGHT - height} width={0.7} height={height} fill={fill} />;
  }
  return (
    <div aria-hidden="true" data-chart="" data-sparkline="" className={className}>
      <p className="label flex justify-between gap-4 border-b border-line">
        <span>{title}</span>
        <span>max {formatCount(highest)}</span>
      </p>
      <svg viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" className="block h-6 w-full sm:h-8">
        {bars.map(({ total, failed = 0 }, at) => (
          <g key={at}>
            {bar(at, total, "var(--muted)")}
            {failed > 0 && bar(at, failed, "var(--invalid)")}
          </g>
        ))}
      </svg>
      <p className="label flex justify-between gap-4 border-t border-edge whitespace-nowrap">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </div>
  );
}
