import { CURRENT_SECONDS } from "../../../contract/checks.ts";
import type { ComponentState, ComponentStatus } from "../../../contract/status.ts";
import { Badge } from "../../components/ui/badge.tsx";
import type { BadgeTone } from "../../components/ui/badge.tsx";
import { relativeTime } from "../../lib/relative-time.ts";
import { DayStrip } from "./day-strip.tsx";
import { dayName, formatCount, PARTS, share, timeName, totalOf } from "./words.ts";

const BADGES: Readonly<Record<ComponentState, readonly [BadgeTone, string]>> = {
  working: ["verified", "Working"],
  failing: ["invalid", "Failing"],
  unknown: ["neutral", "Not known"],
};

/** An answer that could not be renewed for long says nothing about the present any more. */
function isCurrent({ measured_at: at }: ComponentStatus, now: number): boolean {
  return at !== null && now - Date.parse(at) <= CURRENT_SECONDS * 1000;
}

/** When the last check was, and what it found. */
function Measured({ part, now }: { part: ComponentStatus; now: number }) {
  const { measured_at: at, latency_ms: latency, days } = part;
  if (at === null) return days === null ? "No check can be read." : "It has not been checked yet.";
  const found = latency === null ? "it failed" : `it took ${formatCount(latency)} ms`;
  return (
    <>
      Last check{" "}
      <time dateTime={at} title={timeName(at)}>
        {relativeTime(Date.parse(at), now)}
      </time>
      : {found}.
    </>
  );
}

function History({ days }: { days: ComponentStatus["days"] }) {
  if (days === null) {
    return (
      <p className="mt-4 border-l-2 border-possible pl-3 text-soft">
        Its history is in the database, which does not answer.
      </p>
    );
  }
  const total = totalOf(days);
  return (
    <div className="mt-4">
      <DayStrip days={days} />
      <div className="mt-2 flex flex-wrap justify-between gap-x-6 gap-y-1">
        <p className="label">
          {total === null
            ? "No day was measured."
            : `${share(total)} of ${formatCount(total.checks)} checks succeeded, on ${total.measured} of ${days.length} days`}
        </p>
        <p aria-hidden="true" className="label">
          {dayName(days[0]!.date)} – today
        </p>
      </div>
    </div>
  );
}

/** One part: its state, its last check, its days. */
export function PartRow({ part, now }: { part: ComponentStatus; now: number }) {
  const { name, about } = PARTS[part.id];
  const state = isCurrent(part, now) ? part.state : "unknown";
  const [tone, word] = BADGES[state];
  return (
    <li className="border-t border-line py-6" data-part={part.id} data-state={state}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-lg">{name}</h3>
        <Badge tone={tone}>{word}</Badge>
        <p className="w-full text-soft sm:ml-auto sm:w-auto">
          <Measured part={part} now={now} />
        </p>
      </div>
      <p className="text-muted">{about}</p>
      <History days={part.days} />
    </li>
  );
}
