import { formatCount } from "../../contract/format.ts";
import { PLAN_QUOTA, TEST_LOOKUPS_PER_DAY } from "../../contract/limits.ts";
import type { Io, Isolate } from "../io.ts";
import type { KeyRecord } from "../keys/cache/record.ts";
import type { Admission } from "../ledger/charges.ts";
import { capMeter, quotaMeter, UNKNOWN_COUNTRY } from "../ledger/part.ts";
import type { Count, Limit } from "../ledger/part.ts";
import type { Usage } from "../ledger/recorder.ts";
import { ApiError } from "../platform/errors.ts";
import type { Region } from "../platform/site.ts";
import { DAY_MS, utcDay } from "../platform/time.ts";
import { countSuccessful } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { RememberedCall } from "./calls.ts";

/** A verified call that has yet to be counted. */
export interface MeteredCall {
  readonly key: KeyRecord;
  readonly answers: readonly Answer[];
  /** With an Idempotency-Key. */
  readonly remembered: RememberedCall | null;
  /** Where to create its ledger if it has none. */
  readonly near: Region | undefined;
}

function usageOf({ key, answers, remembered, near }: MeteredCall, now: number): Usage {
  const counts: { [At in keyof Count]: Count[At] }[] = [];
  const startedAt = key.subscription?.startedAt ?? 0;
  const day = utcDay(now);
  for (const { country, successful } of answers) {
    const name = country ?? UNKNOWN_COUNTRY;
    let count = counts.find((known) => known[4] === name);
    if (count === undefined) counts.push((count = [startedAt, key.id, key.mode, day, name, 0, 0]));
    count[successful ? 5 : 6] += 1;
  }
  const { id, alias, hours } = remembered ?? {};
  const call = id === undefined ? null : { id, ...(alias && { alias }), hours: hours! };
  return { user: key.userId, near, counts, call };
}

/** A call's usage of limits: its plan's quota and its key's cap, or the day's lookups of test keys. */
function limitsOf({ key: { mode, subscription, cap }, answers }: MeteredCall, now: number): Limit[] {
  if (mode === "test") {
    const amount = answers.filter(({ isReal }) => isReal).length;
    return amount === 0 ? [] : [{ meter: `test ${utcDay(now)}`, amount, most: TEST_LOOKUPS_PER_DAY }];
  }
  const most = subscription && PLAN_QUOTA[subscription.plan];
  const hasQuota = subscription !== null && most !== null;
  if (!hasQuota && cap === null) return [];
  const amount = countSuccessful(answers);
  return [
    ...(hasQuota ? [{ meter: quotaMeter(subscription.startedAt), amount, most }] : []),
    ...(cap === null ? [] : [{ meter: capMeter(cap.root, utcDay(now).slice(0, 7)), amount, most: cap.most }]),
  ];
}

function rejection({ limit: { meter, amount, most }, used }: Extract<Admission, { outcome: "rejected" }>, now: number) {
  // Usage can exceed the limit: a cap may have been lowered.
  const left = Math.max(0, most - used);
  if (meter.startsWith("test ")) {
    const rule = `Test keys can verify ${formatCount(most)} numbers per day outside the sandbox.`;
    const rest =
      left === 0
        ? "None are left until midnight UTC."
        : `This batch needs ${amount}, but you have ${left} left until midnight UTC.`;
    const resetSeconds = Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);
    return new ApiError("RATE_LIMITED", {
      message: `${rule} ${rest}`,
      headers: { "Retry-After": String(resetSeconds) },
      policy: { name: "daily", limit: most, windowSeconds: DAY_MS / 1000, remaining: left, resetSeconds },
    });
  }
  const quota = { limit: most, used, remaining: left };
  if (meter.startsWith("cap ")) {
    const message =
      left === 0
        ? `This key has used all ${formatCount(most)} verifications of its monthly cap.`
        : `This batch needs ${amount} verifications, but this key's monthly cap has ${left} left.`;
    return new ApiError("KEY_CAP_REACHED", { message, quota });
  }
  return left === 0
    ? new ApiError("QUOTA_EXCEEDED", {
        message: `You've used all ${formatCount(most)} verifications in your plan.`,
        quota,
      })
    : new ApiError("QUOTA_TOO_SMALL", {
        message: `This batch needs ${amount} verifications, but your plan has ${left} left.`,
        quota,
      });
}

/**
 * Counts a call. One without limits is counted in the background, and the result is null. One with limits is charged by
 * its ledger, in the background too while it is well within them.
 * @returns how long it waited for the ledger, in milliseconds; null if it didn't
 * @throws ApiError 402 when a quota or a key's cap is used up, 429 when the lookups of test keys are, 503 when that is
 * unknown
 */
export function meterCall(
  { isolate, io }: { isolate: Isolate; io: Io },
  call: MeteredCall,
): Promise<number | null> | null {
  const { remembered } = call;
  // This isolate has counted it.
  if (remembered?.answered) return null;
  const now = isolate.now();
  const usage = usageOf(call, now);
  const limits = limitsOf(call, now);
  const request = { queue: io.queues.usage, ledgers: isolate.env.LEDGER, waitUntil: io.waitUntil };
  if (limits.length > 0) {
    return chargeCall(call, now, isolate.charge(request, { usage, limits, numbers: call.answers.length }));
  }
  isolate.recorder.record(request, usage);
  if (remembered !== null) remembered.answered = true;
  return null;
}

async function chargeCall({ remembered }: MeteredCall, now: number, charging: Promise<Admission>) {
  const admission = await charging;
  if (admission.outcome === "rejected") throw rejection(admission, now);
  if (admission.outcome === "unavailable") {
    const headers = { "Retry-After": String(admission.retryAfter) };
    throw new ApiError("TEMPORARILY_UNAVAILABLE", { headers });
  }
  if (remembered !== null) remembered.answered = true;
  return admission.waitedMs;
}
