import { and, eq, exists, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { RECOVERY_CODES } from "../../../contract/limits.ts";
import { passkeys, recoveryCodes, totp } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { countAccountCall } from "../../limits/attempts.ts";
import { LIMITS } from "../../limits/table.ts";
import { insertFrom } from "../../platform/db.ts";
import type { Database } from "../../platform/db.ts";
import { ApiError } from "../../platform/errors.ts";
import { sha256Hex } from "../../platform/hash.ts";
import { change } from "../change.ts";
import { recordEvent } from "../security-events.ts";
import type { Session } from "../sessions.ts";
import { spending } from "./challenge.ts";
import type { Challenge } from "./challenge.ts";

/** Unambiguous letters and digits: 32 of them, so a byte maps to one without bias. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** 120 bits: at 112 or more, a plain hash is enough. */
const LENGTH = 24;

function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  const code = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return code.replaceAll(/(....)(?!$)/g, "$1-");
}

/** Hashes a code as typed, ignoring separators, case, and look-alikes. */
function hashOf(typed: string): string {
  const plain = typed.toLowerCase().replaceAll(/[\s-]/g, "");
  return sha256Hex(plain.replaceAll("o", "0").replaceAll(/[il]/g, "1"));
}

function hasFactor(userId: string) {
  return sql`(exists (select 1 from ${totp} where ${totp.userId} = ${userId} and ${totp.confirmedAt} is not null)
    or exists (select 1 from ${passkeys} where ${passkeys.userId} = ${userId}))`;
}

/**
 * New codes, and the statement that stores them if the account has none. Run it after the statement that adds a factor.
 * @param added whether that statement added it: codes that nobody sees must not be stored
 */
export function firstCodes({ db, now }: Pick<Io, "db" | "now">, userId: string, added: SQL) {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  const hashes = JSON.stringify(codes.map(hashOf));
  const insert = insertFrom(
    db,
    recoveryCodes,
    { userId, hash: sql`value`, createdAt: now },
    sql`from json_each(${hashes}) where ${added}
      and not exists (select 1 from ${recoveryCodes} where ${recoveryCodes.userId} = ${userId})`,
  ).returning({ hash: recoveryCodes.hash });
  return { codes, insert };
}

/**
 * The statement that deletes the codes of an account with no factor left. Run it after the statement that removes a
 * factor.
 */
export function dropCodesWithoutFactor(db: Database, userId: string) {
  return db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), sql`not ${hasFactor(userId)}`));
}

/** How many unused codes an account has. */
export function countCodes({ db }: Pick<Io, "db">, userId: string): Promise<number> {
  return db.$count(recoveryCodes, eq(recoveryCodes.userId, userId));
}

/**
 * Replaces all of the account's codes with new ones.
 * @throws ApiError as `change`; 409 NO_SECOND_FACTOR, 429
 */
export async function replaceCodes(io: Io, session: Session): Promise<string[]> {
  const { userId } = session;
  await countAccountCall(io, LIMITS.enrollmentPerAccount, userId);
  const { codes, insert } = firstCodes(io, userId, hasFactor(userId));
  const dropping = io.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const [, made] = await change(io, session, [dropping, insert]);
  if (made.length === 0) throw new ApiError("NO_SECOND_FACTOR");
  recordEvent(io, userId, "recovery_codes_replaced");
  return codes;
}

/**
 * Spends a recovery code and the challenge together; false if it is not the account's. Of two concurrent requests one
 * succeeds, and a rejected one spends neither.
 * @throws ApiError 400 CHALLENGE_INVALID when another request has used the challenge
 */
export async function spendRecoveryCode(io: Io, challenge: Challenge, typed: string): Promise<boolean> {
  const { db } = io;
  const { id: userId } = challenge.account;
  const isCode = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hashOf(typed)));
  const { spend, isFirst } = spending(io, challenge, exists(db.select().from(recoveryCodes).where(isCode)));
  const [known, used] = await db.batch([
    spend,
    db.delete(recoveryCodes).where(and(isCode, isFirst)).returning({ hash: recoveryCodes.hash }),
  ]);
  if (known.length > used.length) throw new ApiError("CHALLENGE_INVALID");
  if (used.length > 0) recordEvent(io, userId, "recovery_code_used");
  return used.length > 0;
}
