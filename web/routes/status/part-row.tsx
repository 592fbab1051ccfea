import { CURRENT_SECONDS } from "../../../contract/checks.ts";
import { formatCount, formatUtcDay, shortDay } from "../../../contract/format.ts";
import type { ComponentState, ComponentStatus } from "../../../contract/status.ts";
import { Badge } from "../../components/ui/badge.tsx";
import type { BadgeTone } from "../../components/ui/badge.tsx";
import { formatLatency, relativeTime } from "../../lib/format.ts";
import { dayText, isUnchecked, PARTS, share, timeName, totalOf } from "./words.ts";
import type { Day } from "./words.ts";

const HEIGHT = 32;
/** The minimum height of a failure, so that one among hundreds is visible. */
const LEAST = 8;
const WIDTH = 0.7;

/** Failures on top in red, successes below in green; pale if nothing was measured. */
function DayBar({ day, at }: { day: Day; at: number }) {
  const { checks, successful } = day;
  const failed = checks - successful;
  const top = failed === 0 ? 0 : Math.max(LEAST, (HEIGHT * failed) / checks);
  const bottom = successful === 0 ? HEIGHT : Math.min(top, HEIGHT - LEAST);
  const x = at + (1 - WIDTH) / 2;
  return (
    <g data-day={day.date}>
      <title>{`${formatUtcDay(day.date)}: ${dayText(day)}`}</title>
      {/* To point at, also where nothing was measured. */}
      <rect x={at} width="1" height={HEIGHT} fill="transparent" />
      {checks === 0 && <rect x={x} width={WIDTH} height={HEIGHT} fill="var(--line)" />}
      {failed > 0 && <rect x={x} width={WIDTH} height={successful > 0 ? bottom - 2 : bottom} fill="var(--invalid)" />}
      {successful > 0 && <rect x={x} y={bottom} width={WIDTH} height={HEIGHT - bottom} fill="var(--signal)" />}
    </g>
  );
}

/**
 * One bar per day, ending today. The table below the parts has the same figures, for those
 * who can't see or hover them.
 */
function DayStrip({ days }: { days: readonly Day[] }) {
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
      <span aria-hidden="true" className={`inline-block w-1.5 forced-color-adjust-none ${className}`} />
      {children}
    </li>
  );
}

/** How to read the bars. */
export function StripKey() {
  return (
    <ul aria-label="How to read the bars" className="flex flex-wrap gap-x-6 gap-y-1">
      <Sample className="h-4 bg-signal">All checks passed</Sample>
      <Sample className="h-4 border-t-6 border-invalid bg-signal">Some failed</Sample>
      <Sample className="h-4 bg-invalid">All failed</Sample>
      <Sample className="h-4 bg-line">No data</Sample>
    </ul>
  );
}

const BADGES: Readonly<Record<ComponentState, readonly [BadgeTone, string]>> = {
  working: ["verified", "Working"],
  failing: ["invalid", "Failing"],
  unknown: ["neutral", "Unknown"],
  warming_up: ["neutral", "Not checked yet"],
};

/** A status that has not been refreshed for long says nothing about the present. */
function isCurrent({ measured_at: at }: ComponentStatus, now: number): boolean {
  return at !== null && now - Date.parse(at) <= CURRENT_SECONDS * 1000;
}

/** When the last check ran, and its result. */
function Measured({ part, now }: { part: ComponentStatus; now: number }) {
  const { id, measured_at: at, latency_ms: latency, p95_ms: p95, days } = part;
  if (at === null) return days === null ? "Its checks can’t be read." : "No recent check.";
  const found = latency === null ? "Failed" : `${PARTS[id].timed} ${formatLatency(latency)}`;
  return (
    <>
      <span className="text-ink tabular-nums">
        {found}
        {p95 !== null && `, p95 ${formatLatency(p95)}`}
      </span>
      {" · "}
      <time dateTime={at} title={timeName(at)}>
        {relativeTime(Date.parse(at), now)}
      </time>
    </>
  );
}

function History({ days }: Pick<ComponentStatus, "days">) {
  if (days === null) {
    return (
      <p className="mt-4 border-l-2 border-possible pl-3 text-soft">
        History is in the database, which isn’t responding.
      </p>
    );
  }
  const total = totalOf(days);
  return (
    <div className="mt-4">
      <DayStrip days={days} />
      <p className="label mt-2 flex flex-wrap justify-between gap-x-6">
        <span>
          {total === null
            ? "No data yet."
            : `${share(total)} passed · ${formatCount(total.checks, "check")} since ${shortDay(total.since)}`}
        </span>
        <span>Last {days.length} days</span>
      </p>
    </div>
  );
}

interface PartProps {
  readonly part: ComponentStatus;
  /** The current time, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/** One part: its state, its last check, its days. */
export function PartRow({ part, now }: PartProps) {
  const { name, about } = PARTS[part.id];
  const state = isCurrent(part, now) ? part.state : "unknown";
  const isNew = isUnchecked(part);
  const [tone, word] = isNew ? (["neutral", "Not checked yet"] as const) : BADGES[state];
  return (
    <li className="border-t border-line py-6" data-part={part.id} data-state={state}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-lg">{name}</h3>
        <Badge tone={tone}>{word}</Badge>
        {!isNew && (
          <p className="w-full text-muted sm:ml-auto sm:w-auto">
            <Measured part={part} now={now} />
          </p>
        )}
      </div>
      <p className="text-muted">{about}</p>
      {!isNew && <History days={part.days} />}
    </li>
  );
}
