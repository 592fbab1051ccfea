import type { Context } from "hono";
import { ApiError } from "../api-error.ts";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { sleep, within } from "../keys/cache/time-limit.ts";
import { attemptSubject, countAttempt } from "../limits/attempts.ts";
import type { AttemptVerdict } from "../limits/attempts.ts";
import { rateLimitHeaders } from "../limits/rate/headers.ts";
import type { RateStanding } from "../limits/rate/headers.ts";
import type { RatePolicy } from "../limits/rate/state.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import { failureText, logLine } from "../log.ts";
import { isWithinBackstop } from "./attempt-limits.ts";
import { clientAddress } from "./client-address.ts";

const RULE = ATTEMPT_RULES.demoPerAddress;

/** The rule as its headers tell it. */
const POLICY: RatePolicy = { name: "demo", limit: RULE.limit, windowSeconds: RULE.window / 1000 };

/** How long a visitor waits for the count, as callers do whose key is looked up. */
const D1_TIMEOUT_MS = 500;

/** Tells the page where its visitor stands, and refuses whoever is over the limit. */
function heed(c: Context<AppEnv>, standing: RateStanding): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(POLICY, standing))) c.header(name, value);
  if (standing.allowed) return;
  const { limit, windowSeconds } = POLICY;
  const message = `At most ${limit} look-ups in ${windowSeconds} seconds. Try again in ${standing.retryAfterSeconds} seconds.`;
  throw new ApiError("RATE_LIMITED", { message });
}

/**
 * Bounds what one address may send at all, malformed bodies included, by the platform's limiter of this location. It has a count of
 * its own there: a busy demo must not keep a whole office from signing in.
 * @throws ApiError 429 with Retry-After.
 */
export async function demoBackstop(c: Context<AppEnv>): Promise<void> {
  const allowed = await isWithinBackstop(c, `demo:${clientAddress(c)}`);
  if (!allowed) heed(c, { allowed: false, retryAfterSeconds: POLICY.windowSeconds });
}

async function count(c: Context<AppEnv>): Promise<AttemptVerdict> {
  const subject = attemptSubject(c.get("config").secrets.current, RULE, clientAddress(c));
  try {
    return await within(countAttempt(openDatabase(c.env.DB), Date.now(), [subject]), D1_TIMEOUT_MS, sleep);
  } catch (error) {
    logLine("error", "demo_count_failed", { request_id: c.get("requestId"), message: failureText(error) });
    throw new ApiError("TEMPORARILY_UNAVAILABLE");
  }
}

/**
 * Counts one look-up of the caller's address, exactly, and tells in `RateLimit` how many are left. Without the database nobody is
 * let through: look-ups that cannot be counted would be a free API.
 * @throws ApiError 429 with Retry-After, 503 when the database cannot count within 500 ms.
 */
export async function countDemo(c: Context<AppEnv>): Promise<void> {
  heed(c, await count(c));
}
