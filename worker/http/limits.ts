import type { RateRule } from "../../contract/endpoints/endpoint.ts";
import { NUMBERS_PER_MINUTE, REQUESTS_PER_MINUTE } from "../../contract/limits.ts";
import type { Isolate } from "../io.ts";
import type { KeyRecord } from "../keys/cache/record.ts";
import { attemptSubject, countAttempt } from "../limits/attempts.ts";
import type { AttemptVerdict } from "../limits/attempts.ts";
import type { PolicyStanding } from "../limits/rate/headers.ts";
import type { RateRequest } from "../limits/rate/limiter.ts";
import type { RatePolicy } from "../limits/rate/state.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import { ApiError, tooManyAttempts } from "../platform/errors.ts";
import { sha256Hex } from "../platform/hash.ts";
import { failureText, logLine } from "../platform/log.ts";
import { sleep, within } from "../platform/time-limit.ts";
import type { RequestContext } from "./context.ts";

/** How long a caller waits that the platform's own limiter refuses: its window, in seconds. */
const WINDOW_SECONDS = 60;

/** Reports the caller's limits in headers. @throws ApiError 429 for one over a limit, which it names */
function enforceStandings(c: RequestContext, ...standings: readonly PolicyStanding[]): void {
  c.get("state").standings = standings;
  enforce(standings);
}

/** @throws ApiError 429 for one over a limit, which it names */
function enforce(standings: readonly PolicyStanding[]): void {
  for (const [{ name, limit, windowSeconds }, standing] of standings) {
    if (standing.allowed) continue;
    const unit = name === "demo" ? "lookups" : name;
    const message = `At most ${limit} ${unit} in ${windowSeconds} seconds. Try again in ${standing.retryAfterSeconds} seconds.`;
    throw new ApiError("RATE_LIMITED", { message });
  }
}

/** What the platform's limiter of this location says. It is a second opinion: when it fails, our own limits still apply. */
async function isWithinBackstop({ env }: Isolate, key: string): Promise<boolean> {
  try {
    return (await env.BACKSTOP.limit({ key })).success;
  } catch (error) {
    logLine("warn", "backstop_failed", { message: failureText(error) });
    return true;
  }
}

/**
 * Asks the platform's limiter about the caller's address, before a lookup or a hash is done for it.
 * @throws ApiError 429 with Retry-After
 */
export async function checkBackstop(c: RequestContext, isolate: Isolate, what: "accounts" | "keys"): Promise<void> {
  if (await isWithinBackstop(isolate, `${what}:${c.get("state").io.address}`)) return;
  throw new ApiError("RATE_LIMITED", { headers: { "Retry-After": String(WINDOW_SECONDS) } });
}

/** What holds for a key's account: test and live keys are counted apart. What is shared through KV names it by a hash only. */
function rateRequest({ userId, mode, subscription }: KeyRecord): RateRequest {
  const plan = mode === "test" || subscription === null ? "test" : subscription.plan;
  return {
    subject: sha256Hex(`${userId}:${mode}`).slice(0, 32),
    requests: { name: "requests", limit: REQUESTS_PER_MINUTE[plan], windowSeconds: WINDOW_SECONDS },
    numbers: { name: "numbers", limit: NUMBERS_PER_MINUTE[plan], windowSeconds: WINDOW_SECONDS },
  };
}

/** By record, which alone decides. Records are replaced every few seconds, so each subject is hashed a few times a minute. */
function rateRequestOf({ rateRequests }: Isolate, key: KeyRecord): RateRequest {
  let request = rateRequests.get(key);
  if (request === undefined) rateRequests.set(key, (request = rateRequest(key)));
  return request;
}

/** Asks the platform's limiter behind the response: what it says holds from the next request on. */
async function askBackstopBehind(isolate: Isolate, request: RateRequest): Promise<void> {
  if (await isWithinBackstop(isolate, request.subject)) return;
  isolate.limiter.refuseUntil(request, isolate.now() + WINDOW_SECONDS * 1000);
}

/**
 * Limits what a key's account may ask by its plan, without waiting for anything: requests here, before the body is read, and the
 * numbers in them with `countNumbers`. The platform's limiter is asked about busy accounts: others are far from what it allows.
 * @param needs what there has to be room for: with "numbers", a request without room for a single one is refused before its body is read
 * @throws ApiError 429 with Retry-After
 */
export function limitAccount(c: RequestContext, isolate: Isolate, key: KeyRecord, needs: "requests" | "numbers"): void {
  const asked = rateRequestOf(isolate, key);
  const { waitUntil } = c.get("state").io;
  const { requests, numbers, isBusy } = isolate.limiter.check(asked, waitUntil, needs);
  const standings: PolicyStanding[] = [
    [asked.requests, requests],
    [asked.numbers, numbers],
  ];
  c.get("state").standings = standings;
  enforce(needs === "numbers" ? standings : standings.slice(0, 1));
  if (isBusy) waitUntil(askBackstopBehind(isolate, asked));
}

/**
 * Counts the numbers of a request that `limitAccount` has allowed, of the same account.
 * @throws ApiError 429 with Retry-After, and then nothing of the request is counted
 */
export function countNumbers(c: RequestContext, isolate: Isolate, key: KeyRecord, numbers: number): void {
  const asked = rateRequestOf(isolate, key);
  const decision = isolate.limiter.count(asked, numbers, c.get("state").io.waitUntil);
  enforceStandings(c, c.get("state").standings![0]!, [asked.numbers, decision]);
}

/** Counts numbers of a stream that is under way. @returns how long they have to wait, in milliseconds: 0 when they were counted */
export function countMoreNumbers(c: RequestContext, isolate: Isolate, key: KeyRecord, numbers: number): number {
  const decision = isolate.limiter.countMore(rateRequestOf(isolate, key), numbers, c.get("state").io.waitUntil);
  return decision.allowed ? 0 : Math.max(1, decision.until - isolate.now());
}

const DEMO = ATTEMPT_RULES.demoPerAddress;
const DEMO_POLICY: RatePolicy = { name: "demo", limit: DEMO.limit, windowSeconds: DEMO.window / 1000 };

/** How long the demo's visitor waits for the count, in milliseconds: as long as callers whose key is looked up. */
const DEMO_D1_TIMEOUT_MS = 500;

/** The exact count behind a rule by address; password attempts are counted with the password. */
const ADDRESS_RULES = {
  register: ATTEMPT_RULES.registerPerAddress,
  email: ATTEMPT_RULES.mailPerAddress,
  token: ATTEMPT_RULES.tokenPerAddress,
} as const;

type AddressRule = Exclude<RateRule, "account">;

/**
 * Bounds what one address may send at all, malformed bodies included. The demo has a count apart: a busy demo must not keep a whole
 * office from logging in.
 * @throws ApiError 429 with Retry-After
 */
export async function checkAddress(c: RequestContext, isolate: Isolate, rule: AddressRule): Promise<void> {
  if (rule !== "demo") return checkBackstop(c, isolate, "accounts");
  if (await isWithinBackstop(isolate, `demo:${c.get("state").io.address}`)) return;
  enforceStandings(c, [DEMO_POLICY, { allowed: false, retryAfterSeconds: DEMO_POLICY.windowSeconds }]);
}

/**
 * Counts a well-formed request of the caller's address, exactly. Without the database the demo is closed: lookups that cannot be
 * counted would be a free API.
 * @throws ApiError 429 with Retry-After; 503 when the database cannot count the demo within 500 ms
 */
export async function countAddress(c: RequestContext, rule: AddressRule): Promise<void> {
  if (rule === "password") return;
  if (rule === "demo") return enforceStandings(c, [DEMO_POLICY, await countDemo(c)]);
  const { db, now, config, address } = c.get("state").io;
  const verdict = await countAttempt(db, now, [
    attemptSubject(config.secrets.attempts.current, ADDRESS_RULES[rule], address),
  ]);
  if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
}

async function countDemo(c: RequestContext): Promise<AttemptVerdict> {
  const { db, now, config, address } = c.get("state").io;
  const subject = attemptSubject(config.secrets.attempts.current, DEMO, address);
  try {
    return await within(countAttempt(db, now, [subject]), DEMO_D1_TIMEOUT_MS, sleep);
  } catch (error) {
    logLine("error", "demo_count_failed", { request_id: c.get("state").requestId, message: failureText(error) });
    throw new ApiError("TEMPORARILY_UNAVAILABLE");
  }
}
