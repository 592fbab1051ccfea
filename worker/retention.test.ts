import { expect, test } from "vitest";
import { SECURITY_EVENT_DAYS, UNVERIFIED_DAYS } from "../contract/limits.ts";
import { SDK_IDEMPOTENCY_PREFIX } from "../contract/sdks.ts";
import { RETENTION } from "../web/content/retention.ts";
import { ACTIVITY_MS } from "./ledger/activity.ts";
import { KNOWN_ADDRESS, LIMITS } from "./limits/table.ts";
import { hoursRemembered } from "./ledger/calls.ts";
import { TRIAL_MEMORY } from "./subscriptions/trial-claims.ts";
import { CRONS } from "./operations/jobs.ts";
import { TOKEN_GRACE } from "./schedule.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How often cleanup runs, in words; the cron expression if there are none for it. */
function cleanUpInterval(): string {
  const [cron] = Object.entries(CRONS).find(([, name]) => name === "clean_up")!;
  return /^\d+ \* \* \* \*$/.test(cron) ? "every hour" : cron;
}

test("data is kept as long as the privacy policy says", () => {
  const { trialsPerDomain, trialsPerParent, trialsPerNetwork, ...limits } = LIMITS;
  const longestWindow = Math.max(...Object.values(limits).map(({ window }) => window));
  expect(RETENTION).toStrictEqual({
    callHours: Math.max(hoursRemembered(""), hoursRemembered(SDK_IDEMPOTENCY_PREFIX)),
    activityDays: ACTIVITY_MS / DAY,
    unverifiedDays: UNVERIFIED_DAYS,
    expiredLinkDays: TOKEN_GRACE / DAY,
    attemptHours: longestWindow / HOUR,
    knownAddressDays: KNOWN_ADDRESS.window / DAY,
    securityEventDays: SECURITY_EVENT_DAYS,
    trialDays: TRIAL_MEMORY / DAY,
    domainTrialsDays: trialsPerDomain.window / DAY,
    networkTrialsDays: Math.max(trialsPerNetwork.window, trialsPerParent.window) / DAY,
    deleted: cleanUpInterval(),
  });
});
