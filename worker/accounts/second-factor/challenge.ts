import { and, eq, exists, sql } from "drizzle-orm";
import { errors, jwtVerify, SignJWT } from "jose";
import { CHALLENGE_MINUTES } from "../../../contract/limits.ts";
import { signInAttempts } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { attemptSubject } from "../../limits/attempts.ts";
import { CHALLENGE_RULE } from "../../limits/rules.ts";
import { ApiError } from "../../platform/errors.ts";
import { randomBase62 } from "../../platform/random.ts";
import { findAccount } from "../accounts.ts";
import type { AccountRow } from "../accounts.ts";
import { signingKey } from "../sessions.ts";

const ISSUER = "checkline";

/** What a challenge is for: the second step of a login, or a new passkey. */
export type ChallengePurpose = "log-in" | "add-passkey";

/** A challenge that was accepted, and its account. */
export interface Challenge {
  readonly id: string;
  readonly account: AccountRow;
}

/** A challenge: a JWT (HS256) that no session check takes. It ends with the account's sessions, as when the password changes. */
export async function issueChallenge(
  { now, config }: Io,
  purpose: ChallengePurpose,
  { id, sessionEpoch }: AccountRow,
): Promise<string> {
  return new SignJWT({ epoch: sessionEpoch })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(id)
    .setJti(randomBase62(22))
    .setIssuer(ISSUER)
    .setAudience(`checkline-${purpose}`)
    .setExpirationTime(Math.floor(now / 1000) + CHALLENGE_MINUTES * 60)
    .sign(signingKey(config.secrets.sessions.current));
}

async function claimsOf(
  { now, config }: Io,
  purpose: ChallengePurpose,
  token: string,
  secret = config.secrets.sessions.current,
) {
  try {
    const { payload } = await jwtVerify(token, signingKey(secret), {
      algorithms: ["HS256"],
      issuer: ISSUER,
      audience: `checkline-${purpose}`,
      requiredClaims: ["sub", "exp", "jti"],
      currentDate: new Date(now),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** @throws ApiError 400 CHALLENGE_INVALID when it is not ours, has expired or ended; 403 ACCOUNT_SUSPENDED */
export async function readChallenge(io: Io, purpose: ChallengePurpose, token: string): Promise<Challenge> {
  const { retiring } = io.config.secrets.sessions;
  const claims =
    (await claimsOf(io, purpose, token)) ?? (retiring === null ? null : await claimsOf(io, purpose, token, retiring));
  const account = claims === null ? null : await findAccount(io.db, claims.sub!);
  if (claims === null || account === null) throw new ApiError("CHALLENGE_INVALID");
  if (account.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  if (account.sessionEpoch !== claims["epoch"]) throw new ApiError("CHALLENGE_INVALID");
  return { id: claims.jti!, account };
}

/**
 * The statement that uses a challenge up and returns how often that was done, once for the request that was first. `isFirst` says
 * the same to statements after it, in one batch with it.
 * @param condition without which it is not used up
 */
export function spending({ db, now, config }: Io, { id }: Challenge, condition = sql`true`) {
  const { id: subject } = attemptSubject(config.secrets.attempts.current, CHALLENGE_RULE, id);
  const { count } = signInAttempts;
  const spend = db
    .insert(signInAttempts)
    .select(sql`select ${subject}, 1, ${now + CHALLENGE_RULE.window} where ${condition}`)
    .onConflictDoUpdate({ target: signInAttempts.subject, set: { count: sql`${count} + 1` } })
    .returning({ times: count });
  const spentOnce = and(eq(signInAttempts.subject, subject), eq(count, CHALLENGE_RULE.limit));
  return { spend, isFirst: exists(db.select().from(signInAttempts).where(spentOnce)) };
}

/** Uses a challenge up. @throws ApiError 400 CHALLENGE_INVALID when another request was first */
export async function spendChallenge(io: Io, challenge: Challenge): Promise<void> {
  const [spent] = await spending(io, challenge).spend;
  if (spent?.times !== CHALLENGE_RULE.limit) throw new ApiError("CHALLENGE_INVALID");
}
