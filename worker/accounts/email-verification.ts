import { desc, eq, sql } from "drizzle-orm";
import type { VerifyRegistrationRequest } from "../../contract/accounts.ts";
import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { emailTokens, registrations, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { mayEmail } from "../limits/attempts.ts";
import { isOwnersSpelling } from "../limits/mailbox.ts";
import { LIMITS } from "../limits/table.ts";
import { insertFrom } from "../platform/db.ts";
import { ApiError, validationFailed } from "../platform/errors.ts";
import { sha256Hex } from "../platform/hash.ts";
import { newId } from "../platform/random.ts";
import { HOUR_MS } from "../platform/time.ts";
import { findAccountByEmail } from "./accounts.ts";
import { findLink, spendLink } from "./email-tokens.ts";
import type { Link } from "./email-tokens.ts";
import { alreadyRegisteredEmail } from "./emails/already-registered.ts";
import { verificationEmail } from "./emails/verification.ts";
import { hashPassword, rejectGuessable, verifyPassword } from "./password.ts";
import { requestLink } from "../mail/link-turns.ts";
import { requireMail } from "../mail/queue.ts";

type Registration = typeof registrations.$inferSelect;

async function pendingOf({ db }: Io, { account }: Link): Promise<Registration[]> {
  return db.select().from(registrations).where(eq(registrations.userId, account.id));
}

/** What an account takes over from the registration that proved to be its owner's. */
function taken({ name, passwordHash }: Registration): { readonly name: string; readonly passwordHash: string } {
  return { name, passwordHash };
}

/**
 * Verifies the address that a token was sent to, for programs that have only the token. This proves access to the
 * mailbox, not who registered: with several registrations pending, none takes effect.
 * @returns whether the account has a password to log in with
 * @throws ApiError 400 TOKEN_INVALID when the token is unknown, used, or expired
 */
export async function verifyEmail(io: Io, token: string): Promise<{ readonly passwordHolds: boolean }> {
  const link = await findLink(io, token, "verify_email");
  const [first, ...others] = await pendingOf(io, link);
  const only = others.length === 0 ? first : undefined;
  await spendLink(io, link, only && taken(only));
  return { passwordHolds: only !== undefined };
}

/** @throws ApiError 400 VALIDATION_FAILED for more than one proof, or a new password without a name */
function checkProofs({ nonce, password, new_password, name }: VerifyRegistrationRequest): void {
  const proofs = Object.entries({ nonce, password, new_password }).filter(([, value]) => value !== undefined);
  const [, ...surplus] = proofs.map(([field]) => [field, "Send only one of nonce, password and new_password"] as const);
  const fields = {
    ...Object.fromEntries(surplus),
    ...(name === undefined && new_password !== undefined && { name: "Name is required" }),
    ...(name !== undefined && new_password === undefined && { name: "Only allowed with new_password" }),
  };
  if (Object.keys(fields).length > 0) throw validationFailed(fields);
}

/**
 * Verifies the address that a token was sent to, and hands the account to the person who opened the link. The proof is
 * one of: the registration from the same browser, whichever email the link is from; the password of the registration
 * that the link was sent for; or a new password. A rejected request leaves the link usable.
 * @throws ApiError 400 TOKEN_INVALID, WRONG_PASSWORD or VALIDATION_FAILED, 403 REGISTERED_ELSEWHERE without a proof
 * @returns the address
 */
export async function verifyRegistration(
  io: Io,
  input: VerifyRegistrationRequest,
): Promise<{ readonly email: string }> {
  checkProofs(input);
  const link = await findLink(io, input.token, "verify_email");
  await spendLink(io, link, await provenBy(io, link, input));
  return { email: link.account.email };
}

/** The name and password of the registration that the request proves to be the caller's. @throws as `verifyRegistration` */
async function provenBy(
  io: Io,
  link: Link,
  { nonce, password, new_password: newPassword, name }: VerifyRegistrationRequest,
): Promise<Parameters<typeof spendLink>[2]> {
  if (newPassword !== undefined && name !== undefined) {
    await rejectGuessable(io, "new_password", newPassword, { email: link.account.email, name });
    return { name, passwordHash: await hashPassword(newPassword) };
  }
  const pending = await pendingOf(io, link);
  if (password === undefined) {
    // Compare only a real nonce: a stranger could have registered the hash of any placeholder.
    const own = nonce && pending.find(({ verifier }) => verifier === sha256Hex(nonce));
    if (!own) throw new ApiError("REGISTERED_ELSEWHERE");
    return taken(own);
  }
  const own = pending.find(({ id }) => id === link.registrationId);
  if (own === undefined || !(await verifyPassword(password, own.passwordHash))) {
    const message =
      "That password doesn't match this link. If you have another verification email, try its link, or reset your password.";
    throw new ApiError("WRONG_PASSWORD", { message });
  }
  return taken(own);
}

/**
 * Sends the email of a registration again: another link, or to a verified address that its account exists. Any other
 * address gets the same rows and queue message, so neither the response nor its timing reveals which it was.
 * @throws ApiError 503 when email can't be sent
 */
export async function resendVerification(io: Io, email: string): Promise<void> {
  const { db, now } = io;
  requireMail(io);
  const account = await findAccountByEmail(db, email);
  const rule = account?.verifiedAt ? LIMITS.alreadyRegisteredMail : LIMITS.verificationMail;
  const link = await requestLink(io, email);
  const isOwners = !link.waits && isOwnersSpelling(email, Boolean(account?.verifiedAt));
  const { isAllowed, nextAt } = await mayEmail(io, rule, { email, hasAccount: account !== null, isOwners });
  const id = newId("tok");
  const expiresAt = Math.max(nextAt, now + EMAIL_TOKEN_HOURS.verify_email * HOUR_MS);
  // The newest registration is probably the caller's. In the browser of another one, its nonce works all the same.
  const newest = db
    .select({ id: registrations.id })
    .from(registrations)
    .where(eq(registrations.userId, users.id))
    .orderBy(desc(registrations.createdAt), desc(sql`${registrations}.rowid`))
    .limit(1);
  await insertFrom(
    db,
    emailTokens,
    { id, userId: users.id, purpose: "verify_email", registrationId: sql`${newest}`, createdAt: now, expiresAt },
    // Without an unverified account, or over the budget, the row references nothing.
    sql`from (select 1) left join ${users} on ${users.email} = ${email} and ${users.verifiedAt} is null
      and ${isAllowed}`,
  );
  const userId = isAllowed ? (account?.id ?? null) : null;
  if (account?.verifiedAt) await link.send(alreadyRegisteredEmail, { user_id: userId });
  else await link.send(verificationEmail, { user_id: userId, about: id });
}
