import { Buffer } from "node:buffer";
import { and, eq, exists, isNotNull, isNull, lt } from "drizzle-orm";
import { totp } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { countAccountCall } from "../../limits/attempts.ts";
import { ATTEMPT_RULES } from "../../limits/rules.ts";
import { ApiError } from "../../platform/errors.ts";
import { subkey } from "../../platform/hash.ts";
import type { AccountRow } from "../accounts.ts";
import { recordEvent } from "../security-events.ts";
import { appAddress, base32, periodOf } from "./one-time-code.ts";
import { dropCodesWithoutFactor, firstCodes } from "./recovery-codes.ts";

const SECRET_BYTES = 20;
const IV_BYTES = 12;

/**
 * Secrets are stored encrypted (AES-256-GCM), tied to their account. The key comes from the secret that is never replaced: with a
 * replaced one, nobody could log in any more.
 * @throws ApiError 503 while that secret is not set
 */
async function encryptionKey({ config }: Io): Promise<CryptoKey> {
  if (config.trialSecret === null) throw new ApiError("TEMPORARILY_UNAVAILABLE");
  const key = Buffer.from(subkey(config.trialSecret, "totp"), "hex");
  return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function algorithm(userId: string, iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(userId) };
}

async function encrypt(io: Io, userId: string, secret: Uint8Array<ArrayBuffer>): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(algorithm(userId, iv), await encryptionKey(io), secret);
  return Buffer.concat([iv, Buffer.from(sealed)]).toString("base64");
}

async function decrypt(io: Io, userId: string, stored: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(Buffer.from(stored, "base64"));
  const [iv, sealed] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)];
  return new Uint8Array(await crypto.subtle.decrypt(algorithm(userId, iv), await encryptionKey(io), sealed));
}

/** When the authenticator app was added, in milliseconds since the Unix epoch; null without one. */
export async function totpAddedAt({ db }: Pick<Io, "db">, userId: string): Promise<number | null> {
  const { confirmedAt } = totp;
  return (await db.select({ confirmedAt }).from(totp).where(eq(totp.userId, userId)).get())?.confirmedAt ?? null;
}

/**
 * Makes the secret of a new authenticator app, which counts once it is confirmed.
 * @throws ApiError 403 EMAIL_NOT_VERIFIED, 409 SECOND_FACTOR_EXISTS, 429, 503
 */
export async function addTotp(io: Io, { id, email, verifiedAt }: AccountRow) {
  if (verifiedAt === null) throw new ApiError("EMAIL_NOT_VERIFIED");
  await countAccountCall(io, ATTEMPT_RULES.enrollmentPerAccount, id);
  const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  const values = { secret: await encrypt(io, id, secret), lastStep: 0 };
  const [pending] = await io.db
    .insert(totp)
    .values({ userId: id, ...values })
    .onConflictDoUpdate({ target: totp.userId, set: values, setWhere: isNull(totp.confirmedAt) })
    .returning({ userId: totp.userId });
  if (pending === undefined) throw new ApiError("SECOND_FACTOR_EXISTS");
  return { secret: base32(secret), uri: appAddress(secret, email) };
}

/**
 * Adds the authenticator app that has shown this code.
 * @returns recovery codes with the first factor, else null
 * @throws ApiError 400 WRONG_CODE, 404 NOT_FOUND when none is being added, 429, 503
 */
export async function confirmTotp(io: Io, userId: string, code: string): Promise<string[] | null> {
  const { db, now } = io;
  await countAccountCall(io, ATTEMPT_RULES.enrollmentPerAccount, userId);
  const isPending = and(eq(totp.userId, userId), isNull(totp.confirmedAt));
  const pending = await db.select().from(totp).where(isPending).get();
  if (pending === undefined) {
    throw new ApiError("NOT_FOUND", { message: "No authenticator app is being added. Start again." });
  }
  const step = periodOf(await decrypt(io, userId, pending.secret), code, now);
  if (step === null) throw new ApiError("WRONG_CODE");
  // Another tab may have confirmed it or started again.
  const isSame = and(eq(totp.userId, userId), eq(totp.secret, pending.secret));
  const confirmed = db
    .select()
    .from(totp)
    .where(and(isSame, eq(totp.confirmedAt, now)));
  const codes = firstCodes(db, userId, exists(confirmed));
  const [[added], made] = await db.batch([
    db
      .update(totp)
      .set({ confirmedAt: now, lastStep: step })
      .where(and(isSame, isPending))
      .returning({ userId: totp.userId }),
    codes.insert,
  ]);
  if (added === undefined) throw new ApiError("WRONG_CODE");
  recordEvent(io, userId, "totp_added");
  return made.length > 0 ? codes.codes : null;
}

/** Removes the authenticator app, confirmed or not. */
export async function removeTotp(io: Io, userId: string): Promise<void> {
  const { db } = io;
  const [[removed]] = await db.batch([
    db.delete(totp).where(eq(totp.userId, userId)).returning({ confirmedAt: totp.confirmedAt }),
    dropCodesWithoutFactor(db, userId),
  ]);
  if (removed !== undefined && removed.confirmedAt !== null) recordEvent(io, userId, "totp_removed");
}

/** Whether this is a code of the account's app that counts now and was not used before. It is used by asking. */
export async function spendTotp(io: Io, userId: string, code: string): Promise<boolean> {
  const { db, now } = io;
  const isOwn = and(eq(totp.userId, userId), isNotNull(totp.confirmedAt));
  const row = await db.select({ secret: totp.secret }).from(totp).where(isOwn).get();
  if (row === undefined) return false;
  const step = periodOf(await decrypt(io, userId, row.secret), code, now);
  if (step === null) return false;
  const used = await db
    .update(totp)
    .set({ lastStep: step })
    .where(and(isOwn, eq(totp.secret, row.secret), lt(totp.lastStep, step)))
    .returning({ userId: totp.userId });
  return used.length > 0;
}
