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

/** What people replace letters with; for letters that look alike, one of them. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  0: "o",
  1: "l",
  i: "l",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
  "!": "l",
};

/** A text as it's written, and with letters for their lookalikes. */
function readings(text: string): string[] {
  const restored = text.toLowerCase().replace(/[013457i@$!]/g, (sign) => LOOKALIKES[sign]!);
  return [folded(text), folded(restored)];
}

/** Whether a password is a word, or nearly: with other punctuation, lookalikes for letters, or digits around it. */
function isLike(password: string, word: string): boolean {
  const undecorated = password.normalize("NFKC").replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const read = new Set([...readings(password), ...readings(undecorated)]);
  return readings(word).some((reading) => reading !== "" && read.has(reading));
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
 * The complaint about a well-formed but guessable password: it is like public facts about its owner, or is a common one.
 * @param isCommon whether a lowercase password is on the list
 */
export function guessableComplaint(
  password: string,
  { email = "", name = "" }: PasswordOwner,
  isCommon: (password: string) => boolean,
): string | null {
  if (passwordComplaint(password) !== null) return null;
  const isAny = (words: readonly string[]) => words.some((word) => isLike(password, word));
  const mailbox = email.split("@")[0]!;
  if (isAny([email, mailbox, ...mailbox.split(/[._+-]/)])) return "Password is too close to your email address";
  if (isAny([name, ...name.split(/\s+/)])) return "Password is too close to your name";
  if (isAny([PRODUCT])) return "Password is too close to the name of this service";
  const plain = password
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .trim()
    .toLowerCase();
  if (isCommon(plain)) return "This password is too common. Choose another one";
  return null;
}
