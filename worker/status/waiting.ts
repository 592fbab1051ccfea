import type { Check } from "./checks.ts";
import { SAME_RUN_MS } from "./history.ts";
import type { FailedRun, History } from "./history.ts";
import { utcDay } from "../platform/time.ts";

type Day = History["days"][number];

function withDay(days: readonly Day[], { component, at, successful }: Check): Day[] {
  const day = utcDay(at);
  const isIts = (other: Day) => other.component === component && other.day === day;
  const { checks, successful: before } = days.find(isIts) ?? { checks: 0, successful: 0 };
  const added = { component, day, checks: checks + 1, successful: before + Number(successful) };
  return [...days.filter((other) => !isIts(other)), added];
}

/**
 * A failure continues a run of its part, or begins one. Newest first. D1 may have one that waits: the queue's is stored before the
 * others of its run.
 */
function withFailure(incidents: readonly FailedRun[], { component, at }: Check): FailedRun[] {
  const last = incidents.find((run) => run.component === component && run.startedAt <= at);
  if (last === undefined || at - last.lastFailedAt > SAME_RUN_MS) {
    return [{ component, startedAt: at, lastFailedAt: at, failedChecks: 1 }, ...incidents];
  }
  if (at <= last.lastFailedAt) return [...incidents];
  const longer = { ...last, lastFailedAt: at, failedChecks: last.failedChecks + 1 };
  return incidents.map((run) => (run === last ? longer : run));
}

/** A part's row may be there before those of the rest of its run, and be newer than what waits. */
function withLatest(latest: readonly Check[], check: Check): Check[] {
  const known = latest.find(({ component }) => component === check.component);
  return known !== undefined && known.at > check.at
    ? [...latest]
    : [...latest.filter((other) => other !== known), check];
}

/**
 * The history with the checks that D1 has not taken. Of a run that failed on D1, rows of the database and of the queue may be there all
 * the same; that of the key store comes with all the others, so D1 has taken the runs up to its last one. What waits of those, KV does
 * not show yet to be gone.
 * @param waiting in the order in which they were made
 */
export function withWaiting(history: History, waiting: readonly Check[]): History {
  const taken = history.latest.find(({ component }) => component === "key_store")?.at ?? -Infinity;
  return waiting
    .filter(({ at }) => at > taken)
    .reduce<History>(
      ({ latest, days, incidents }, check) => ({
        latest: withLatest(latest, check),
        days: withDay(days, check),
        incidents: check.successful ? incidents : withFailure(incidents, check),
      }),
      history,
    );
}
