import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./limits.ts";

/** The future owner of a password. */
export interface PasswordOwner {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

const PRODUCT = "Checkline";

/** A text reduced to letters and digits, in lowercase. */
function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** In code points: what people count as characters, and the same in every language. */
function lengthOf(password: string): number {
  // oxlint-disable-next-line typescript/no-misused-spread -- Code points are what is counted.
  return [...password].length;
}

/** The complaint about a given password that is too long, or null. */
export function tooLongComplaint(password: string): string | null {
  if (lengthOf(password) <= MAX_PASSWORD_LENGTH) return null;
  return `Password must be at most ${MAX_PASSWORD_LENGTH} characters`;
}

/** The complaint about a new password, regardless of owner, or null. */
export function passwordComplaint(typed: string): string | null {
  // The form that is hashed.
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
 * The complaint about a well-formed but guessable password: it matches public facts about its owner, or is a common
 * one.
 * @param isCommon whether a lowercase password is on the list
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
