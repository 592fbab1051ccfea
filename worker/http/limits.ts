import type { AddressRate } from "../../contract/endpoints/endpoint.ts";
import { formatCount } from "../../contract/format.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { DemoRequest } from "../../contract/verification.ts";
import type { Session } from "../accounts/sessions.ts";
import type { Isolate } from "../io.ts";
import { isForPages, limitsOf } from "../key-cache/record.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import { attemptSubject, countAttempt, limitSubject } from "../limits/attempts.ts";
import type { AttemptVerdict } from "../limits/attempts.ts";
import type { PolicyState, RatePolicy, RateState } from "../limits/rate/headers.ts";
import type { RateRequest } from "../limits/rate/limiter.ts";
import { ADDRESS_LIMITS, LIMITS } from "../limits/table.ts";
import type { Limit, Who } from "../limits/table.ts";
import { ApiError, tooManyAttempts, tryAgainIn } from "../platform/errors.ts";
import { failureText, logLine } from "../platform/log.ts";
import { sleep, within } from "../platform/time-limit.ts";
import type { RequestContext } from "./context.ts";

/** How long a caller rejected by the platform's limiter waits: its window, in seconds. */
const WINDOW_SECONDS = 60;

/** A limit under the name that callers see. */
function policyOf(name: string, { max, window }: Pick<Limit, "max" | "window">): RatePolicy {
  return { name, limit: max, windowSeconds: window / 1000 };
}

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
 * Whether the platform's limiter in this location has room, which gets a keyed hash. It is a backstop: when it fails,
 * our own limits still apply.
 */
async function isWithinBackstop(c: RequestContext, limit: Limit<"address", "location">): Promise<boolean> {
  const { config, address } = c.get("io");
  const key = limitSubject(config.secrets.attempts.current, limit, { address });
  try {
    return (await c.get("isolate").env.ADDRESS_BACKSTOP.limit({ key })).success;
  } catch (error) {
    logLine("warn", "backstop_failed", { message: failureText(error) });
    return true;
  }
}

/** @throws ApiError 429 with Retry-After */
async function checkBackstop(c: RequestContext, limit: Limit<"address", "location">): Promise<void> {
  if (await isWithinBackstop(c, limit)) return;
  throw new ApiError("RATE_LIMITED", { headers: { "Retry-After": String(WINDOW_SECONDS) } });
}

/** A request as a limiter of isolates counts it. Such a limit is for calls; each has one number. */
function countedBy<By extends Who>(
  c: RequestContext,
  limit: Limit<By, "isolates">,
  who: Readonly<Record<By, string>>,
): RateRequest {
  const room = { limit: limit.max };
  const subject = limitSubject(c.get("io").config.secrets.attempts.current, limit, who);
  return { subject, requests: room, numbers: room };
}

/**
 * Rejects a key that isn't in memory, without a lookup, when the caller's address has sent many that don't exist:
 * anyone can compute a checksum.
 * @throws ApiError 429 with Retry-After
 */
export function checkUnknownKeys(c: RequestContext): void {
  const request = countedBy(c, LIMITS.unknownKeysPerAddress, c.get("io"));
  const room = c.get("isolate").keylessLimiter.look(request);
  if (!room.allowed) throw tooManyAttempts(room.retryAfterSeconds);
}

/** Counts a key that turned out not to exist. Keys that do aren't counted, however many share the address. */
export function countUnknownKey(c: RequestContext): void {
  const request = countedBy(c, LIMITS.unknownKeysPerAddress, c.get("io"));
  c.get("isolate").keylessLimiter.check(request, c.get("io").waitUntil);
}

/** Counts a call that its key may not make. @throws ApiError 429 with Retry-After */
export function countRefusal(c: RequestContext, key: string): void {
  const { address, waitUntil } = c.get("io");
  const { keylessLimiter } = c.get("isolate");
  const ofKey = countedBy(c, LIMITS.refusalsPerKeyAndAddress, { key, address });
  for (const request of [ofKey, countedBy(c, LIMITS.refusalsPerAddress, { address })]) {
    const room = keylessLimiter.check(request, waitUntil).requests;
    if (!room.allowed) throw tooManyAttempts(room.retryAfterSeconds);
  }
}

/** What an account may request per minute, and which of its keys count together. */
interface AccountLimits {
  readonly subject: string;
  readonly requests: RatePolicy;
  readonly numbers: RatePolicy;
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

const PAGE_CALLS = policyOf("calls", LIMITS.pageCallsPerAddress);

/**
 * Counts a page's call by account and the caller's address, then toward the account's limits for pages, which its
 * visitors don't see.
 * @throws ApiError 429 with Retry-After
 */
function countPageCall(c: RequestContext, key: KeyRecord): void {
  const { address, waitUntil } = c.get("io");
  const { limiter, pageLimiter } = c.get("isolate");
  const request = countedBy(c, LIMITS.pageCallsPerAddress, { account: key.userId, address });
  const own = { policy: PAGE_CALLS, state: pageLimiter.check(request, waitUntil).requests };
  c.set("limits", [own]);
  requireRoom(own);
  const all = limiter.check(accountLimits(key, "pages"), waitUntil).requests;
  if (!all.allowed) throw tooManyAttempts(all.retryAfterSeconds);
}

/** A request that its account's limit has admitted, whose numbers are still to be counted. */
export interface CountedRequest {
  readonly limits: AccountLimits;
  readonly own: PolicyState;
}

/**
 * Counts a request toward the limits of its key's account, without I/O. The numbers in it are counted by `countNumbers`,
 * once they are known.
 * @returns null for a page's call: it has one number, and fewer calls are allowed
 * @throws ApiError 429 with Retry-After
 */
export function countRequest(c: RequestContext, key: KeyRecord): CountedRequest | null {
  if (isForPages(key)) {
    countPageCall(c, key);
    return null;
  }
  const limits = accountLimits(key);
  const { requests, numbers } = c.get("isolate").limiter.check(limits, c.get("io").waitUntil);
  const own = { policy: limits.requests, state: requests };
  c.set("limits", [own, { policy: limits.numbers, state: numbers }]);
  requireRoom(own);
  return { limits, own };
}

/**
 * Counts the numbers of a request.
 * @throws ApiError 429 with Retry-After, in which case none of the numbers are counted
 */
export function countNumbers(c: RequestContext, counted: CountedRequest | null, numbers: number): void {
  c.set("numbers", numbers);
  if (counted === null) return;
  const { limits, own } = counted;
  const ofNumbers = { policy: limits.numbers, state: c.get("isolate").limiter.count(limits, numbers) };
  c.set("limits", [own, ofNumbers]);
  requireRoom(ofNumbers);
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

/** Checks the address of a session's call, before anything is looked up. @throws ApiError 429 with Retry-After */
export function checkSessionBackstop(c: RequestContext): Promise<void> {
  return checkBackstop(c, LIMITS.sessionsInLocation);
}

const CALLS = policyOf("calls", LIMITS.callsPerAccount);

/**
 * Counts a call of a session toward its account's limit, without I/O.
 * @throws ApiError 429 with Retry-After
 */
export function countCall(c: RequestContext, { account }: Session): void {
  const request = countedBy(c, LIMITS.callsPerAccount, { account: account.id });
  const { requests } = c.get("isolate").keylessLimiter.check(request, c.get("io").waitUntil);
  const own = { policy: CALLS, state: requests };
  c.set("limits", [own]);
  requireRoom(own);
}

const CHANGES = policyOf("changes", LIMITS.changesPerAccount);

/**
 * Counts a session's well-formed change by its account and the caller's address, exactly.
 * @throws ApiError 429 with Retry-After
 */
export async function countChange(c: RequestContext, { account }: Session): Promise<void> {
  const { db, now, config, address } = c.get("io");
  const { current } = config.secrets.attempts;
  const state = await countAttempt(db, now, [
    attemptSubject(current, LIMITS.changesPerAccount, { account: account.id }),
    attemptSubject(current, LIMITS.changesPerAddress, { address }),
  ]);
  const own = { policy: CHANGES, state };
  c.set("limits", [...(c.get("limits") ?? []), own]);
  requireRoom(own);
}

const DEMO = policyOf("demo", LIMITS.demoPerAddress);

/** How long a demo visitor waits for the count, in milliseconds: as long as a caller whose key is looked up. */
const DEMO_D1_TIMEOUT_MS = 500;

/**
 * Limits all requests of an address, malformed bodies included.
 * @throws ApiError 429 with Retry-After
 */
export async function checkAddress(c: RequestContext, rate: AddressRate): Promise<void> {
  const { first } = ADDRESS_LIMITS[rate];
  if (rate !== "demo lookups by address") return checkBackstop(c, first);
  if (await isWithinBackstop(c, first)) return;
  limitDemo(c, { allowed: false, retryAfterSeconds: DEMO.windowSeconds });
}

/**
 * Counts a well-formed request by the caller's address, exactly. Without the database the demo is closed, except for
 * the sandbox, which has the same responses for everyone: uncounted lookups would be a free API.
 * @throws ApiError 429 with Retry-After; 503 when the database can't count the demo within 500 ms
 */
export async function countAddressInput(c: RequestContext, rate: AddressRate, input: object): Promise<void> {
  if (rate === "demo lookups by address") {
    const { sandbox } = input as DemoRequest;
    if (sandbox === true) return checkBackstop(c, LIMITS.documentsInLocation);
    return limitDemo(c, await countDemo(c));
  }
  const verdict = await countExactly(c, rate);
  if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
}

async function countExactly(c: RequestContext, rate: AddressRate): Promise<AttemptVerdict> {
  const { db, now, config, address } = c.get("io");
  const { current } = config.secrets.attempts;
  const subjects = ADDRESS_LIMITS[rate].exact.map((limit) => attemptSubject(current, limit, { address }));
  return countAttempt(db, now, subjects);
}

function limitDemo(c: RequestContext, state: RateState): void {
  const own = { policy: DEMO, state };
  c.set("limits", [own]);
  requireRoom(own);
}

async function countDemo(c: RequestContext): Promise<AttemptVerdict> {
  try {
    return await within(countExactly(c, "demo lookups by address"), DEMO_D1_TIMEOUT_MS, sleep);
  } catch (error) {
    logLine("error", "demo_count_failed", { request_id: c.get("requestId"), message: failureText(error) });
    throw new ApiError("TEMPORARILY_UNAVAILABLE");
  }
}
