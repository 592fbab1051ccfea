import { eq, inArray, sql } from "drizzle-orm";
import { emailTokens, sessions, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { countAccountCall, reopenMail } from "../limits/attempts.ts";
import { LIMITS } from "../limits/table.ts";
import { change } from "./change.ts";
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
 * after too many changes; as `change`, also for the second of two concurrent changes
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
  const [, [continued]] = await change(io, session, [
    db
      .update(users)
      .set({ passwordHash, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      .where(eq(users.id, account.id)),
    db
      .update(sessions)
      .set({ epoch: sql`${sessions.epoch} + 1`, passwordAt: now })
      .where(eq(sessions.id, session.id))
      .returning(),
    endingLinks(io, account.id, inArray(emailTokens.purpose, ["reset_password", "change_email"])),
  ]);
  recordEvent(io, account.id, "password_changed");
  await reopenMail(io, account.email);
  await sendNotice(io, passwordChangedEmail, { user_id: account.id });
  return issueSession(continued!, config.secrets.sessions.current);
}
