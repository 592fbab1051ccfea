import { formatCount } from "../../contract/format.ts";
import { TEST_LOOKUPS_PER_DAY } from "../../contract/limits.ts";
import type { Io, Isolate } from "../io.ts";
import { isForPages, limitsOf } from "../key-cache/record.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import type { Admission, MeterRequest } from "../ledger/meter.ts";
import { capUse, quotaUse, testUse, UNKNOWN_COUNTRY } from "../ledger/part.ts";
import type { Count, Entry, Use } from "../ledger/part.ts";
import { ApiError } from "../platform/errors.ts";
import type { Region } from "../platform/place.ts";
import { DAY_MS, utcDay } from "../platform/time.ts";
import type { Answer } from "./answer.ts";
import type { RememberedCall } from "../ledger/calls.ts";

/** When to repeat a call that a ledger neither counted nor refused. */
const RETRY_AFTER_SECONDS = 5;

/** A verified call that has yet to be counted. */
export interface MeteredCall {
  readonly key: KeyRecord;
  readonly answers: readonly Answer[];
  /** With an Idempotency-Key. */
  readonly remembered: RememberedCall | null;
  /** Where to create its ledger if it has none. */
  readonly near: Region | undefined;
}

function countsOf({ key, answers }: MeteredCall, day: string): Count[] {
  const counts: Count[] = [];
  const startedAt = key.subscription?.startedAt ?? 0;
  for (const { country: known, successful } of answers) {
    const country = known ?? UNKNOWN_COUNTRY;
    let count = counts.find((other) => other.country === country);
    if (count === undefined) {
      count = { startedAt, key: key.id, root: key.root, mode: key.mode, day, country, successful: 0, failed: 0 };
      counts.push(count);
    }
    count[successful ? "successful" : "failed"] += 1;
  }
  return counts;
}

/** Whether a number uses up limits: with a live key if it's successful, with a test key outside the sandbox's own. */
function usesLimit({ mode }: KeyRecord, { successful, isReal }: Answer): boolean {
  return mode === "live" ? successful : isReal;
}

/** What a call uses of its limits: its plan's quota and its key's cap, or the day's lookups of test keys. */
function usesOf({ key, answers }: MeteredCall, day: string): Use[] {
  const { root, mode, subscription, cap } = key;
  const amount = answers.filter((answered) => usesLimit(key, answered)).length;
  if (mode === "test") return amount === 0 ? [] : [testUse(day, amount, TEST_LOOKUPS_PER_DAY)];
  const uses: Use[] = [];
  const { quota } = limitsOf(key);
  if (quota !== null) uses.push(quotaUse(subscription!.startedAt, amount, quota));
  if (cap !== null) uses.push(capUse(root, day.slice(0, 7), amount, cap));
  return uses;
}

type Refused = Extract<Admission, { outcome: "refused" }>;

function refusal(key: KeyRecord, { use: { kind, amount, most }, used }: Refused, now: number) {
  // A page's visitors don't see the account's figures.
  if (isForPages(key)) return new ApiError(kind === "cap" ? "KEY_CAP_REACHED" : "QUOTA_EXCEEDED");
  // Usage can exceed the limit: a cap may have been lowered, and isolates admit single numbers at the same time.
  const left = Math.max(0, most - used);
  if (kind === "test") {
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
  if (kind === "cap") {
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

/** The part of a request that the meter borrows. */
export function meterRequest(isolate: Isolate, { queues, waitUntil }: Io): MeterRequest {
  return { queue: queues.usage, ledgers: isolate.env.LEDGER, waitUntil };
}

/**
 * Counts a call, behind the response while no limit is near.
 * @returns how long it waited for the ledger, in milliseconds; null if it didn't
 * @throws ApiError 402 when a quota or a key's cap is used up, 429 when the lookups of test keys are, 503 when that is
 * unknown
 */
export async function meterCall(
  { isolate, io }: { isolate: Isolate; io: Io },
  call: MeteredCall,
): Promise<number | null> {
  const { key, remembered, near } = call;
  // This isolate has counted it.
  if (remembered?.answered) return null;
  const now = isolate.now();
  const day = utcDay(now);
  const entry: Entry = { counts: countsOf(call, day), uses: usesOf(call, day) };
  if (remembered !== null) entry.call = remembered.call;
  const request = meterRequest(isolate, io);
  const caller = { user: key.userId, near };
  let waitedMs: number | null = null;
  if (entry.uses.length === 0) isolate.meter.add(request, caller, entry);
  else {
    const admission = await isolate.meter.admit(request, caller, entry);
    if (admission.outcome === "refused") throw refusal(key, admission, now);
    if (admission.outcome === "unavailable") {
      const headers = { "Retry-After": String(RETRY_AFTER_SECONDS) };
      throw new ApiError("TEMPORARILY_UNAVAILABLE", { headers });
    }
    waitedMs = admission.waitedMs;
  }
  if (remembered !== null) remembered.answered = true;
  return waitedMs;
}

/** What is left of the limit that a call was too large for; 0 for any other error. */
function leftOf(thrown: unknown): number {
  if (!(thrown instanceof ApiError)) return 0;
  return thrown.details.quota?.remaining ?? thrown.details.policy?.remaining ?? 0;
}

/**
 * Counts as many of a call's answers, from the first, as its limits allow.
 * @returns how many
 * @throws ApiError as `meterCall`, if that is none
 */
export async function meterFitting(host: { isolate: Isolate; io: Io }, call: MeteredCall): Promise<number> {
  const { key, answers } = call;
  try {
    await meterCall(host, call);
    return answers.length;
  } catch (thrown) {
    const left = leftOf(thrown);
    const excess = answers.filter((answered) => usesLimit(key, answered))[left];
    if (left === 0 || excess === undefined) throw thrown;
    return meterFitting(host, { ...call, answers: answers.slice(0, answers.indexOf(excess)) });
  }
}
