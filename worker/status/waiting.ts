import type { Check } from "./checks.ts";
import { SAME_RUN_MS } from "./history.ts";
import type { FailedRun, History } from "./history.ts";
import { utcDay } from "../usage/days.ts";

type Day = History["days"][number];

function withDay(days: readonly Day[], { component, at, successful }: Check): Day[] {
  const day = utcDay(at);
  const isIts = (other: Day) => other.component === component && other.day === day;
  const { checks, successful: before } = days.find(isIts) ?? { checks: 0, successful: 0 };
  const added = { component, day, checks: checks + 1, successful: before + Number(successful) };
  return [...days.filter((other) => !isIts(other)), added];
}

/** A failure goes on with the last run of its part, or begins one. Newest first. */
function withFailure(incidents: readonly FailedRun[], { component, at }: Check): FailedRun[] {
  const last = incidents.find((run) => run.component === component);
  if (last === undefined || at - last.lastFailedAt > SAME_RUN_MS) {
    return [{ component, startedAt: at, lastFailedAt: at, failedChecks: 1 }, ...incidents];
  }
  const longer = { ...last, lastFailedAt: at, failedChecks: last.failedChecks + 1 };
  return incidents.map((run) => (run === last ? longer : run));
}

/**
 * The history with the checks that D1 has not taken: those since its last one. Older ones it has taken meanwhile, and KV does not show
 * yet that they are gone.
 * @param waiting in the order in which they were made
 */
export function withWaiting(history: History, waiting: readonly Check[]): History {
  const newest = Math.max(...history.latest.map(({ at }) => at));
  return waiting
    .filter(({ at }) => at >= newest)
    .reduce<History>(
      ({ latest, days, incidents }, check) => ({
        latest: [...latest.filter(({ component }) => component !== check.component), check],
        days: withDay(days, check),
        incidents: check.successful ? incidents : withFailure(incidents, check),
      }),
      history,
    );
}
