import type { Io } from "../io.ts";
import { countGuess } from "../limits/attempts.ts";
import { PASSWORD_GUESSES } from "../limits/table.ts";
import type { AccountRow } from "./accounts.ts";
import { NOBODYS_PASSWORD, verifyPassword } from "./password.ts";
import { recordEvent } from "./security-events.ts";

interface PasswordPrompt {
  /** In lowercase, whether or not such an account exists. */
  readonly email: string;
  readonly password: string;
  /** Finds the account; called only for an allowed attempt. */
  readonly find: () => Promise<AccountRow | null>;
}

/**
 * The account if the password matches, else null, with the same work whether or not the account exists. Right and
 * wrong ones are counted before anything is hashed.
 * @throws ApiError 429 with Retry-After after too many.
 */
export async function checkPassword(io: Io, { email, password, find }: PasswordPrompt): Promise<AccountRow | null> {
  const guess = await countGuess(io, PASSWORD_GUESSES, email);
  const account = await find();
  const right = await verifyPassword(password, account?.passwordHash ?? NOBODYS_PASSWORD);
  if (account === null || !right) {
    await guess.wasWrong();
    // Last, so the response never waits for it: it writes more for an account.
    recordEvent(io, account?.id ?? null, "password_failed");
    return null;
  }
  await guess.wasRight();
  return account;
}
