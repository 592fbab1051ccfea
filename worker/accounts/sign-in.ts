import { and, eq } from "drizzle-orm";
import type { LoginRequest } from "../../contract/accounts.ts";
import { users } from "../../schema.ts";
import type { Database } from "../db.ts";
import { ApiError } from "../api-error.ts";
import type { Secrets } from "../config.ts";
import { checkPassword } from "./check-password.ts";
import { findAccountByEmail } from "./find-account.ts";
import { hashPassword, needsRehash } from "./password.ts";
import { issueSession } from "./sessions.ts";
import type { IssuedSession } from "./sessions.ts";

interface SignIn extends LoginRequest {
  readonly db: Database;
  readonly now: number;
  readonly secrets: Secrets;
  readonly address: string;
}

/**
 * Begins a session. A password that was hashed at an older cost is hashed again.
 * @throws ApiError 401 INVALID_CREDENTIALS alike for an unknown email and a wrong password, 403 ACCOUNT_SUSPENDED, 429.
 */
export async function signIn(input: SignIn): Promise<IssuedSession> {
  const { db, now, secrets, email, password } = input;
  const account = await checkPassword({ ...input, find: () => findAccountByEmail(db, email) });
  if (account === null) throw new ApiError("INVALID_CREDENTIALS");
  if (account.suspendedAt !== null) throw new ApiError("ACCOUNT_SUSPENDED");
  if (needsRehash(account.passwordHash)) {
    await db
      .update(users)
      .set({ passwordHash: await hashPassword(password) })
      .where(and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash)));
  }
  return issueSession({ userId: account.id, epoch: account.sessionEpoch }, secrets.current, now);
}
