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
 * Extends a part's current incident by a failure, or starts one. Newest first. D1 may already have a waiting one: the
 * queue's is stored before the rest of its run.
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

/** A part's row may be stored before the rest of its run, and be newer than what waits. */
function withLatest(latest: readonly Check[], check: Check): Check[] {
  const known = latest.find(({ component }) => component === check.component);
  return known !== undefined && known.at > check.at
    ? [...latest]
    : [...latest.filter((other) => other !== known), check];
}

/**
 * The history plus the checks that D1 has not stored. If a run failed on D1, its rows for the database and the queue
 * may still be there; the key store's row is written with all the others, so D1 has every run up to the last such row.
 * Waiting checks of those runs are leftovers that KV still shows.
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
