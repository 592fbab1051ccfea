import type { Queue } from "@cloudflare/workers-types";
import { and, eq, isNull, sql } from "drizzle-orm";
import { EMAIL_TOKEN_LIFETIME } from "../../contract/limits.ts";
import { emailTokens, users } from "../../schema.ts";
import type { Database } from "../db.ts";
import { ApiError } from "../api-error.ts";
import { hashToken } from "../mail/email-tokens.ts";
import type { MailMessage } from "../mail/messages.ts";
import { sendNotice } from "../mail/send-notice.ts";
import { newId } from "../random.ts";
import { usableToken } from "./email-verification.ts";
import { hashPassword } from "./password.ts";

/**
 * Sends the owner of an address a link to set a new password. For an address without account the same statements run and a
 * message goes into the queue all the same, so that neither answer nor time tells which it was.
 */
export async function requestPasswordReset(input: {
  readonly db: Database;
  readonly now: number;
  readonly email: string;
  readonly mail: Pick<Queue<MailMessage>, "send">;
  readonly mayMail: boolean;
}): Promise<void> {
  const { db, now, email, mail, mayMail } = input;
  const tokenId = newId("tok");
  const expiresAt = now + EMAIL_TOKEN_LIFETIME.reset_password;
  const [, accounts] = await db.batch([
    // The columns in the order of the schema.
    db.insert(emailTokens).select(sql`
      select ${tokenId}, null, ${users.id}, 'reset_password', null, null, ${expiresAt}, null
      from ${users} where ${users.email} = ${email} and ${mayMail}`),
    db.select({ id: users.id }).from(users).where(eq(users.email, email)),
  ]);
  const userId = mayMail ? (accounts[0]?.id ?? null) : null;
  await mail.send({ user_id: userId, purpose: "reset_password", token_id: tokenId });
}

/** Ends every reset link of an account that has just got this password, for a batch with the change itself. */
export function useUpResetLinks(
  db: Database,
  change: { readonly userId: string; readonly passwordHash: string; readonly now: number },
) {
  const { userId, passwordHash, now } = change;
  return db
    .update(emailTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(emailTokens.userId, userId),
        eq(emailTokens.purpose, "reset_password"),
        isNull(emailTokens.usedAt),
        sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.passwordHash} = ${passwordHash})`,
      ),
    );
}

/**
 * Sets a new password with a token from the mail, once. Ends every session and every other reset link of the account; the address
 * counts as verified, since the mail arrived there.
 * @returns the address of the account
 * @throws ApiError 400 TOKEN_INVALID when it is unknown, used or expired.
 */
export async function executePasswordReset(input: {
  readonly db: Database;
  readonly now: number;
  readonly token: string;
  readonly newPassword: string;
  readonly mail: Pick<Queue<MailMessage>, "send">;
}): Promise<string> {
  const { db, now, token, newPassword, mail } = input;
  const usable = usableToken(hashToken(token), "reset_password", now);
  const found = await db.select({ userId: emailTokens.userId }).from(emailTokens).where(usable).get();
  if (found === undefined) throw new ApiError("TOKEN_INVALID");
  const { userId } = found;
  const passwordHash = await hashPassword(newPassword);
  const [changed] = await db.batch([
    // Hashing took a while: whether the token still holds is decided here, with the change itself.
    db
      .update(users)
      .set({
        passwordHash,
        sessionEpoch: sql`${users.sessionEpoch} + 1`,
        verifiedAt: sql`coalesce(${users.verifiedAt}, ${now})`,
      })
      .where(and(eq(users.id, userId), sql`exists (select 1 from ${emailTokens} where ${usable})`))
      .returning({ email: users.email }),
    useUpResetLinks(db, { userId, passwordHash, now }),
  ]);
  if (changed.length === 0) throw new ApiError("TOKEN_INVALID");
  await sendNotice({ db, mail, now }, { user_id: userId, purpose: "password_changed" });
  return changed[0]!.email;
}
