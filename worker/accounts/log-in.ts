import { and, eq } from "drizzle-orm";
import type { LoginRequest } from "../../contract/accounts.ts";
import { users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { ApiError } from "../platform/errors.ts";
import { checkPassword } from "./password-check.ts";
import { findAccountByEmail } from "./accounts.ts";
import { hashPassword, needsRehash } from "./password.ts";
import { beginSession } from "./sessions.ts";
import type { Device, IssuedSession } from "./sessions.ts";

/**
 * Begins a session. A password that was hashed at an older cost is hashed again.
 * @throws ApiError 401 INVALID_CREDENTIALS alike for an unknown email and a wrong password, 403 ACCOUNT_SUSPENDED, 429.
 */
export async function logIn(io: Io, { email, password }: LoginRequest, device: Device): Promise<IssuedSession> {
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
  return beginSession(io, account, device);
}
