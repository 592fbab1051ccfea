import type { Endpoint, RateRule } from "../../contract/endpoints/endpoint.ts";
import { formatCount } from "../../contract/format.ts";
import { NUMBERS_PER_MINUTE, REQUESTS_PER_MINUTE } from "../../contract/limits.ts";
import type { Isolate } from "../io.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import { attemptSubject, countAttempt } from "../limits/attempts.ts";
import type { AttemptVerdict } from "../limits/attempts.ts";
import { rateLimitHeaders } from "../limits/rate/headers.ts";
import type { PolicyState, RatePolicy, RateState } from "../limits/rate/headers.ts";
import type { RateRequest } from "../limits/rate/limiter.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import type { AttemptRule } from "../limits/rules.ts";
import { ApiError, tooManyAttempts, tryAgainIn } from "../platform/errors.ts";
import { keyedHash } from "../platform/hash.ts";
import { failureText, logLine } from "../platform/log.ts";
import { sleep, within } from "../platform/time-limit.ts";
import type { RequestContext } from "./context.ts";

/** How long a caller rejected by the platform's limiter waits: its window, in seconds. */
const WINDOW_SECONDS = 60;

/** Reports the caller's position within its limits in headers. */
export function reportLimits(c: RequestContext, limits: readonly PolicyState[]): void {
  c.set("limits", limits);
  for (const [name, value] of Object.entries(rateLimitHeaders(limits))) c.header(name, value);
}

/** @throws ApiError 429 with Retry-After, and the exceeded limit in its message */
function requireRoom({ policy: { name, limit }, state }: PolicyState): void {
  if (state.allowed) return;
  const unit = name === "demo" ? "lookups" : name;
  const seconds = state.retryAfterSeconds;
  const message = `The limit is ${formatCount(limit)} ${unit} per minute. ${tryAgainIn(seconds)}`;
  throw new ApiError("RATE_LIMITED", { message, headers: { "Retry-After": String(seconds) } });
}

/**
 * The verdict of the platform's limiter in this location, which gets a keyed hash of the address. It is a backstop: when
 * it fails, our own limits still apply.
 */
async function isWithinBackstop(c: RequestContext, what: "accounts" | "keys" | "demo"): Promise<boolean> {
  const { config, address } = c.get("io");
  const key = keyedHash(config.secrets.attempts.current, "backstop", what, address);
  try {
    return (await c.get("isolate").env.ADDRESS_BACKSTOP.limit({ key })).success;
  } catch (error) {
    logLine("warn", "backstop_failed", { message: failureText(error) });
    return true;
  }
}

/**
 * Checks the caller's address with the platform's limiter, before spending a lookup or a hash on it.
 * @throws ApiError 429 with Retry-After
 */
export async function checkBackstop(c: RequestContext, what: "accounts" | "keys"): Promise<void> {
  if (await isWithinBackstop(c, what)) return;
  throw new ApiError("RATE_LIMITED", { headers: { "Retry-After": String(WINDOW_SECONDS) } });
}

interface AccountLimits extends RateRequest {
  readonly requests: RatePolicy;
  readonly numbers: RatePolicy;
}

/** The limits of a key's account, with test and live keys counted separately. */
function accountLimits({ userId, mode, subscription }: KeyRecord): AccountLimits {
  const plan = mode === "test" || subscription === null ? "test" : subscription.plan;
  return {
    subject: `${userId}:${mode}`,
    requests: { name: "requests", limit: REQUESTS_PER_MINUTE[plan], windowSeconds: WINDOW_SECONDS },
    numbers: { name: "numbers", limit: NUMBERS_PER_MINUTE[plan], windowSeconds: WINDOW_SECONDS },
  };
}

/**
 * Counts a request toward the limits of its key's account, without I/O and before its body is read. The numbers in it
 * are counted by `countNumbers`, once they are known.
 * @throws ApiError 429 with Retry-After
 */
export function countRequest(c: RequestContext): void {
  const key = c.get("key");
  // A session reads its own account's status as often as it likes.
  if (key === undefined) return;
  const limits = accountLimits(key);
  const { requests, numbers } = c.get("isolate").limiter.check(limits, c.get("io").waitUntil);
  const own = { policy: limits.requests, state: requests };
  reportLimits(c, [own, { policy: limits.numbers, state: numbers }]);
  requireRoom(own);
}

/**
 * Counts the numbers of a request that `countRequest` allowed for the same account.
 * @throws ApiError 429 with Retry-After, in which case none of the numbers are counted
 */
export function countNumbers(c: RequestContext, numbers: number): void {
  c.set("numbers", numbers);
  const limits = accountLimits(c.get("key")!);
  const own = { policy: limits.numbers, state: c.get("isolate").limiter.count(limits, numbers) };
  const others = c.get("limits")!.filter(({ policy }) => policy.name !== own.policy.name);
  reportLimits(c, [...others, own]);
  requireRoom(own);
}

/**
 * Counts more numbers of a running stream.
 * @param isRepeated whether the same numbers have been rejected before
 * @returns how long they have to wait, in milliseconds: 0 if they were counted
 */
export function countMoreNumbers(isolate: Isolate, key: KeyRecord, numbers: number, isRepeated: boolean): number {
  const decision = isolate.limiter.count(accountLimits(key), numbers, isRepeated);
  return decision.allowed ? 0 : Math.max(1, decision.until - isolate.now());
}

const DEMO = ATTEMPT_RULES.demoPerAddress;
const DEMO_POLICY: RatePolicy = { name: "demo", limit: DEMO.limit, windowSeconds: DEMO.window / 1000 };

/** How long a demo visitor waits for the count, in milliseconds: as long as a caller whose key is looked up. */
const DEMO_D1_TIMEOUT_MS = 500;

/** The exact count behind a per-address rule; password attempts are counted with the password. */
const ADDRESS_RULES: Partial<Record<RateRule, AttemptRule>> = {
  register: ATTEMPT_RULES.registerPerAddress,
  email: ATTEMPT_RULES.mailPerAddress,
  token: ATTEMPT_RULES.tokenPerAddress,
};

/**
 * Limits all requests of an address, malformed bodies included. The demo is counted separately, so a busy demo can't
 * keep a whole office from logging in.
 * @throws ApiError 429 with Retry-After
 */
export async function checkAddress(c: RequestContext, { rate }: Endpoint): Promise<void> {
  if (rate !== "demo") return checkBackstop(c, "accounts");
  if (await isWithinBackstop(c, "demo")) return;
  limitDemo(c, { allowed: false, retryAfterSeconds: DEMO_POLICY.windowSeconds });
}

/**
 * Counts a well-formed request by the caller's address, exactly. Without the database the demo is closed: uncounted
 * lookups would be a free API.
 * @throws ApiError 429 with Retry-After; 503 when the database can't count the demo within 500 ms
 */
export async function countAddress(c: RequestContext, { rate }: Endpoint): Promise<void> {
  if (rate === "demo") return limitDemo(c, await countDemo(c));
  const rule = ADDRESS_RULES[rate!];
  if (rule === undefined) return;
  const { db, now, config, address } = c.get("io");
  const verdict = await countAttempt(db, now, [attemptSubject(config.secrets.attempts.current, rule, address)]);
  if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
}

function limitDemo(c: RequestContext, state: RateState): void {
  const own = { policy: DEMO_POLICY, state };
  reportLimits(c, [own]);
  requireRoom(own);
}

async function countDemo(c: RequestContext): Promise<AttemptVerdict> {
  const { db, now, config, address } = c.get("io");
  const subject = attemptSubject(config.secrets.attempts.current, DEMO, address);
  try {
    return await within(countAttempt(db, now, [subject]), DEMO_D1_TIMEOUT_MS, sleep);
  } catch (error) {
    logLine("error", "demo_count_failed", { request_id: c.get("requestId"), message: failureText(error) });
    throw new ApiError("TEMPORARILY_UNAVAILABLE");
  }
}
