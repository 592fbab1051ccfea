import { and, eq, sql } from "drizzle-orm";
import { users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { countAccountCall } from "../limits/attempts.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import { ApiError } from "../platform/errors.ts";
import { checkPassword } from "./password-check.ts";
import type { AccountRow } from "./accounts.ts";
import { hashPassword } from "./password.ts";
import { voidResetLinks } from "./password-reset.ts";
import { issueSession } from "./sessions.ts";
import type { IssuedSession } from "./sessions.ts";

/** @throws ApiError 400 WRONG_PASSWORD, never a 401, which would sign the user out; 429 after too many. */
export async function confirmPassword(io: Io, account: AccountRow, password: string): Promise<void> {
  const found = await checkPassword(io, { email: account.email, password, find: async () => account });
  if (found === null) throw new ApiError("WRONG_PASSWORD");
}

/**
 * Ends every session of the account, and begins a new one for the caller.
 * @throws ApiError 401 SESSION_EXPIRED when the account is gone by now.
 */
export async function revokeSessions(io: Io, account: AccountRow): Promise<IssuedSession> {
  const { db, now, config } = io;
  const [raised] = await db
    .update(users)
    .set({ sessionEpoch: sql`${users.sessionEpoch} + 1` })
    .where(eq(users.id, account.id))
    .returning({ epoch: users.sessionEpoch });
  if (raised === undefined) throw new ApiError("SESSION_EXPIRED");
  return issueSession({ userId: account.id, epoch: raised.epoch }, config.secrets.sessions.current, now);
}

/**
 * Changes the password, ends every session and every reset link that is under way, and begins a new session for the caller.
 * @throws ApiError as `confirmPassword`; also 429 after too many changes.
 */
export async function changePassword(
  io: Io,
  account: AccountRow,
  { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
): Promise<IssuedSession> {
  const { db, now, config, mail } = io;
  await confirmPassword(io, account, oldPassword);
  await countAccountCall(io, ATTEMPT_RULES.passwordChangePerAccount, account.id);
  const passwordHash = await hashPassword(newPassword);
  const [[changed]] = await db.batch([
    db
      .update(users)
      .set({ passwordHash, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      // Of two changes at once, the second no longer knows the password it was confirmed with.
      .where(and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash)))
      .returning({ epoch: users.sessionEpoch }),
    voidResetLinks(db, { userId: account.id, passwordHash, now }),
  ]);
  if (changed === undefined) throw new ApiError("WRONG_PASSWORD");
  await mail.notify({ user_id: account.id, purpose: "password_changed" });
  return issueSession({ userId: account.id, epoch: changed.epoch }, config.secrets.sessions.current, now);
}
