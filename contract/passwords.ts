import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./limits.ts";

/** Whose password it is to be. */
export interface PasswordOwner {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

const PRODUCT = "Checkline";

/** What a password says, however it is written: letters and digits alone, in lower case. */
function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Code points: what people count as characters, and the same in every language. */
function lengthOf(password: string): number {
  // oxlint-disable-next-line typescript/no-misused-spread -- Code points are what is counted.
  return [...password].length;
}

/** What is wrong with the length of a password that somebody claims to have, or null. */
export function tooLongComplaint(password: string): string | null {
  if (lengthOf(password) <= MAX_PASSWORD_LENGTH) return null;
  return `Password must be at most ${MAX_PASSWORD_LENGTH} characters`;
}

/** What is wrong with a chosen password for any owner, or null. */
export function passwordComplaint(typed: string): string | null {
  // As it is hashed.
  const password = typed.normalize("NFKC");
  if (lengthOf(password) < MIN_PASSWORD_LENGTH) return `Password must be at least ${MIN_PASSWORD_LENGTH} characters`;
  const long = tooLongComplaint(typed);
  if (long !== null) return long;
  if (/\p{Cc}/u.test(password)) return "Password must not contain control characters";
  if (!/[^\p{Z}\p{C}]/u.test(password)) return "Password must not be only spaces";
  if (/^(.)\1*$/su.test(password)) return "Password must not be one character repeated";
  return null;
}

/**
 * What else is wrong with a password of an acceptable form: that it says what everyone knows of its owner, or is among the commonest.
 * @param isCommon whether a password in lower case is on the list
 */
export function guessableComplaint(
  password: string,
  { email = "", name = "" }: PasswordOwner,
  isCommon: (password: string) => boolean,
): string | null {
  if (passwordComplaint(password) !== null) return null;
  const word = folded(password);
  const is = (known: string): boolean => word !== "" && word === folded(known);
  if (is(email) || is(email.split("@")[0]!)) return "Password must not be your email address";
  if (is(name)) return "Password must not be your name";
  if (is(PRODUCT)) return "Password must not be the name of this service";
  const plain = password
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .trim()
    .toLowerCase();
  if (isCommon(plain)) return "This password is too common. Choose another one";
  return null;
}
