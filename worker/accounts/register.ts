import { desc, eq, sql } from "drizzle-orm";
import type { RegisterRequest } from "../../contract/accounts.ts";
import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { emailTokens, registrations, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { mayEmail } from "../limits/attempts.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import { newId } from "../platform/random.ts";
import { HOUR_MS } from "../platform/time.ts";
import { alreadyRegisteredEmail } from "./emails/already-registered.ts";
import { verificationEmail } from "./emails/verification.ts";
import { hashPassword, rejectGuessable } from "./password.ts";

/** How many registrations of an unverified address we keep. */
const PENDING_REGISTRATIONS = 5;

/**
 * Registers an address and emails its owner. All three cases run the same statements, write as many rows, and take the
 * same time. A free address becomes an unverified account. An unverified one gets another pending registration, which
 * takes effect only if that one is verified. The owner of a verified one gets an email that the account exists. A
 * registration is kept even if the address has used up this hour's emails: each link confirms it in the browser it came
 * from.
 * @throws ApiError 400 VALIDATION_FAILED for a password that is easy to guess, 503 when email can't be sent
 */
export async function register(io: Io, { name, email, password, verifier: sent }: RegisterRequest): Promise<void> {
  const { db, now, mail } = io;
  mail.require();
  await rejectGuessable(io, "password", password, { email, name });
  const isAllowed = await mayEmail(io, ATTEMPT_RULES.verificationMailPerAccount, email);
  // Before any branch, so each case spends the time of a hash.
  const passwordHash = await hashPassword(password);
  const verifier = sent ?? null;
  const [tokenId, registrationId] = [newId("tok"), newId("reg")];
  const decoys = JSON.stringify([newId("tok"), newId("tok"), newId("tok")]);
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
  const [, , , , , account] = await db.batch([
    db
      .insert(users)
      .values({ id: newId("usr"), email, name, passwordHash, createdAt: now })
      .onConflictDoNothing({ target: users.email }),
    // Columns in schema order, here and below.
    db
      .insert(registrations)
      .select(sql`
        select ${registrationId}, ${users.id}, ${verifier}, ${unlessAccounts(name)}, ${unlessAccounts(passwordHash)}, ${now}
        from ${users} where ${isUnverified}`)
      .onConflictDoUpdate({
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
    db.insert(emailTokens).select(sql`
      select ${tokenId}, null, ${users.id}, 'verify_email', ${registrations.id}, ${expiresAt}, null
      from ${users} join ${registrations} on ${registrations.userId} = ${users.id}
      and (${registrations.id} = ${registrationId} or ${registrations.verifier} = ${verifier})
      where ${isUnverified} and ${isAllowed}`),
    // Placeholder rows for the account, registration, or link that this case has not created: a commit that writes
    // nothing is faster.
    db.insert(emailTokens).select(sql`
      select value, null, null, 'verify_email', null, ${expiresAt}, null from json_each(${decoys}) limit
      (select case when ${users.verifiedAt} is not null then 2 + ${isAllowed} else ${users.passwordHash} <> ${passwordHash} end
      from ${users} where ${users.email} = ${email})`),
    db.select({ id: users.id, verifiedAt: users.verifiedAt }).from(users).where(eq(users.email, email)),
  ]);
  // Missing only if it was deleted concurrently.
  if (!isAllowed || account[0] === undefined) return;
  const { id, verifiedAt } = account[0];
  if (verifiedAt === null) await mail.send(verificationEmail, { user_id: id, about: tokenId });
  else await mail.send(alreadyRegisteredEmail, { user_id: id });
}
