import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Context, MiddlewareHandler } from "hono";
import { REQUESTS_PER_MINUTE } from "../../contract/limits.ts";
import type { AppEnv } from "../env.ts";
import type { KeyRecord } from "../keys/cache/record.ts";
import { rateLimitHeaders } from "../limits/rate/headers.ts";
import { createRateLimiter } from "../limits/rate/limiter.ts";
import type { RateLimiter, RateRequest } from "../limits/rate/limiter.ts";
import { randomBase62 } from "../random.ts";
import { isWithinBackstop } from "./attempt-limits.ts";
import { ApiError } from "../api-error.ts";

const WINDOW_SECONDS = 60;

/** The limiter of this isolate. Bindings live as long as it does. */
let limiter: RateLimiter | undefined;

function limiterOf({ EDGE }: AppEnv["Bindings"]): RateLimiter {
  limiter ??= createRateLimiter({
    kv: EDGE,
    now: () => Date.now(),
    random: () => Math.random(),
    isolateId: () => randomBase62(12),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  return limiter;
}

/** Records are replaced every few seconds, so each is hashed a few times a minute and not with every request. */
const subjects = new WeakMap<KeyRecord, string>();

/** An account and mode, as a hash: what is shared through KV outlives a deleted account for a few minutes. */
function subjectOf(record: KeyRecord): string {
  let subject = subjects.get(record);
  if (subject === undefined) {
    subject = bytesToHex(sha256(utf8ToBytes(`${record.userId}:${record.mode}`))).slice(0, 32);
    subjects.set(record, subject);
  }
  return subject;
}

/** What holds for a key's account: test and live keys are counted apart. */
function rateRequest(record: KeyRecord): RateRequest {
  const { mode, subscription } = record;
  const limit = REQUESTS_PER_MINUTE[mode === "test" || subscription === null ? "test" : subscription.plan];
  return { subject: subjectOf(record), policy: { name: "default", limit, windowSeconds: WINDOW_SECONDS } };
}

/** Asks the platform's limiter of this location behind the answer: what it says holds from the next request on. */
async function heedBackstop(c: Context<AppEnv>, request: RateRequest): Promise<void> {
  const allowed = await isWithinBackstop(c, request.subject);
  if (!allowed) limiterOf(c.env).refuseUntil(request, Date.now() + WINDOW_SECONDS * 1000);
}

/**
 * Limits the requests of an account by its plan, without waiting for anything, and tells where the caller stands in `RateLimit`.
 * @throws ApiError 429 with Retry-After.
 */
export function limitRate(): MiddlewareHandler<AppEnv> {
  return async function rateLimit(c, next) {
    const request = rateRequest(c.get("apiKey"));
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    const decision = limiterOf(c.env).check(request, waitUntil);
    for (const [name, value] of Object.entries(rateLimitHeaders(request.policy, decision))) c.header(name, value);
    if (!decision.allowed) {
      const { limit, windowSeconds } = request.policy;
      const message = `At most ${limit} requests in ${windowSeconds} seconds. Try again in ${decision.retryAfterSeconds} seconds.`;
      throw new ApiError("RATE_LIMITED", { message });
    }
    waitUntil(heedBackstop(c, request));
    await next();
  };
}
