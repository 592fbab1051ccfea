import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { guessableComplaint } from "../../contract/passwords.ts";
import type { PasswordOwner } from "../../contract/passwords.ts";
import type { Io } from "../io.ts";
import { validationFailed } from "../platform/errors.ts";
import { isBreached } from "./breached.ts";

/** OWASP's scrypt setting for 16 MiB of memory; the runtime caps N·r·p at 2^20. */
const CURRENT = { N: 16384, r: 8, p: 5 } as const;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  // The same characters can be encoded as different code points; NFKC unifies them.
  const secret = password.normalize("NFKC");
  return new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: 256 * cost.N * cost.r };
    scrypt(secret, salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/**
 * Rejects a password that is easy to guess or, if the operator enables the check, known from a data breach.
 * @param field the input field to report
 * @throws ApiError 400 VALIDATION_FAILED
 */
export async function rejectGuessable(
  { config }: Pick<Io, "config">,
  field: "password" | "new_password",
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  // Scripts import this module too, and Node can't load text files.
  const { default: list } = await import("../../contract/common-passwords.txt");
  const common = list.split("\n");
  const complaint = guessableComplaint(password, owner, (known) => common.includes(known));
  if (complaint !== null) throw validationFailed({ [field]: complaint });
  if (config.breachCheck && (await isBreached(password))) {
    throw validationFailed({ [field]: "This password appeared in a data breach. Choose another one" });
  }
}

/** @throws ApiError 400 VALIDATION_FAILED for an unchanged password */
export function rejectUnchanged(): never {
  throw validationFailed({ new_password: "New password must be different" });
}

/** The stored form of a password: `scrypt$N$r$p$salt$hash`, salt and hash in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, CURRENT);
  return ["scrypt", CURRENT.N, CURRENT.r, CURRENT.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/**
 * A stored form that matches no password, at the current cost. Checking against it takes as long as against a real one,
 * so response times don't reveal whether an account exists.
 */
export const NOBODYS_PASSWORD = `scrypt$${CURRENT.N}$${CURRENT.r}$${CURRENT.p}$${"A".repeat(22)}==$${"A".repeat(43)}=`;

/** Whether a stored password was hashed at an outdated cost. */
export function needsRehash(stored: string): boolean {
  return !stored.startsWith(`scrypt$${CURRENT.N}$${CURRENT.r}$${CURRENT.p}$`);
}

/**
 * Whether a password matches the stored one, compared in constant time.
 * @throws when the stored form did not come from `hashPassword`.
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = stored.split("$");
  if (scheme !== "scrypt" || !salt || !hash) throw new Error("A stored password hash has an unknown form");
  const derived = await derive(password, Buffer.from(salt, "base64"), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(derived, Buffer.from(hash, "base64"));
}
