import { and, eq, inArray, sql } from "drizzle-orm";
import { emailTokens, sessions, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { countAccountCall, reopenMail } from "../limits/attempts.ts";
import { LIMITS } from "../limits/table.ts";
import { ApiError } from "../platform/errors.ts";
import { requirePassword } from "./confirm-password.ts";
import { endingLinks } from "./email-tokens.ts";
import { passwordChangedEmail } from "./emails/password-changed.ts";
import { hashPassword, rejectGuessable, rejectUnchanged } from "./password.ts";
import { recordEvent } from "./security-events.ts";
import { issueSession } from "./sessions.ts";
import type { IssuedSession, Session } from "./sessions.ts";
import { sendNotice } from "../mail/queue.ts";

/**
 * Changes the password and ends all other sessions, reset links, and a pending change of email. The caller's session
 * continues under a new token.
 * @throws ApiError as `requirePassword`; 400 VALIDATION_FAILED for a password that is easy to guess or unchanged; 429
 * after too many changes; 401 SESSION_EXPIRED when the caller's session has ended in the meantime
 */
export async function changePassword(
  io: Io,
  session: Session,
  { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
): Promise<IssuedSession> {
  const { db, now, config } = io;
  const { account } = session;
  await requirePassword(io, account, oldPassword);
  await rejectGuessable(io, "new_password", newPassword, account);
  if (newPassword.normalize("NFKC") === oldPassword.normalize("NFKC")) rejectUnchanged();
  await countAccountCall(io, LIMITS.passwordChangePerAccount, account.id);
  const passwordHash = await hashPassword(newPassword);
  // The hash is salted, so only this change can have produced it.
  const isChanged = and(eq(users.id, account.id), eq(users.passwordHash, passwordHash));
  const [[changed], [continued]] = await db.batch([
    db
      .update(users)
      .set({ passwordHash, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      // Of two concurrent changes, the second fails: the password it was confirmed with is gone.
      .where(and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash)))
      .returning({ id: users.id }),
    db
      .update(sessions)
      .set({ epoch: sql`${sessions.epoch} + 1`, passwordAt: now })
      .where(
        and(
          eq(sessions.id, session.id),
          sql`exists (select 1 from ${users} where ${isChanged} and ${users.sessionEpoch} = ${sessions.epoch} + 1)`,
        ),
      )
      .returning(),
    endingLinks(
      io,
      account.id,
      and(
        inArray(emailTokens.purpose, ["reset_password", "change_email"]),
        sql`exists (select 1 from ${users} where ${isChanged})`,
      ),
    ),
  ]);
  if (changed === undefined) throw new ApiError("WRONG_PASSWORD");
  recordEvent(io, account.id, "password_changed");
  await reopenMail(io, account.email);
  await sendNotice(io, passwordChangedEmail, { user_id: account.id });
  if (continued === undefined) throw new ApiError("SESSION_EXPIRED");
  return issueSession(continued, config.secrets.sessions.current);
}
