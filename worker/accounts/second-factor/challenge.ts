import { and, eq, exists, sql } from "drizzle-orm";
import { CHALLENGE_MINUTES } from "../../../contract/limits.ts";
import { signInAttempts } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { attemptSubject } from "../../limits/attempts.ts";
import { LIMITS } from "../../limits/table.ts";
import { insertFrom } from "../../platform/db.ts";
import { ApiError } from "../../platform/errors.ts";
import { randomBase62 } from "../../platform/random.ts";
import { findAccount } from "../accounts.ts";
import type { AccountRow } from "../accounts.ts";
import { readJwt, signJwt } from "../jwt.ts";

/** What a challenge is for: the second step of a login, or a new passkey. */
export type ChallengePurpose = "log-in" | "add-passkey";

/** A challenge that was accepted, and its account. */
export interface Challenge {
  readonly id: string;
  readonly account: AccountRow;
}

/**
 * A challenge: a JWT (HS256) that session checks reject. Invalidated along with the account's sessions, for example by
 * a password change.
 */
export async function issueChallenge(
  { now, config }: Io,
  purpose: ChallengePurpose,
  { id, sessionEpoch }: AccountRow,
): Promise<string> {
  const exp = Math.floor(now / 1000) + CHALLENGE_MINUTES * 60;
  return signJwt(
    purpose,
    { sub: id, jti: randomBase62(22), epoch: sessionEpoch, exp },
    config.secrets.sessions.current,
  );
}

/**
 * @param own the account of the session that sends it; without a session, the challenge says whose it is
 * @throws ApiError 400 CHALLENGE_INVALID when it is not ours, expired, invalidated, or another account's; 403
 * ACCOUNT_SUSPENDED
 */
export async function readChallenge(
  io: Io,
  purpose: ChallengePurpose,
  token: string,
  own?: AccountRow,
): Promise<Challenge> {
  const claims = await readJwt(purpose, token, io.config.secrets.sessions, io.now);
  if (claims === "expired" || claims === "invalid") throw new ApiError("CHALLENGE_INVALID");
  const account = own ?? (await findAccount(io.db, claims.sub));
  if (account?.id !== claims.sub) throw new ApiError("CHALLENGE_INVALID");
  if (account.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  if (account.sessionEpoch !== claims["epoch"]) throw new ApiError("CHALLENGE_INVALID");
  return { id: claims.jti!, account };
}

/**
 * The statement that spends a challenge and returns how often that was done: once for the first request. `isFirst` is
 * the same condition for later statements of the same batch.
 * @param condition spend it only if this holds
 */
export function spending({ db, now, config }: Io, { id }: Challenge, condition = sql`true`) {
  const { id: subject } = attemptSubject(config.secrets.attempts.current, LIMITS.challenge, { challenge: id });
  const { count } = signInAttempts;
  const row = { subject, count: 1, windowEndsAt: now + LIMITS.challenge.window };
  const spend = insertFrom(db, signInAttempts, row, sql`where ${condition}`)
    .onConflictDoUpdate({ target: signInAttempts.subject, set: { count: sql`${count} + 1` } })
    .returning({ times: count });
  const spentOnce = and(eq(signInAttempts.subject, subject), eq(count, LIMITS.challenge.max));
  return { spend, isFirst: exists(db.select().from(signInAttempts).where(spentOnce)) };
}

/** @throws ApiError 400 CHALLENGE_INVALID when another request had spent the challenge before */
export function requireFirst([spent]: Awaited<ReturnType<typeof spending>["spend"]>): void {
  if (spent?.times !== LIMITS.challenge.max) throw new ApiError("CHALLENGE_INVALID");
}

/** Spends a challenge. @throws ApiError as `requireFirst` */
export async function spendChallenge(io: Io, challenge: Challenge): Promise<void> {
  requireFirst(await spending(io, challenge).spend);
}
