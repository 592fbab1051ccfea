import { useCallback, useState } from "react";
import type { ReactNode } from "react";
import type { UsageReport } from "../../../../contract/reports.ts";
import { formatCount, formatUtcDay, shortDay } from "../../../../contract/format.ts";
import { axisTicks, formatRate, ticksOf } from "../../../lib/figures.ts";
import { weeksText } from "./report-controls.tsx";

type Day = UsageReport["days"][number];

const WIDEST_BAR = 44;
const TICK = { fill: "var(--muted)", fontSize: 12, fontVariantNumeric: "tabular-nums" };
/** Pixels above the highest line, below the lowest, and to the right of the last bar. */
const TOP = 6;
const BOTTOM = 32;
const END = 2;

/** "1.2K" for 1200. */
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** A bar from a level up, with rounded corners at its top. */
function barPath(x: number, y: number, width: number, bottom: number): string {
  const r = Math.min(2, width / 2, bottom - y);
  return `M${x} ${bottom}V${y + r}q0 ${-r} ${r} ${-r}h${width - 2 * r}q${r} 0 ${r} ${r}V${bottom}z`;
}

interface DayBarProps {
  readonly day: Day;
  /** How many of its verifications are in the lower part. */
  readonly lower: number;
  /** The pixels it covers. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly bottom: number;
  readonly isToday: boolean;
}

/** A day: the lower part, and the rest on top. Today is hatched. */
function DayBar({ day: { date, total }, lower, x, y, width, bottom, isToday }: DayBarProps) {
  if (total === 0) return null;
  const between = bottom - ((bottom - y) * lower) / total;
  const fill = isToday ? "url(#today)" : "var(--lower)";
  return (
    <g data-day={date}>
      {lower < total && <path d={barPath(x, y, width, between)} fill="var(--ink)" fillOpacity={0.4} />}
      {lower === total && <path d={barPath(x, y, width, bottom)} fill={fill} />}
      {lower > 0 && lower < total && <rect x={x} y={between} width={width} height={bottom - between} fill={fill} />}
    </g>
  );
}

/** The figures of the day that is pointed at. @param parts of its bar, by name */
function Tip({ day, parts }: { day: Day; parts: Readonly<Record<string, number>> }) {
  const counts = Object.entries({ Total: day.total, ...parts }).map(([name, count]) => [name, formatCount(count)]);
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-float">
      <p className="label mb-1">{formatUtcDay(day.date)}</p>
      <dl>
        {[...counts, ["Rate", formatRate(day)]].map(([name, value]) => (
          <div key={name} className="flex justify-between gap-6">
            <dt className="text-muted">{name}</dt>
            <dd className="text-ink tabular-nums">{value}</dd>
          </div>
        ))}
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
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLDivElement) => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

export interface UsageChartProps {
  readonly days: UsageReport["days"];
  /** As many days before them; undefined while unknown. */
  readonly before: UsageReport["days"] | undefined;
  /** The live part of both modes' days: they are split by mode instead of outcome. */
  readonly live?: UsageReport["days"] | undefined;
}

/** A bar a day. Hidden from screen readers and the keyboard: the table has the same figures. */
export function UsageChart({ days, before, live }: UsageChartProps) {
  const { ref, width } = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const height = width < 480 ? 256 : 288;
  const hasBefore = before !== undefined && before.some((day) => day.total > 0);
  const axis = axisTicks(Math.max(...[...days, ...(before ?? [])].map((day) => day.total)));
  const highest = axis.at(-1) ?? 1;
  const left = compact.format(highest).length * 7.5 + 14;
  const bottom = height - BOTTOM;
  // Never negative, in a window that is narrower than the axis.
  const band = Math.max(0, width - left - END) / days.length;
  const barWidth = Math.min(WIDEST_BAR, Math.floor(band * (days.length > 30 ? 0.64 : 0.48)));
  const ticks = new Set(ticksOf(days, width - 40));
  const shown = pointed === null ? undefined : days[pointed];
  const [lowerName, upperName] = live ? ["Live", "Test"] : ["Valid", "Invalid"];
  const lowerOf = (at: number) => (live ? live[at]!.total : days[at]!.successful);
  function xOf(at: number): number {
    return left + band * at;
  }
  function yOf(value: number): number {
    return bottom - ((bottom - TOP) * value) / highest;
  }
  function stepsOf(of: UsageReport["days"]): string {
    return of.map(({ total }, at) => `${at === 0 ? "M" : "L"}${xOf(at)} ${yOf(total)}H${xOf(at + 1)}`).join("");
  }
  return (
    // Green is for what is verified.
    <div aria-hidden="true" data-chart className={live ? "[--lower:var(--ink)]" : "[--lower:var(--signal)]"}>
      <ul className="mb-4 flex flex-wrap gap-x-5 gap-y-1">
        <Swatch className="bg-(--lower)">{lowerName}</Swatch>
        <Swatch className="bg-ink/40">{upperName}</Swatch>
        <Swatch className="bg-[repeating-linear-gradient(135deg,var(--lower)_0_2px,transparent_2px_4px)]">Today</Swatch>
        {hasBefore && <Swatch className="h-0! w-4! border-t-2 border-ink">Previous {weeksText(days.length)}</Swatch>}
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
                <rect width="3" height="6" fill="var(--lower)" />
              </pattern>
            </defs>
            {axis.map((value) => (
              <g key={value} transform={`translate(0 ${yOf(value)})`}>
                <line
                  x1={left}
                  x2={width - END}
                  stroke={value === 0 ? "var(--edge)" : "var(--line)"}
                  strokeOpacity={value === 0 ? 1 : 0.7}
                />
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
                lower={lowerOf(at)}
                x={Math.round(xOf(at + 0.5) - barWidth / 2)}
                y={yOf(day.total)}
                width={barWidth}
                bottom={bottom}
                isToday={at === days.length - 1}
              />
            ))}
            {hasBefore && (
              // A step a day. Its edge keeps it apart from the bars it crosses.
              <g data-before="" fill="none" strokeLinejoin="round">
                {[
                  { stroke: "var(--surface)", strokeWidth: 4.5 },
                  { stroke: "var(--ink)", strokeWidth: 1.5 },
                ].map((line) => (
                  <path key={line.stroke} {...line} d={stepsOf(before)} />
                ))}
              </g>
            )}
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
            <Tip
              day={shown}
              parts={{ [lowerName!]: lowerOf(pointed!), [upperName!]: shown.total - lowerOf(pointed!) }}
            />
          </div>
        )}
      </div>
    </div>
  );
}
