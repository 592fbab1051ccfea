import type { Endpoint, Rate } from "../../contract/endpoints/endpoint.ts";
import { formatCount } from "../../contract/format.ts";
import { PAGE_CALLS_PER_MINUTE, SESSION_CALLS_PER_MINUTE, UNKNOWN_KEYS_PER_MINUTE } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { DemoRequest } from "../../contract/verification.ts";
import type { Isolate } from "../io.ts";
import { isForPages, limitsOf } from "../key-cache/record.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import { attemptSubject, countAttempt } from "../limits/attempts.ts";
import type { AttemptVerdict } from "../limits/attempts.ts";
import type { PolicyState, RatePolicy, RateState } from "../limits/rate/headers.ts";
import type { RateRequest } from "../limits/rate/limiter.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import type { AttemptRule } from "../limits/rules.ts";
import { ApiError, tooManyAttempts, tryAgainIn } from "../platform/errors.ts";
import { keyedHash } from "../platform/hash.ts";
import { failureText, logLine } from "../platform/log.ts";
import { sleep, within } from "../platform/time-limit.ts";
import type { AccountLimits, RequestContext } from "./context.ts";

/** How long a caller rejected by the platform's limiter waits: its window, in seconds. */
const WINDOW_SECONDS = 60;

/** @throws ApiError 429 with Retry-After, and the exceeded limit in its message */
function requireRoom({ policy: { name, limit, windowSeconds }, state }: PolicyState): void {
  if (state.allowed) return;
  const unit = name === "demo" ? "lookups" : name;
  const period = windowSeconds === WINDOW_SECONDS ? "minute" : "hour";
  const seconds = state.retryAfterSeconds;
  const message = `The limit is ${formatCount(limit)} ${unit} per ${period}. ${tryAgainIn(seconds)}`;
  throw new ApiError("RATE_LIMITED", { message, headers: { "Retry-After": String(seconds) } });
}

/**
 * The verdict of the platform's limiter in this location, which gets a keyed hash of the address. It is a backstop: when
 * it fails, our own limits still apply.
 */
async function isWithinBackstop(
  c: RequestContext,
  what: "accounts" | "sessions" | "documents" | "demo",
): Promise<boolean> {
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
export async function checkBackstop(c: RequestContext, what: "accounts" | "sessions" | "documents"): Promise<void> {
  if (await isWithinBackstop(c, what)) return;
  throw new ApiError("RATE_LIMITED", { headers: { "Retry-After": String(WINDOW_SECONDS) } });
}

/** The limit of an address on keys that don't exist. KV holds a hash of its subject, so the address is hashed by key. */
function unknownKeys(c: RequestContext): RateRequest {
  const { config, address } = c.get("io");
  const limit = { limit: UNKNOWN_KEYS_PER_MINUTE };
  const subject = keyedHash(config.secrets.attempts.current, "unknown-keys", address);
  return { subject, requests: limit, numbers: limit };
}

/**
 * Rejects a key that isn't in memory, without a lookup, when the caller's address has sent many that don't exist:
 * anyone can compute a checksum.
 * @throws ApiError 429 with Retry-After
 */
export function checkUnknownKeys(c: RequestContext): void {
  const room = c.get("isolate").keylessLimiter.look(unknownKeys(c));
  if (!room.allowed) throw tooManyAttempts(room.retryAfterSeconds);
}

/** Counts a key that turned out not to exist. Keys that do aren't counted, however many share the address. */
export function countUnknownKey(c: RequestContext): void {
  c.get("isolate").keylessLimiter.check(unknownKeys(c), c.get("io").waitUntil);
}

/** The limits of a key's account, with test keys, live keys, and those for web pages counted separately. */
function accountLimits(key: KeyRecord, counted: KeyMode | "pages" = key.mode): AccountLimits {
  const { requestsPerMinute, numbersPerMinute } = limitsOf(key);
  return {
    subject: `${key.userId}:${counted}`,
    requests: { name: "requests", limit: requestsPerMinute, windowSeconds: WINDOW_SECONDS },
    numbers: { name: "numbers", limit: numbersPerMinute, windowSeconds: WINDOW_SECONDS },
  };
}

const CALLS: RatePolicy = { name: "calls", limit: SESSION_CALLS_PER_MINUTE, windowSeconds: WINDOW_SECONDS };

/**
 * Counts a call of a session toward its account's limit, without I/O.
 * @throws ApiError 429 with Retry-After
 */
export function countCall(c: RequestContext): void {
  const subject = `${c.get("session")!.account.id}:session`;
  const { requests } = c
    .get("isolate")
    .keylessLimiter.check({ subject, requests: CALLS, numbers: CALLS }, c.get("io").waitUntil);
  const own = { policy: CALLS, state: requests };
  c.set("limits", [own]);
  requireRoom(own);
}

const CHANGE = ATTEMPT_RULES.changesPerAccount;
const CHANGES: RatePolicy = { name: "changes", limit: CHANGE.limit, windowSeconds: CHANGE.window / 1000 };

/**
 * Counts a well-formed change by its account and the caller's address, exactly.
 * @throws ApiError 429 with Retry-After
 */
export async function countChange(c: RequestContext): Promise<void> {
  const { db, now, config, address } = c.get("io");
  const { current } = config.secrets.attempts;
  const state = await countAttempt(db, now, [
    attemptSubject(current, CHANGE, c.get("session")!.account.id),
    attemptSubject(current, ATTEMPT_RULES.changesPerAddress, address),
  ]);
  const own = { policy: CHANGES, state };
  c.set("limits", [...c.get("limits")!, own]);
  requireRoom(own);
}

const PAGE_CALLS: RatePolicy = { name: "calls", limit: PAGE_CALLS_PER_MINUTE, windowSeconds: WINDOW_SECONDS };

/**
 * Counts a page's call by account and the caller's address, then toward the account's limits for pages, which its
 * visitors don't see.
 * @throws ApiError 429 with Retry-After
 */
function countPageCall(c: RequestContext, key: KeyRecord): void {
  const { config, address, waitUntil } = c.get("io");
  const { limiter, pageLimiter } = c.get("isolate");
  const subject = keyedHash(config.secrets.attempts.current, "page-calls", key.userId, address);
  const { requests } = pageLimiter.check({ subject, requests: PAGE_CALLS, numbers: PAGE_CALLS }, waitUntil);
  const own = { policy: PAGE_CALLS, state: requests };
  c.set("limits", [own]);
  requireRoom(own);
  const all = limiter.check(accountLimits(key, "pages"), waitUntil).requests;
  if (!all.allowed) throw tooManyAttempts(all.retryAfterSeconds);
}

/**
 * Counts a request toward the limits of its key's account, without I/O and before its body is read. The numbers in it
 * are counted by `countNumbers`, once they are known. A session's request without a key counts as its call.
 * @throws ApiError 429 with Retry-After
 */
export function countRequest(c: RequestContext): void {
  const key = c.get("key");
  if (key === undefined) return countCall(c);
  if (isForPages(key)) return countPageCall(c, key);
  const limits = accountLimits(key);
  const { requests, numbers } = c.get("isolate").limiter.check(limits, c.get("io").waitUntil);
  const own = { policy: limits.requests, state: requests };
  c.set("accountLimits", limits);
  c.set("limits", [own, { policy: limits.numbers, state: numbers }]);
  requireRoom(own);
}

/**
 * Counts the numbers of a request that `countRequest` allowed for the same account.
 * @throws ApiError 429 with Retry-After, in which case none of the numbers are counted
 */
export function countNumbers(c: RequestContext, numbers: number): void {
  c.set("numbers", numbers);
  const limits = c.get("accountLimits");
  // A page's calls have one number each, and fewer calls are allowed.
  if (limits === undefined) return;
  const own = { policy: limits.numbers, state: c.get("isolate").limiter.count(limits, numbers) };
  c.set("limits", [c.get("limits")![0]!, own]);
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
const ADDRESS_RULES: Partial<Record<Rate, AttemptRule>> = {
  "registrations by address": ATTEMPT_RULES.registerPerAddress,
  "emails by address": ATTEMPT_RULES.mailPerAddress,
  "links by address": ATTEMPT_RULES.tokenPerAddress,
};

/**
 * Limits all requests of an address, malformed bodies included. The demo is counted separately, so a busy demo can't
 * keep a whole office from logging in.
 * @throws ApiError 429 with Retry-After
 */
export async function checkAddress(c: RequestContext, { rate }: Endpoint): Promise<void> {
  if (rate === "documents by address") return checkBackstop(c, "documents");
  if (rate !== "demo lookups by address") return checkBackstop(c, "accounts");
  if (await isWithinBackstop(c, "demo")) return;
  limitDemo(c, { allowed: false, retryAfterSeconds: DEMO_POLICY.windowSeconds });
}

/** Whether a request of the demo is for the sandbox, which has the same responses for everyone. */
function isForSandbox(c: RequestContext): boolean {
  return (c.get("input") as DemoRequest).sandbox === true;
}

/**
 * Counts a well-formed request by the caller's address, exactly. Without the database the demo is closed, except for
 * the sandbox: uncounted lookups would be a free API.
 * @throws ApiError 429 with Retry-After; 503 when the database can't count the demo within 500 ms
 */
export async function countAddress(c: RequestContext, { rate }: Endpoint): Promise<void> {
  if (rate === "demo lookups by address") {
    if (isForSandbox(c)) return checkBackstop(c, "documents");
    return limitDemo(c, await countDemo(c));
  }
  const rule = ADDRESS_RULES[rate];
  if (rule === undefined) return;
  const { db, now, config, address } = c.get("io");
  const verdict = await countAttempt(db, now, [attemptSubject(config.secrets.attempts.current, rule, address)]);
  if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
}

function limitDemo(c: RequestContext, state: RateState): void {
  const own = { policy: DEMO_POLICY, state };
  c.set("limits", [own]);
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
