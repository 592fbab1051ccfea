import { sql } from "drizzle-orm";
import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { emailTokens, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { mayEmail } from "../limits/attempts.ts";
import { LIMITS } from "../limits/table.ts";
import { newId } from "../platform/random.ts";
import { HOUR_MS } from "../platform/time.ts";
import { findAccountByEmail } from "./accounts.ts";
import { findLink, spendLink } from "./email-tokens.ts";
import { passwordChangedEmail } from "./emails/password-changed.ts";
import { passwordResetEmail } from "./emails/password-reset.ts";
import { recordEvent } from "./security-events.ts";
import { hashPassword, rejectGuessable, rejectUnchanged, verifyPassword } from "./password.ts";
import { requireMail, sendMail, sendNotice } from "../mail/queue.ts";

/**
 * Emails the owner of an address a link to set a new password. An address without an account gets the same rows and
 * queue message, so neither the response nor its timing reveals whether the account exists.
 * @throws ApiError 503 when email can't be sent
 */
export async function requestPasswordReset(io: Io, email: string): Promise<void> {
  const { db, now } = io;
  requireMail(io);
  const account = await findAccountByEmail(db, email);
  const isOwners = Boolean(account?.verifiedAt);
  const { isAllowed, nextAt } = await mayEmail(io, LIMITS.resetMail, { email, hasAccount: account !== null, isOwners });
  const tokenId = newId("tok");
  const expiresAt = Math.max(nextAt, now + EMAIL_TOKEN_HOURS.reset_password * HOUR_MS);
  // Without an account, or over the budget, the row references nothing.
  const userId = sql`(select ${users.id} from ${users} where ${users.email} = ${email} and ${isAllowed})`;
  await db.insert(emailTokens).values({ id: tokenId, userId, purpose: "reset_password", createdAt: now, expiresAt });
  await sendMail(io, passwordResetEmail, { user_id: isAllowed ? (account?.id ?? null) : null, about: tokenId });
}

/**
 * Sets a new password with a token from an email, once. Ends all sessions and other links of the account but keeps
 * second factors. The address becomes verified, since the email arrived there; no pending registration takes effect.
 * @throws ApiError 400 TOKEN_INVALID when the token is unknown, used, or expired; VALIDATION_FAILED for a password that
 * is easy to guess or unchanged
 */
export async function executePasswordReset(
  io: Io,
  { token, newPassword }: { readonly token: string; readonly newPassword: string },
): Promise<void> {
  const link = await findLink(io, token, "reset_password");
  const { id, passwordHash } = link.account;
  await rejectGuessable(io, "new_password", newPassword, link.account);
  if (await verifyPassword(newPassword, passwordHash)) rejectUnchanged();
  await spendLink(io, link, { passwordHash: await hashPassword(newPassword) });
  recordEvent(io, id, "password_reset");
  await sendNotice(io, passwordChangedEmail, { user_id: id });
}
