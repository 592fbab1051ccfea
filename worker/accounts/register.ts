import { desc, eq, sql } from "drizzle-orm";
import type { RegisterRequest } from "../../contract/accounts.ts";
import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { emailTokens, registrations, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { mayEmail } from "../limits/attempts.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import { insertFrom } from "../platform/db.ts";
import { newId } from "../platform/random.ts";
import { HOUR_MS } from "../platform/time.ts";
import { alreadyRegisteredEmail } from "./emails/already-registered.ts";
import { verificationEmail } from "./emails/verification.ts";
import { hashPassword, rejectGuessable } from "./password.ts";

/** How many registrations of an unverified address we keep. */
const PENDING_REGISTRATIONS = 5;

/**
 * Registers an address: a free one becomes an unverified account, an unverified one gets another pending registration,
 * and the owner of a verified one an email that the account exists. All three run the same statements, write as many
 * rows, and take the same time.
 * @throws ApiError 400 VALIDATION_FAILED for a password that is easy to guess, 503 when email can't be sent
 */
export async function register(io: Io, { name, email, password, verifier: sent }: RegisterRequest): Promise<void> {
  const { db, now, mail } = io;
  mail.require();
  await rejectGuessable(io, "password", password, { email, name });
  // Without another email, an earlier link verifies this registration too, in the browser that it came from.
  const isAllowed = await mayEmail(io, ATTEMPT_RULES.verificationMailPerAccount, email);
  // Before any branch, so each case spends the time of a hash.
  const passwordHash = await hashPassword(password);
  const verifier = sent ?? null;
  const [tokenId, registrationId] = [newId("tok"), newId("reg")];
  const placeholders = JSON.stringify([newId("tok"), newId("tok"), newId("tok")]);
  const expiresAt = now + EMAIL_TOKEN_HOURS.verify_email * HOUR_MS;
  const isUnverified = sql`${users.email} = ${email} and ${users.verifiedAt} is null`;
  // The hash is salted, so only an account created a moment ago can have it.
  const unlessAccounts = (value: string) =>
    sql`case when ${users.passwordHash} = ${passwordHash} then null else ${value} end`;
  const newest = db
    .select({ id: registrations.id })
    .from(registrations)
    .innerJoin(users, eq(users.id, registrations.userId))
    .where(eq(users.email, email))
    .orderBy(desc(registrations.createdAt), desc(sql`${registrations}.rowid`))
    .limit(PENDING_REGISTRATIONS);
  const [, [account]] = await db.batch([
    db
      .insert(users)
      .values({ id: newId("usr"), email, name, passwordHash, createdAt: now })
      .onConflictDoNothing({ target: users.email }),
    db.select({ id: users.id, verifiedAt: users.verifiedAt }).from(users).where(eq(users.email, email)),
    insertFrom(
      db,
      registrations,
      {
        id: registrationId,
        userId: users.id,
        verifier,
        name: unlessAccounts(name),
        passwordHash: unlessAccounts(passwordHash),
        createdAt: now,
      },
      sql`from ${users} where ${isUnverified}`,
    ).onConflictDoUpdate({
      target: [registrations.userId, registrations.verifier],
      set: {
        name: sql`excluded.name`,
        passwordHash: sql`excluded.password_hash`,
        createdAt: sql`excluded.created_at`,
      },
    }),
    db.delete(registrations).where(sql`
      ${registrations.userId} = (select ${users.id} from ${users} where ${users.email} = ${email})
      and ${registrations.id} not in (${newest})`),
    insertFrom(
      db,
      emailTokens,
      { id: tokenId, userId: users.id, purpose: "verify_email", registrationId: registrations.id, expiresAt },
      sql`from ${users} join ${registrations} on ${registrations.userId} = ${users.id}
        and (${registrations.id} = ${registrationId} or ${registrations.verifier} = ${verifier})
        where ${isUnverified} and ${isAllowed}`,
    ),
    // Placeholder rows for the account, registration, or link that this case has not created: a commit that writes
    // nothing is faster.
    insertFrom(
      db,
      emailTokens,
      { id: sql`value`, purpose: "verify_email", expiresAt },
      sql`from json_each(${placeholders}) limit (
        select case when ${users.verifiedAt} is null then ${users.passwordHash} <> ${passwordHash} else 2 + ${isAllowed} end
        from ${users} where ${users.email} = ${email})`,
    ),
  ]);
  if (!isAllowed) return;
  // A batch is a transaction, and its first statement leaves an account.
  const { id, verifiedAt } = account!;
  if (verifiedAt === null) await mail.send(verificationEmail, { user_id: id, about: tokenId });
  else await mail.send(alreadyRegisteredEmail, { user_id: id });
}
