import { and, eq, isNull, sql } from "drizzle-orm";
import { EMAIL_TOKEN_LIFETIME } from "../../contract/limits.ts";
import { emailTokens, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { attemptSubject, mark, mayEmail } from "../limits/attempts.ts";
import { KNOWN_ADDRESS } from "../limits/rules.ts";
import type { Database } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { hashToken } from "./email-tokens.ts";
import { newId } from "../platform/random.ts";
import { usableToken } from "./email-verification.ts";
import { hashPassword } from "./password.ts";

/**
 * Sends the owner of an address a link to set a new password. For an address without an account the same statements run and a
 * message goes into the queue all the same, so that neither the response nor its time reveals which it was.
 * @throws ApiError 503 when no email can be sent
 */
export async function requestPasswordReset(io: Io, email: string): Promise<void> {
  const { db, now, mail } = io;
  mail.require();
  const isAllowed = await mayEmail(io, email);
  const tokenId = newId("tok");
  const expiresAt = now + EMAIL_TOKEN_LIFETIME.reset_password;
  const [, accounts] = await db.batch([
    // The columns in the order of the schema.
    db.insert(emailTokens).select(sql`
      select ${tokenId}, null, ${users.id}, 'reset_password', null, null, ${expiresAt}, null
      from ${users} where ${users.email} = ${email} and ${isAllowed}`),
    db.select({ id: users.id }).from(users).where(eq(users.email, email)),
  ]);
  const userId = isAllowed ? (accounts[0]?.id ?? null) : null;
  await mail.send({ user_id: userId, purpose: "reset_password", token_id: tokenId });
}

/** Ends every reset link of an account that has just got this password, for a batch with the change itself. */
export function voidResetLinks(
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
 * @throws ApiError 400 TOKEN_INVALID when it is unknown, used or expired.
 */
export async function executePasswordReset(
  io: Io,
  { token, newPassword }: { readonly token: string; readonly newPassword: string },
): Promise<void> {
  const { db, now, mail, config, address } = io;
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
    voidResetLinks(db, { userId, passwordHash, now }),
  ]);
  const email = changed[0]?.email;
  if (email === undefined) throw new ApiError("TOKEN_INVALID");
  await mail.notify({ user_id: userId, purpose: "password_changed" });
  // The reader of the owner's email is the owner: guessers cannot lock this address out.
  await mark(db, now, attemptSubject(config.secrets.attempts.current, KNOWN_ADDRESS, email, address));
}
