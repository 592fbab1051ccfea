import { dayName, dayText } from "./words.ts";
import type { Day } from "./words.ts";

const HEIGHT = 32;
/** The least that a failure shows of a day, so that one among hundreds is seen. */
const LEAST = 8;
const WIDTH = 0.7;

/** What failed stands on top in red, what succeeded below in green; where nothing was measured there is only a line to stand on. */
function DayBar({ day, at }: { day: Day; at: number }) {
  const { checks, successful } = day;
  const failed = checks - successful;
  const top = failed === 0 ? 0 : Math.max(LEAST, (HEIGHT * failed) / checks);
  const bottom = successful === 0 ? HEIGHT : Math.min(top, HEIGHT - LEAST);
  const x = at + (1 - WIDTH) / 2;
  return (
    <g data-day={day.date}>
      <title>{`${dayName(day.date)}: ${dayText(day)}`}</title>
      {/* To point at, also where nothing was measured. */}
      <rect x={at} width="1" height={HEIGHT} fill="transparent" />
      {checks === 0 && <rect x={x} y={HEIGHT - 2} width={WIDTH} height="2" fill="var(--edge)" />}
      {failed > 0 && <rect x={x} width={WIDTH} height={successful > 0 ? bottom - 2 : bottom} fill="var(--invalid)" />}
      {successful > 0 && <rect x={x} y={bottom} width={WIDTH} height={HEIGHT - bottom} fill="var(--signal)" />}
    </g>
  );
}

/** A bar a day, today at the end. The table below the parts has the same figures, for those who cannot see or point at them. */
export function DayStrip({ days }: { days: readonly Day[] }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${days.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-8 w-full"
      data-strip
    >
      {days.map((day, at) => (
        <DayBar key={day.date} day={day} at={at} />
      ))}
    </svg>
  );
}

function Sample({ className, children }: { className: string; children: string }) {
  return (
    <li className="label flex items-center gap-2">
      <span aria-hidden="true" className={`inline-block w-1.5 ${className}`} />
      {children}
    </li>
  );
}

/** How to read the bars. */
export function StripKey() {
  return (
    <ul aria-label="How to read the bars" className="flex flex-wrap gap-x-6 gap-y-1">
      <Sample className="h-4 bg-signal">All checks succeeded</Sample>
      <Sample className="h-4 border-t-6 border-invalid bg-signal">Some failed</Sample>
      <Sample className="h-4 bg-invalid">All failed</Sample>
      <Sample className="h-0.5 bg-edge">Not measured</Sample>
    </ul>
  );
}
