import { Buffer } from "node:buffer";
import { and, eq, exists, isNotNull, isNull, lt } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { totp } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { countAccountCall } from "../../limits/attempts.ts";
import { LIMITS } from "../../limits/table.ts";
import { ApiError } from "../../platform/errors.ts";
import { subkey, utf8 } from "../../platform/hash.ts";
import { change } from "../change.ts";
import { recordEvent } from "../security-events.ts";
import type { Session } from "../sessions.ts";
import { dropCodesWithoutFactor, firstCodes } from "./recovery-codes.ts";

const PERIOD_SECONDS = 30;
/** Also accept codes of the previous and next period, since clocks drift. */
const TOLERANCE = 1;
const SECRET_BYTES = 20;
const IV_BYTES = 12;

/**
 * Secrets are stored encrypted (AES-256-GCM) and bound to their account. The key derives from the secret that is never
 * rotated: rotating it would lock everyone out.
 * @throws ApiError 503 while that secret is not set
 */
async function encryptionKey({ config }: Io): Promise<CryptoKey> {
  if (config.trialSecret === null) throw new ApiError("TEMPORARILY_UNAVAILABLE");
  const key = Buffer.from(subkey(config.trialSecret, "totp"), "hex");
  return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function algorithm(userId: string, iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: utf8(userId) };
}

async function encrypt(io: Io, userId: string, secret: Secret): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(
    algorithm(userId, iv),
    await encryptionKey(io),
    new Uint8Array(secret.bytes),
  );
  return Buffer.concat([iv, Buffer.from(sealed)]).toString("base64");
}

async function decrypt(io: Io, userId: string, stored: string): Promise<Secret> {
  const bytes = new Uint8Array(Buffer.from(stored, "base64"));
  const [iv, sealed] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)];
  return new Secret({ buffer: await crypto.subtle.decrypt(algorithm(userId, iv), await encryptionKey(io), sealed) });
}

function authenticator(secret: Secret, label = ""): TOTP {
  return new TOTP({ issuer: "Checkline", label, secret, algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS });
}

/** The period a code belongs to, counted from the Unix epoch; null if it is not accepted now. */
function stepOf(secret: Secret, code: string, now: number): number | null {
  const delta = authenticator(secret).validate({ token: code, timestamp: now, window: TOLERANCE });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

/** When the authenticator app was added, in milliseconds since the Unix epoch; null without one. */
export async function totpAddedAt({ db }: Pick<Io, "db">, userId: string): Promise<number | null> {
  const { confirmedAt } = totp;
  return (await db.select({ confirmedAt }).from(totp).where(eq(totp.userId, userId)).get())?.confirmedAt ?? null;
}

/**
 * Creates the secret of a new authenticator app, which takes effect when confirmed.
 * @throws ApiError as `change`; 409 SECOND_FACTOR_EXISTS, 429, 503
 */
export async function addTotp(io: Io, session: Session) {
  const { id, email } = session.account;
  await countAccountCall(io, LIMITS.enrollmentPerAccount, id);
  const secret = new Secret({ size: SECRET_BYTES });
  const values = { secret: await encrypt(io, id, secret), lastStep: 0 };
  const adding = io.db
    .insert(totp)
    .values({ userId: id, ...values })
    .onConflictDoUpdate({ target: totp.userId, set: values, setWhere: isNull(totp.confirmedAt) })
    .returning({ userId: totp.userId });
  const [[pending]] = await change(io, session, [adding]);
  if (pending === undefined) throw new ApiError("SECOND_FACTOR_EXISTS");
  return { secret: secret.base32, uri: authenticator(secret, email).toString() };
}

/**
 * Confirms the authenticator app with a code it shows.
 * @returns recovery codes with the first factor, else null
 * @throws ApiError as `change`; 400 WRONG_CODE, 404 NOT_FOUND when none is being added, 429, 503
 */
export async function confirmTotp(io: Io, session: Session, code: string): Promise<string[] | null> {
  const { db, now } = io;
  const { userId } = session;
  await countAccountCall(io, LIMITS.enrollmentPerAccount, userId);
  const isPending = and(eq(totp.userId, userId), isNull(totp.confirmedAt));
  const pending = await db.select().from(totp).where(isPending).get();
  if (pending === undefined) {
    throw new ApiError("NOT_FOUND", { message: "No authenticator app is being added. Start over." });
  }
  const step = stepOf(await decrypt(io, userId, pending.secret), code, now);
  if (step === null) throw new ApiError("WRONG_CODE");
  // Another tab may have confirmed it or started over.
  const isSame = and(eq(totp.userId, userId), eq(totp.secret, pending.secret));
  const confirmed = db
    .select()
    .from(totp)
    .where(and(isSame, eq(totp.confirmedAt, now)));
  const codes = firstCodes(io, userId, exists(confirmed));
  const [[added], made] = await change(io, session, [
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

/** Removes the authenticator app, confirmed or not. @throws ApiError as `change` */
export async function removeTotp(io: Io, session: Session): Promise<void> {
  const { db } = io;
  const { userId } = session;
  const [[removed]] = await change(io, session, [
    db.delete(totp).where(eq(totp.userId, userId)).returning({ confirmedAt: totp.confirmedAt }),
    dropCodesWithoutFactor(db, userId),
  ]);
  if (removed !== undefined && removed.confirmedAt !== null) recordEvent(io, userId, "totp_removed");
}

/** Spends a current, unused code of the account's app; false for any other code. */
export async function spendTotp(io: Io, userId: string, code: string): Promise<boolean> {
  const { db, now } = io;
  const isOwn = and(eq(totp.userId, userId), isNotNull(totp.confirmedAt));
  const row = await db.select({ secret: totp.secret }).from(totp).where(isOwn).get();
  if (row === undefined) return false;
  const step = stepOf(await decrypt(io, userId, row.secret), code, now);
  if (step === null) return false;
  const used = await db
    .update(totp)
    .set({ lastStep: step })
    .where(and(isOwn, eq(totp.secret, row.secret), lt(totp.lastStep, step)))
    .returning({ userId: totp.userId });
  return used.length > 0;
}
