import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { UsageReport } from "../../../../contract/reports.ts";
import { formatCount, formatUtcDay, shortDay } from "../../../../contract/format.ts";
import { axisTicks, formatRate, ticksOf } from "../../../lib/figures.ts";

type Day = UsageReport["days"][number];

/** Narrower bars have no room for an outline with a filling. */
const OUTLINED_FROM = 5;
const WIDEST_BAR = 44;
const TICK = { fill: "var(--muted)", fontSize: 12, fontVariantNumeric: "tabular-nums" };
/** Pixels above the highest line, below the lowest, and to the right of the last bar. */
const TOP = 6;
const BOTTOM = 32;
const END = 2;

/** "1.2K" for 1200. */
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

interface DayBarProps {
  readonly day: Day;
  /** The pixels it covers. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isOutlined: boolean;
  readonly isToday: boolean;
}

/** A day: its total as an outline, or as a solid bar where that is thin, with the successful part filled. Today is hatched. */
function DayBar({ day: { date, total, successful }, x, y, width, height, isOutlined, isToday }: DayBarProps) {
  if (total === 0) return null;
  const inset = isOutlined ? 2 : 0;
  const filled = (height * successful) / total;
  return (
    <g data-day={date}>
      {isOutlined ? (
        <rect x={x + 0.5} y={y + 0.5} width={width - 1} height={height} fill="none" stroke="var(--ink)" />
      ) : (
        <rect x={x} y={y} width={width} height={height} fill="var(--ink)" />
      )}
      {filled > 0 && (
        <rect
          x={x + inset}
          y={y + height - filled + inset}
          width={width - 2 * inset}
          height={Math.max(filled - inset, 0.5)}
          fill={isToday ? "url(#today)" : "var(--signal)"}
        />
      )}
    </g>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex justify-between gap-6">
      <dt className="text-muted">{name}</dt>
      <dd className="text-ink tabular-nums">{value}</dd>
    </div>
  );
}

/** The figures of the day that is pointed at. */
function Tip({ day }: { day: Day }) {
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-float">
      <p className="label mb-1">{formatUtcDay(day.date)}</p>
      <dl>
        <Line name="Total" value={formatCount(day.total)} />
        <Line name="Successful" value={formatCount(day.successful)} />
        <Line name="Failed" value={formatCount(day.total - day.successful)} />
        <Line name="Rate" value={formatRate(day)} />
      </dl>
    </div>
  );
}

function Swatch({ className, children }: { className: string; children: ReactNode }) {
  return (
    <li className="label flex items-center gap-2">
      <span className={`h-3 w-2 forced-color-adjust-none ${className}`} />
      {children}
    </li>
  );
}

/** An element's width, once known. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** A bar a day. Hidden from screen readers and the keyboard: the table has the same figures. */
export function UsageChart({ days }: { days: UsageReport["days"] }) {
  const { ref, width } = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const height = width < 480 ? 256 : 288;
  const axis = axisTicks(Math.max(...days.map((day) => day.total)));
  const highest = axis.at(-1) ?? 1;
  const left = compact.format(highest).length * 7.5 + 14;
  const bottom = height - BOTTOM;
  const band = (width - left - END) / days.length;
  const barWidth = Math.min(WIDEST_BAR, Math.floor(band * (days.length > 30 ? 0.64 : 0.48)));
  const isOutlined = barWidth >= OUTLINED_FROM;
  const ticks = new Set(ticksOf(days, width - 40));
  const shown = pointed === null ? undefined : days[pointed];
  function xOf(at: number): number {
    return left + band * at;
  }
  function yOf(value: number): number {
    return bottom - ((bottom - TOP) * value) / highest;
  }
  return (
    <div aria-hidden="true" data-chart>
      <ul className="mb-4 flex flex-wrap gap-x-5 gap-y-1">
        <Swatch className={isOutlined ? "border border-ink" : "bg-ink"}>{isOutlined ? "Total" : "Failed"}</Swatch>
        <Swatch className="bg-signal">Successful</Swatch>
        <Swatch className="bg-[repeating-linear-gradient(135deg,var(--signal)_0_2px,transparent_2px_4px)]">
          Today
        </Swatch>
      </ul>
      <div ref={ref} className="relative h-64 sm:h-72" onPointerLeave={() => setPointed(null)}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            onPointerMove={({ clientX, currentTarget }) =>
              setPointed(Math.floor((clientX - currentTarget.getBoundingClientRect().left - left) / band))
            }
          >
            <defs>
              <pattern id="today" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="6" height="6" fill="var(--surface)" />
                <rect width="3" height="6" fill="var(--signal)" />
              </pattern>
            </defs>
            {axis.map((value) => (
              <g key={value} transform={`translate(0 ${yOf(value)})`}>
                <line x1={left} x2={width - END} stroke={value === 0 ? "var(--edge)" : "var(--line)"} />
                <text x={left - 8} dy="0.355em" textAnchor="end" style={TICK}>
                  {compact.format(value)}
                </text>
              </g>
            ))}
            {shown && (
              <rect x={xOf(pointed!)} y={TOP} width={band} height={bottom - TOP} fill="var(--line)" fillOpacity={0.6} />
            )}
            {days.map((day, at) => (
              <DayBar
                key={day.date}
                day={day}
                x={Math.round(xOf(at + 0.5) - barWidth / 2)}
                y={yOf(day.total)}
                width={barWidth}
                height={bottom - yOf(day.total)}
                isOutlined={isOutlined}
                isToday={at === days.length - 1}
              />
            ))}
            {days.map(({ date }, at) => {
              if (!ticks.has(date)) return null;
              // The words at the end are kept within the chart.
              const isAtEnd = xOf(at + 0.5) + 24 > width;
              return (
                <text
                  key={date}
                  x={isAtEnd ? width : xOf(at + 0.5)}
                  y={bottom + 10}
                  dy="0.71em"
                  textAnchor={isAtEnd ? "end" : "middle"}
                  style={TICK}
                >
                  {shortDay(date)}
                </text>
              );
            })}
          </svg>
        )}
        {shown && (
          // On the side where there is room.
          <div
            className="pointer-events-none absolute top-8"
            style={xOf(pointed!) < width / 2 ? { left: xOf(pointed! + 1) + 8 } : { right: width - xOf(pointed!) + 8 }}
          >
            <Tip day={shown} />
          </div>
        )}
      </div>
    </div>
  );
}
