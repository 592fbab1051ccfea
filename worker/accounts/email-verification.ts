import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { EMAIL_TOKEN_LIFETIME } from "../../contract/limits.ts";
import { emailTokens, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { ApiError } from "../platform/errors.ts";
import { countAccountCall, mayEmail } from "../limits/attempts.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import { hashToken } from "./email-tokens.ts";
import { newId } from "../platform/random.ts";
import type { AccountRow } from "./accounts.ts";
import { NOBODYS_PASSWORD } from "./password.ts";

/** A row of email_tokens that can still be used. */
export function usableToken(hash: string, purpose: "verify_email" | "reset_password", now: number) {
  return and(
    eq(emailTokens.hash, hash),
    eq(emailTokens.purpose, purpose),
    isNull(emailTokens.usedAt),
    gt(emailTokens.expiresAt, now),
  );
}

/**
 * Verifies the address that a token was sent to, once. When the token came from a later registration than the account's own, that
 * registration's name and password take over and every session ends.
 * @returns whether the account has a password to sign in with: not after a mail that says nothing of who registered
 * @throws ApiError 400 TOKEN_INVALID when it is unknown, used or expired.
 */
export async function verifyEmail(io: Io, token: string): Promise<{ readonly passwordHolds: boolean }> {
  const { db, now } = io;
  const usable = usableToken(hashToken(token), "verify_email", now);
  const pending = sql`select ${emailTokens.pendingPasswordHash} from ${emailTokens} where ${usable}`;
  const [[verified], used] = await db.batch([
    db
      .update(users)
      .set({
        verifiedAt: now,
        name: sql`coalesce((select ${emailTokens.pendingName} from ${emailTokens} where ${usable}), ${users.name})`,
        passwordHash: sql`coalesce((${pending}), ${users.passwordHash})`,
        sessionEpoch: sql`${users.sessionEpoch} + ((${pending}) is not null)`,
      })
      .where(
        and(
          isNull(users.verifiedAt),
          sql`${users.id} = (select ${emailTokens.userId} from ${emailTokens} where ${usable})`,
        ),
      )
      .returning({ passwordHash: users.passwordHash }),
    db.update(emailTokens).set({ usedAt: now }).where(usable).returning({ id: emailTokens.id }),
  ]);
  if (used.length === 0) throw new ApiError("TOKEN_INVALID");
  return { passwordHolds: verified?.passwordHash !== NOBODYS_PASSWORD };
}

/**
 * Sends the verification email again.
 * @throws ApiError 409 ALREADY_VERIFIED, 429 after too many, 503 when no email can be sent
 */
export async function resendVerification(io: Io, account: AccountRow): Promise<void> {
  const { db, now, mail } = io;
  mail.require();
  await countAccountCall(io, ATTEMPT_RULES.resendPerAccount, account.id);
  if (account.verifiedAt !== null) throw new ApiError("ALREADY_VERIFIED");
  if (!(await mayEmail(io, account.email))) return;
  const id = newId("tok");
  const expiresAt = now + EMAIL_TOKEN_LIFETIME.verify_email;
  // Where several have registered the address, nobody can tell who asks: this link makes none of their passwords the account's.
  await db.insert(emailTokens).select(sql`
    select ${id}, null, ${account.id}, 'verify_email', null, case when exists (
      select 1 from ${emailTokens} where ${emailTokens.userId} = ${account.id} and ${emailTokens.pendingPasswordHash} is not null
    ) then ${NOBODYS_PASSWORD} end, ${expiresAt}, null
    from ${users} where ${users.id} = ${account.id}`);
  await mail.send({ user_id: account.id, purpose: "verify_email", token_id: id });
}
