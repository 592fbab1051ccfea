import type { Context } from "hono";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { attemptSubject, countAttempt } from "../limits/attempts.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import type { AttemptRule } from "../limits/rules.ts";
import { failureText, logLine } from "../log.ts";
import { clientAddress } from "./client-address.ts";
import { ApiError, tooManyAttempts } from "../api-error.ts";

/** How long a caller waits whom the platform's own limiter refuses: its window, in seconds. */
const BACKSTOP_WINDOW = 60;

/**
 * Refuses a caller's address that has made too many attempts of a kind, before anything costly is done for it: first by the
 * platform's limiter of this location, then by the exact count in the database.
 * @throws ApiError 429 with Retry-After.
 */
export async function limitAddress(c: Context<AppEnv>, rule: AttemptRule): Promise<void> {
  const address = clientAddress(c);
  await backstop(c);
  const subject = attemptSubject(c.get("config").secrets.current, rule, address);
  const verdict = await countAttempt(openDatabase(c.env.DB), Date.now(), [subject]);
  if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
}

/** What the platform's limiter says. It is a second opinion: when it fails, our own limits stand. */
export async function isWithinBackstop(c: Context<AppEnv>, key: string): Promise<boolean> {
  try {
    return (await c.env.BACKSTOP.limit({ key })).success;
  } catch (error) {
    logLine("warn", "backstop_failed", { message: failureText(error) });
    return true;
  }
}

/** The platform's limiter, by address, for what costs us a look-up or a hash. */
export async function backstop(c: Context<AppEnv>, what: "accounts" | "keys" = "accounts"): Promise<void> {
  const allowed = await isWithinBackstop(c, `${what}:${clientAddress(c)}`);
  if (!allowed) throw new ApiError("RATE_LIMITED", { headers: { "Retry-After": String(BACKSTOP_WINDOW) } });
}

/** Whether another mail may go to this address now. Refusing is silent: the asker need not be the owner. */
export async function mayMail(c: Context<AppEnv>, email: string): Promise<boolean> {
  const subject = attemptSubject(c.get("config").secrets.current, ATTEMPT_RULES.mailPerAccount, email);
  return (await countAttempt(openDatabase(c.env.DB), Date.now(), [subject])).allowed;
}
