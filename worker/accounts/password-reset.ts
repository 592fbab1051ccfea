import { eq, sql } from "drizzle-orm";
import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { emailTokens, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { forgetGuesses, mayEmail } from "../limits/attempts.ts";
import { ATTEMPT_RULES, PASSWORD_GUESSES } from "../limits/rules.ts";
import { insertFrom } from "../platform/db.ts";
import { newId } from "../platform/random.ts";
import { HOUR_MS } from "../platform/time.ts";
import { nameFrom } from "./accounts.ts";
import { findLink, spendLink } from "./email-tokens.ts";
import { passwordChangedEmail } from "./emails/password-changed.ts";
import { passwordResetEmail } from "./emails/password-reset.ts";
import { recordEvent } from "./security-events.ts";
import { hashPassword, rejectGuessable, rejectUnchanged, verifyPassword } from "./password.ts";

/**
 * Emails the owner of an address a link to set a new password. An address without an account gets the same rows and
 * queue message, so neither the response nor its timing reveals whether the account exists.
 * @throws ApiError 503 when email can't be sent
 */
export async function requestPasswordReset(io: Io, email: string): Promise<void> {
  const { db, now, mail } = io;
  mail.require();
  const isAllowed = await mayEmail(io, ATTEMPT_RULES.resetMailPerAccount, email);
  const tokenId = newId("tok");
  const expiresAt = now + EMAIL_TOKEN_HOURS.reset_password * HOUR_MS;
  const account = sql`(select ${users.id} from ${users} where ${users.email} = ${email})`;
  const [accounts] = await db.batch([
    db.select({ id: users.id }).from(users).where(eq(users.email, email)),
    // Without an account, the row references nothing.
    insertFrom(
      db,
      emailTokens,
      { id: tokenId, userId: account, purpose: "reset_password", expiresAt },
      sql`where ${isAllowed}`,
    ),
  ]);
  const userId = isAllowed ? (accounts[0]?.id ?? null) : null;
  await mail.send(passwordResetEmail, { user_id: userId, about: tokenId });
}

/**
 * Sets a new password with a token from an email, once. Ends all sessions and other links of the account but keeps
 * second factors. An unverified address becomes verified, and loses its name, which a stranger may have chosen.
 * @throws ApiError 400 TOKEN_INVALID when the token is unknown, used, or expired; VALIDATION_FAILED for a password that
 * is easy to guess or unchanged
 */
export async function executePasswordReset(
  io: Io,
  { token, newPassword }: { readonly token: string; readonly newPassword: string },
): Promise<void> {
  const link = await findLink(io, token, "reset_password");
  const { id, email, verifiedAt } = link.account;
  const isVerified = verifiedAt !== null;
  const name = isVerified ? link.account.name : nameFrom(email);
  await rejectGuessable(io, "new_password", newPassword, { email, name });
  if (isVerified && (await verifyPassword(newPassword, link.account.passwordHash))) rejectUnchanged();
  await spendLink(io, link, { name, passwordHash: await hashPassword(newPassword) });
  recordEvent(io, id, "password_reset");
  // The owner of the mailbox is here; guesses at the old password must not lock them out.
  await forgetGuesses(io, PASSWORD_GUESSES, email);
  await io.mail.notify(passwordChangedEmail, { user_id: id });
}
