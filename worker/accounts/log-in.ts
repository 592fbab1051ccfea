import { and, eq } from "drizzle-orm";
import type { LoginRequest } from "../../contract/accounts.ts";
import { users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { ApiError } from "../platform/errors.ts";
import { checkPassword } from "./password-check.ts";
import { findAccountByEmail } from "./accounts.ts";
import { hashPassword, needsRehash } from "./password.ts";
import { requireSecondFactor } from "./second-factor/second-step.ts";
import { beginSession } from "./sessions.ts";
import type { IssuedSession } from "./sessions.ts";

/**
 * Starts a session, or returns a challenge for `finishLogIn` if the account has a second factor. Rehashes a password
 * that was hashed at an older cost.
 * @throws ApiError 401 INVALID_CREDENTIALS for an unknown email, an unverified one, whose account has no password yet,
 * and a wrong password alike, SECOND_FACTOR_REQUIRED with a challenge, 403 ACCOUNT_SUSPENDED, 429.
 */
export async function logIn(io: Io, { email, password }: LoginRequest): Promise<IssuedSession> {
  const { db } = io;
  const account = await checkPassword(io, { email, password, find: () => findAccountByEmail(db, email) });
  if (account === null) throw new ApiError("INVALID_CREDENTIALS");
  if (account.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  if (needsRehash(account.passwordHash)) {
    await db
      .update(users)
      .set({ passwordHash: await hashPassword(password) })
      .where(and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash)));
  }
  await requireSecondFactor(io, account);
  return beginSession(io, account);
}
