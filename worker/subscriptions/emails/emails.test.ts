import { describe, expect, test } from "vitest";
import type { Subscription } from "../../../contract/subscriptions.ts";
import { dueQuotaNotice } from "../../ledger/limits.ts";
import { quotaFigures } from "./quota.ts";
import { endingTrial, EXPIRY_NOTICE_MS } from "./trial-ending.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const STARTED = Date.UTC(2026, 0, 3, 12);
const ENDS = NOW + EXPIRY_NOTICE_MS;

function trial(used: number, changes: Partial<Subscription> = {}): Subscription {
  return {
    status: "active",
    plan: "trial",
    started_at: new Date(STARTED).toISOString(),
    expires_at: new Date(ENDS).toISOString(),
    trial_available: false,
    quota: { limit: 1_000, used, remaining: Math.max(0, 1_000 - used) },
    ...changes,
  };
}

const PRO = { plan: "pro", quota: { limit: null, used: 5_000, remaining: null } } as const;

describe("the notice that is due", () => {
  test.each([
    [0, 1_000, 0],
    [799, 1_000, 0],
    [800, 1_000, 80],
    [999, 1_000, 80],
    [1_000, 1_000, 100],
    [1_100, 1_000, 100],
    [2, 3, 0],
    [3, 3, 100],
    [4, 5, 80],
    [799_999_999, 1_000_000_000, 0],
    [800_000_000, 1_000_000_000, 80],
  ] as const)("at %i of %i is %i", (used, limit, expected) => {
    expect(dueQuotaNotice(used, limit)).toBe(expected);
  });
});

describe("the content of a quota email", () => {
  test("is current usage when it is sent", () => {
    expect(quotaFigures(trial(812), 80)).toStrictEqual({ used: 812, limit: 1_000, since: STARTED });
    expect(quotaFigures(trial(1_003), 100)).toStrictEqual({ used: 1_003, limit: 1_000, since: STARTED });
  });

  test.each([
    ["begun again", trial(3), 80],
    ["begun again", trial(3), 100],
    ["used up meanwhile", trial(1_000), 80],
    ["expired", trial(812, { status: "expired" }), 80],
    ["ended", trial(1_000, { status: "ended" }), 100],
    ["none", trial(1_000, { status: "none", plan: null, started_at: null }), 100],
    ["without a limit", trial(0, PRO), 100],
  ] as const)("is nothing when the subscription is %s", (_, subscription, percent) => {
    expect(quotaFigures(subscription, percent)).toBeNull();
  });
});

describe("the content of an email about the end of a trial", () => {
  test("is when it ends", () => {
    expect(endingTrial(trial(812), NOW)).toStrictEqual({ endsAt: ENDS, used: 812, limit: 1_000 });
  });

  test.each([
    ["extended beyond three days", trial(0, { expires_at: new Date(ENDS + 1).toISOString() })],
    ["over", trial(0, { status: "expired" })],
    ["ended", trial(0, { status: "ended" })],
    ["without an end", trial(0, { expires_at: null })],
    ["now another plan", trial(0, PRO)],
  ])("is nothing when it is %s", (_, subscription) => {
    expect(endingTrial(subscription, NOW)).toBeNull();
  });
});
