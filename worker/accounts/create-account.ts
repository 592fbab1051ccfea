import { emailTokens, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { AdministrationError } from "../platform/errors.ts";
import { newId, randomBase62 } from "../platform/random.ts";
import { DAY_MS } from "../platform/time.ts";
import { findAccountByEmail, nameFrom } from "./accounts.ts";
import { hashToken } from "./email-tokens.ts";
import { NOBODYS_PASSWORD } from "./password.ts";

/** How long an operator's link works, in milliseconds. */
const LINK_LIFETIME_MS = DAY_MS;

/**
 * Creates an account for an operator when no email can be sent. An unverified address gets another link.
 * @returns the token of a link that sets the password and verifies the address. It works once, within a day.
 * @throws AdministrationError ACCOUNT_EXISTS for a verified address
 */
export async function createAccountWithLink({ db, now }: Io, email: string): Promise<string> {
  await db
    .insert(users)
    .values({ id: newId("usr"), email, name: nameFrom(email), passwordHash: NOBODYS_PASSWORD, createdAt: now })
    .onConflictDoNothing({ target: users.email });
  const account = await findAccountByEmail(db, email);
  if (account === null || account.verifiedAt !== null) {
    throw new AdministrationError("ACCOUNT_EXISTS", `There's already an account with email ${email}.`);
  }
  const token = randomBase62(43);
  await db.insert(emailTokens).values({
    id: newId("tok"),
    hash: hashToken(token),
    userId: account.id,
    purpose: "reset_password",
    createdAt: now,
    expiresAt: now + LINK_LIFETIME_MS,
  });
  return token;
}
