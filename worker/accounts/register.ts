import { eq, sql } from "drizzle-orm";
import type { RegisterRequest } from "../../contract/accounts.ts";
import { EMAIL_TOKEN_LIFETIME } from "../../contract/limits.ts";
import { emailTokens, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { mayEmail } from "../limits/attempts.ts";
import { newId } from "../platform/random.ts";
import { hashPassword } from "./password.ts";

/**
 * Registers an address and sends its owner an email. All three cases take the same statements and the same time: a free address
 * becomes an unverified account; for an unverified account the new token carries this registration's own name and password, which
 * take effect only with it; the owner of a verified one gets an email that the account exists. An address that has had its emails
 * of this hour changes nothing.
 * @throws ApiError 503 when no email can be sent
 */
export async function register(io: Io, { name, email, password }: RegisterRequest): Promise<void> {
  const { db, now, mail } = io;
  mail.require();
  const isAllowed = await mayEmail(io, email);
  // Before anything is decided, so that each case takes the time of a hash.
  const passwordHash = await hashPassword(password);
  if (!isAllowed) return;
  const tokenId = newId("tok");
  const expiresAt = now + EMAIL_TOKEN_LIFETIME.verify_email;
  // The hash is salted, so an account has this very one only when it was made a moment ago and has nothing pending.
  const ifPending = (value: string) =>
    sql`case when ${users.passwordHash} = ${passwordHash} then null else ${value} end`;
  const [, , account] = await db.batch([
    db
      .insert(users)
      .values({ id: newId("usr"), email, name, passwordHash, createdAt: now })
      .onConflictDoNothing({ target: users.email }),
    // The columns in the order of the schema.
    db.insert(emailTokens).select(sql`
      select ${tokenId}, null, ${users.id}, 'verify_email', ${ifPending(name)}, ${ifPending(passwordHash)}, ${expiresAt}, null
      from ${users} where ${users.email} = ${email} and ${users.verifiedAt} is null`),
    db.select({ id: users.id, verifiedAt: users.verifiedAt }).from(users).where(eq(users.email, email)),
  ]);
  // Gone only if it was deleted at this very moment.
  if (account[0] === undefined) return;
  const { id, verifiedAt } = account[0];
  await mail.send(
    verifiedAt === null
      ? { user_id: id, purpose: "verify_email", token_id: tokenId }
      : { user_id: id, purpose: "already_registered" },
  );
}
