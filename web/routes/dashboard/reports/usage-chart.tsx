import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import type { BarShapeProps, TooltipContentProps, XAxisTickContentProps } from "recharts";
import type { UsageReport } from "../../../../contract/reports.ts";
import { axisTicks, formatRate, fullDay, shortDay, ticksOf } from "../../../lib/figures.ts";
import { formatCount } from "../../../lib/format.ts";

type Day = UsageReport["days"][number];
type DatedBar = Day & { readonly isToday: boolean; readonly isOutlined: boolean };

/** Narrower bars have no room for an outline with something within. */
const OUTLINED_FROM = 5;
const TICK = { fill: "var(--muted)", fontSize: 12, fontVariantNumeric: "tabular-nums" };
/** Pixels to the right of the last bar. */
const END = 2;
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** A day: its total as an outline, or as a solid bar where that is thin, with the successful part filled. Today is hatched. */
function DayBar({ x, y, width, height, payload }: BarShapeProps) {
  const { date, total, successful, isToday, isOutlined } = payload as DatedBar;
  if (total === 0 || height <= 0) return null;
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

/** A tick's words, kept within the chart at its end. */
function DayTick({ x = 0, y = 0, payload, right }: Partial<XAxisTickContentProps> & { right: number }) {
  const isLast = Number(x) + 24 > right;
  return (
    <text x={isLast ? right : x} y={y} dy="0.71em" textAnchor={isLast ? "end" : "middle"} style={TICK}>
      {payload && shortDay(String(payload.value))}
    </text>
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

function Tip({ active, payload }: TooltipContentProps) {
  const day = payload[0]?.payload as Day | undefined;
  if (!active || day === undefined) return null;
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-float">
      <p className="label mb-1">{fullDay(day.date)}</p>
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

/** The width of an element, once it is known. */
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

/**
 * A bar a day. It is not animated, so that a refresh does not draw the eye. Hidden from screen readers and the keyboard: the
 * table has the same figures.
 */
export default function UsageChart({ days }: { days: UsageReport["days"] }) {
  const { ref, width } = useWidth();
  const axis = axisTicks(Math.max(...days.map((day) => day.total)));
  const axisWidth = COMPACT.format(axis.at(-1) ?? 0).length * 7.5 + 14;
  const gap = days.length > 30 ? 0.18 : 0.26;
  // As recharts lays them out, with the gap on either side of a bar.
  const isOutlined = Math.floor(((width - axisWidth - END) / days.length) * (1 - 2 * gap)) >= OUTLINED_FROM;
  return (
    <div aria-hidden="true">
      <ul className="mb-4 flex flex-wrap gap-x-5 gap-y-1">
        <Swatch className={isOutlined ? "border border-ink" : "bg-ink"}>Total</Swatch>
        <Swatch className="bg-signal">Successful</Swatch>
        <Swatch className="bg-[repeating-linear-gradient(135deg,var(--signal)_0_2px,transparent_2px_4px)]">
          Today
        </Swatch>
      </ul>
      <div ref={ref} data-chart className="h-64 sm:h-72">
        {width > 0 && (
          <BarChart
            width={width}
            height={width < 480 ? 256 : 288}
            data={days.map((day, at): DatedBar => ({ ...day, isToday: at === days.length - 1, isOutlined }))}
            margin={{ top: 6, right: END, bottom: 0, left: 0 }}
            barCategoryGap={`${100 * gap}%`}
            maxBarSize={44}
            accessibilityLayer={false}
          >
            <defs>
              <pattern id="today" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="3" height="6" fill="var(--signal)" />
              </pattern>
            </defs>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="date"
              ticks={ticksOf(days, width - 40)}
              interval={0}
              tick={<DayTick right={width} />}
              tickLine={false}
              tickMargin={10}
              height={32}
              axisLine={{ stroke: "var(--edge)" }}
            />
            <YAxis
              ticks={axis}
              domain={[0, axis.at(-1) ?? 1]}
              width={axisWidth}
              allowDecimals={false}
              tickFormatter={(value: number) => COMPACT.format(value)}
              tick={TICK}
              tickLine={false}
              axisLine={false}
              tickMargin={8}
            />
            <Tooltip
              content={Tip}
              cursor={{ fill: "var(--line)", fillOpacity: 0.6 }}
              isAnimationActive={false}
              wrapperStyle={{ outline: "none" }}
            />
            <Bar dataKey="total" shape={DayBar} isAnimationActive={false} />
          </BarChart>
        )}
      </div>
    </div>
  );
}
