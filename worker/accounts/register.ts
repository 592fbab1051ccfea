import { and, eq, or, sql } from "drizzle-orm";
import type { RegisterRequest } from "../../contract/accounts.ts";
import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { emailTokens, registrations, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { mayEmail } from "../limits/attempts.ts";
import { isOwnersSpelling } from "../limits/mailbox.ts";
import { LIMITS } from "../limits/table.ts";
import { batchOf, insertFrom } from "../platform/db.ts";
import { newId } from "../platform/random.ts";
import { HOUR_MS } from "../platform/time.ts";
import { findAccountByEmail, nameFrom } from "./accounts.ts";
import { alreadyRegisteredEmail } from "./emails/already-registered.ts";
import { verificationEmail } from "./emails/verification.ts";
import { hashPassword, NOBODYS_PASSWORD, rejectGuessable } from "./password.ts";
import { requestLink } from "../mail/link-turns.ts";
import { requireMail } from "../mail/queue.ts";

/** How many registrations of an unverified address we keep. */
const PENDING_REGISTRATIONS = 20;

/**
 * Registers an address: a free one becomes an unverified account, an unverified one gets another pending registration,
 * and the owner of a verified one gets an email. All three do equal work, so that nobody learns which it was. Strangers
 * can't replace a registration: one too many isn't kept, and its link asks for a new password.
 * @throws ApiError 400 VALIDATION_FAILED for a password that is easy to guess, 503 when email can't be sent
 */
export async function register(io: Io, { name, email, password, verifier: sent }: RegisterRequest): Promise<void> {
  const { db, now } = io;
  requireMail(io);
  await rejectGuessable(io, "password", password, { email, name });
  // Without another email, an earlier link verifies this registration too, in the browser that it came from.
  const isTaken = Boolean((await findAccountByEmail(db, email))?.verifiedAt);
  const rule = isTaken ? LIMITS.alreadyRegisteredMail : LIMITS.verificationMail;
  const link = await requestLink(io, email);
  // What a flood from elsewhere makes wait uses up no more of a mailbox than strangers may.
  const isOwners = !link.waits && isOwnersSpelling(email, isTaken);
  const { isAllowed, nextAt } = await mayEmail(io, rule, { email, hasAccount: true, isOwners });
  // Before any branch, so each case spends the time of a hash.
  const passwordHash = await hashPassword(password);
  const verifier = sent ?? null;
  const [userId, registrationId, tokenId] = [newId("usr"), newId("reg"), newId("tok")];
  const placeholders = JSON.stringify([newId("tok"), newId("tok"), newId("tok")]);
  const expiresAt = Math.max(nextAt, now + EMAIL_TOKEN_HOURS.verify_email * HOUR_MS);
  const ofUnverified = sql`from ${users} where ${users.email} = ${email} and ${users.verifiedAt} is null`;
  const ofAddress = eq(registrations.userId, sql`(select ${users.id} from ${users} where ${users.email} = ${email})`);
  const count = db
    .select({ count: sql`count(*)` })
    .from(registrations)
    .where(ofAddress);
  const kept = db
    .select({ id: registrations.id })
    .from(registrations)
    .where(and(ofAddress, or(eq(registrations.id, registrationId), sql`${registrations.verifier} = ${verifier}`)));
  const {
    account: [account],
  } = await batchOf(db, {
    opened: db
      .insert(users)
      .values({ id: userId, email, name: nameFrom(email), passwordHash: NOBODYS_PASSWORD, createdAt: now })
      .onConflictDoNothing({ target: users.email }),
    account: db.select({ id: users.id, verifiedAt: users.verifiedAt }).from(users).where(eq(users.email, email)),
    registration: insertFrom(
      db,
      registrations,
      { id: registrationId, userId: users.id, verifier, name, passwordHash, createdAt: now },
      sql`${ofUnverified} and (${count} < ${PENDING_REGISTRATIONS} or exists ${kept})`,
    ).onConflictDoUpdate({
      target: [registrations.userId, registrations.verifier],
      set: {
        name: sql`excluded.name`,
        passwordHash: sql`excluded.password_hash`,
        createdAt: sql`excluded.created_at`,
      },
    }),
    link: insertFrom(
      db,
      emailTokens,
      {
        id: tokenId,
        userId: users.id,
        purpose: "verify_email",
        registrationId: sql`coalesce(${kept}, ${registrationId})`,
        createdAt: now,
        expiresAt,
      },
      sql`${ofUnverified} and ${isAllowed}`,
    ),
    // Placeholder rows for the account, registration, or link that this case has not written: a commit that writes
    // nothing is faster.
    placeholders: insertFrom(
      db,
      emailTokens,
      { id: sql`value`, purpose: "verify_email", createdAt: now, expiresAt },
      sql`from json_each(${placeholders}) limit (
        3 - exists (select 1 from ${users} where ${users.id} = ${userId}) - exists ${kept}
        - exists (select 1 from ${emailTokens} where ${emailTokens.id} = ${tokenId}))`,
    ),
  });
  // A batch is a transaction, and its first statement leaves an account. Emails over the budget are queued for nobody,
  // since budgets differ by case.
  const { id, verifiedAt } = account!;
  const recipient = isAllowed ? id : null;
  if (verifiedAt === null) await link.send(verificationEmail, { user_id: recipient, about: tokenId });
  else await link.send(alreadyRegisteredEmail, { user_id: recipient });
}
