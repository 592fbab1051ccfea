import type { Io } from "../io.ts";
import { attemptSubject, countAttempt, isMarked, mark, refundAttempt } from "../limits/attempts.ts";
import { ATTEMPT_RULES, KNOWN_ADDRESS } from "../limits/rules.ts";
import { tooManyAttempts } from "../platform/errors.ts";
import type { AccountRow } from "./accounts.ts";
import { NOBODYS_PASSWORD, verifyPassword } from "./password.ts";

interface PasswordPrompt {
  /** In lower case, whether or not there is such an account. */
  readonly email: string;
  readonly password: string;
  /** Finds the account; called only once the attempt is allowed. */
  readonly find: () => Promise<AccountRow | null>;
}

/**
 * The account if the password is its own, else null, in the same time whether or not there is such an account. Failures are
 * counted before anything is hashed; an address that has signed in to this account before is spared the limit that counts guesses
 * from anywhere, so that guessers cannot lock the owner out.
 * @throws ApiError 429 with Retry-After once there were too many failures.
 */
export async function checkPassword(io: Io, prompt: PasswordPrompt): Promise<AccountRow | null> {
  const { db, now, address, config } = io;
  const { email, password, find } = prompt;
  const { current, retiring } = config.secrets.attempts;
  const known = attemptSubject(current, KNOWN_ADDRESS, email, address);
  const marks = [known];
  if (retiring !== null) marks.push(attemptSubject(retiring, KNOWN_ADDRESS, email, address));
  const subjects = [
    attemptSubject(current, ATTEMPT_RULES.passwordPerAccountAndAddress, email, address),
    attemptSubject(current, ATTEMPT_RULES.passwordPerAddress, address),
  ];
  if (!(await isMarked(db, now, marks))) {
    subjects.push(attemptSubject(current, ATTEMPT_RULES.passwordPerAccount, email));
  }
  const verdict = await countAttempt(db, now, subjects);
  if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);

  const account = await find();
  const right = await verifyPassword(password, account?.passwordHash ?? NOBODYS_PASSWORD);
  if (account === null || !right) return null;
  // The first to register an address knows a password for it, but need not have the mailbox.
  const isOwner = account.verifiedAt !== null;
  await Promise.all([refundAttempt(db, subjects), isOwner && mark(db, now, known)]);
  return account;
}
