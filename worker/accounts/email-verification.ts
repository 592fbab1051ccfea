import { eq, sql } from "drizzle-orm";
import type { VerifyRegistrationRequest } from "../../contract/accounts.ts";
import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { emailTokens, registrations, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { countAccountCall, mayEmail } from "../limits/attempts.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import { ApiError, validationFailed } from "../platform/errors.ts";
import { sha256Hex } from "../platform/hash.ts";
import { newId } from "../platform/random.ts";
import { HOUR_MS } from "../platform/time.ts";
import { nameFrom } from "./accounts.ts";
import type { AccountRow } from "./accounts.ts";
import { findLink, spendLink } from "./email-tokens.ts";
import type { Link } from "./email-tokens.ts";
import { hashPassword, NOBODYS_PASSWORD, refuseGuessable, verifyPassword } from "./password.ts";

type Registration = typeof registrations.$inferSelect;

async function pendingOf({ db }: Io, { account }: Link): Promise<Registration[]> {
  return db.select().from(registrations).where(eq(registrations.userId, account.id));
}

/** The registration that made the account, once it is no longer pending: another one of its browser or newer ones took its place. */
const FIRST = { name: null, passwordHash: null };

/** What an account takes over from a registration: nothing from the one that made it. */
function taken({ name, passwordHash }: Pick<Registration, "name" | "passwordHash">): {
  readonly name?: string;
  readonly passwordHash?: string;
} {
  return { ...(name !== null && { name }), ...(passwordHash !== null && { passwordHash }) };
}

/**
 * Verifies the address that a token was sent to, for programs that know nothing but the token. That proves the mailbox, and nothing
 * of who registered: with several registrations pending, none of them takes effect.
 * @returns whether the account has a password to log in with
 * @throws ApiError 400 TOKEN_INVALID when it is unknown, used or expired
 */
export async function verifyEmail(io: Io, token: string): Promise<{ readonly passwordHolds: boolean }> {
  const link = await findLink(io, token, "verify_email");
  const pending = await pendingOf(io, link);
  const [only] = pending;
  if (pending.length > 1) {
    await spendLink(io, link, { name: nameFrom(link.account.email), passwordHash: NOBODYS_PASSWORD });
    return { passwordHolds: false };
  }
  await spendLink(io, link, only === undefined ? {} : taken(only));
  return { passwordHolds: true };
}

/** @throws ApiError 400 VALIDATION_FAILED unless there is one proof at most, and a name where the password is new */
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
 * Verifies the address that a token was sent to, and gives the account to the person who opened the link: by the registration that
 * came from the same browser, whichever email the link is from; by the one whose password the link was sent for; or by a new password.
 * A refusal leaves the link as it was.
 * @throws ApiError 400 TOKEN_INVALID, WRONG_PASSWORD or VALIDATION_FAILED, 403 REGISTERED_ELSEWHERE without a proof
 */
export async function verifyRegistration(io: Io, input: VerifyRegistrationRequest): Promise<void> {
  checkProofs(input);
  const { token, nonce, password, new_password: newPassword, name } = input;
  const link = await findLink(io, token, "verify_email");
  if (newPassword !== undefined && name !== undefined) {
    await refuseGuessable(io, "new_password", newPassword, { email: link.account.email, name });
    return spendLink(io, link, { name, passwordHash: await hashPassword(newPassword) });
  }
  const pending = await pendingOf(io, link);
  if (password === undefined) {
    // Without a nonce nothing is compared: a stranger could have registered the hash of any stand-in.
    const own = nonce && pending.find(({ verifier }) => verifier === sha256Hex(nonce));
    if (!own) throw new ApiError("REGISTERED_ELSEWHERE");
    return spendLink(io, link, taken(own));
  }
  const own = link.registrationId === null ? FIRST : pending.find(({ id }) => id === link.registrationId);
  if (own === undefined || !(await verifyPassword(password, own.passwordHash ?? link.account.passwordHash))) {
    const message =
      "That password doesn't match this link. If you have another verification email, try its link, or reset your password.";
    throw new ApiError("WRONG_PASSWORD", { message });
  }
  return spendLink(io, link, taken(own));
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
  if (!(await mayEmail(io, ATTEMPT_RULES.verificationMailPerAccount, account.email))) return;
  const id = newId("tok");
  const expiresAt = now + EMAIL_TOKEN_HOURS.verify_email * HOUR_MS;
  // The session began with the account's own password: that of the registration without one or, if that is gone, of none.
  await db.insert(emailTokens).select(sql`
    select ${id}, null, ${users.id}, 'verify_email', ${registrations.id}, ${expiresAt}, null
    from ${users} left join ${registrations}
    on ${registrations.userId} = ${users.id} and ${registrations.passwordHash} is null
    where ${users.id} = ${account.id} and ${users.verifiedAt} is null`);
  await mail.send({ user_id: account.id, purpose: "verify_email", token_id: id });
}
