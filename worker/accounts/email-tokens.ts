import { Buffer } from "node:buffer";
import { and, eq, exists, gt, isNull, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { emailTokens, registrations, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { forgetGuesses, reopenMail } from "../limits/attempts.ts";
import { PASSWORD_GUESSES } from "../limits/table.ts";
import { ApiError } from "../platform/errors.ts";
import type { Database } from "../platform/db.ts";
import { mac, sha256Hex } from "../platform/hash.ts";
import { DAY_MS, HOUR_MS } from "../platform/time.ts";
import type { AccountRow } from "./accounts.ts";
import { afterRevoking, revoking } from "./revoke-keys.ts";
import { recordEvent } from "./security-events.ts";

/**
 * The token of a row of email_tokens: 32 bytes, as 43 characters of base64url. Derived rather than stored, so a
 * redelivered message sends the same token, and neither queue nor database ever holds one.
 */
export function tokenFor(secret: string, tokenId: string): string {
  return Buffer.from(mac(secret, tokenId)).toString("base64url");
}

/** SHA-256 of a token in hex, as stored in the database. */
export function hashToken(token: string): string {
  return sha256Hex(token);
}

/** How long a link's email may wait in the queue, in milliseconds: about as long as its retries take. */
export const LONGEST_WAIT = 4 * DAY_MS;
/** How long an undo link's email may wait without shortening the time that the link works, in milliseconds. */
const UNDO_WAIT = DAY_MS;
/** How long after a change it can be undone at most, in milliseconds. */
export const LONGEST_UNDO = UNDO_WAIT + EMAIL_TOKEN_HOURS.undo_email_change * HOUR_MS;

/** A token to send, and when it expires, in milliseconds since the Unix epoch. */
export interface ActiveToken {
  readonly token: string;
  readonly expiresAt: number;
}

/**
 * Activates the token of a row and returns it; null when the row is gone, used, or expired, so there is nothing to
 * send. Its time begins with the first try to send it, since emails may wait. Idempotent: repeating it returns the same
 * token, even across a secret rotation.
 */
export async function activateToken(
  { db, now, config }: Pick<Io, "db" | "now" | "config">,
  purpose: LinkPurpose,
  id: string,
): Promise<ActiveToken | null> {
  const { current, retiring } = config.secrets.emailTokens;
  const token = tokenFor(current, id);
  const earlier = retiring === null ? token : tokenFor(retiring, id);
  const lifetime = EMAIL_TOKEN_HOURS[purpose] * HOUR_MS;
  const isUndo = purpose === "undo_email_change";
  const until = isUndo
    ? sql`min(${now}, ${emailTokens.createdAt} + ${UNDO_WAIT}) + ${lifetime}`
    : sql`max(${emailTokens.expiresAt}, ${now + lifetime})`;
  const longestWait = isUndo ? 0 : LONGEST_WAIT;
  const [activated] = await db
    .update(emailTokens)
    // An email with the earlier token may have arrived; the next one must not invalidate its link.
    .set({
      hash: sql`case when hash = ${hashToken(earlier)} then hash else ${hashToken(token)} end`,
      expiresAt: sql`case when hash is null then ${until} else expires_at end`,
    })
    .where(
      and(
        eq(emailTokens.id, id),
        isNull(emailTokens.usedAt),
        gt(emailTokens.expiresAt, sql`case when hash is null then ${now - longestWait} else ${now} end`),
      ),
    )
    .returning({ hash: emailTokens.hash, expiresAt: emailTokens.expiresAt });
  if (activated === undefined) return null;
  return { token: activated.hash === hashToken(earlier) ? earlier : token, expiresAt: activated.expiresAt };
}

type LinkPurpose = (typeof emailTokens.$inferSelect)["purpose"];

/** An email link that can still be used. */
export interface Link {
  readonly hash: string;
  readonly purpose: LinkPurpose;
  /** The registration it was sent for, which may be gone. */
  readonly registrationId: string | null;
  /** The address that it gives to the account; null for other links. */
  readonly email: string | null;
  /** In milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** What an undo reaches back to; null for other links. */
  readonly since: number | null;
  readonly account: AccountRow;
}

function isUsable(hash: string, purpose: LinkPurpose, now: number) {
  return and(
    eq(emailTokens.hash, hash),
    eq(emailTokens.purpose, purpose),
    isNull(emailTokens.usedAt),
    gt(emailTokens.expiresAt, now),
  );
}

/** Whether a link can still be used, for the statements of the change that it makes. */
export function isGood(db: Database, { hash, purpose }: Link, now: number) {
  return exists(
    db
      .select({ id: emailTokens.id })
      .from(emailTokens)
      .where(isUsable(hash, purpose, now)),
  );
}

/** @throws ApiError 400 TOKEN_INVALID when the token is unknown, used, expired, or for another purpose */
export async function findLink({ db, now }: Io, token: string, purpose: LinkPurpose): Promise<Link> {
  const hash = hashToken(token);
  const found = await db
    .select({
      registrationId: emailTokens.registrationId,
      email: emailTokens.email,
      createdAt: emailTokens.createdAt,
      since: emailTokens.since,
      account: users,
    })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(isUsable(hash, purpose, now))
    .get();
  if (found === undefined) throw new ApiError("TOKEN_INVALID");
  return { hash, purpose, ...found };
}

/** The statement that ends the unused links of an account that meet a condition. */
export function endingLinks({ db, now }: Pick<Io, "db" | "now">, userId: string, condition: SQL | undefined) {
  return db
    .update(emailTokens)
    .set({ usedAt: now })
    .where(and(eq(emailTokens.userId, userId), isNull(emailTokens.usedAt), condition));
}

/**
 * Hands the account to the person who opened the link, once: verifies the address, and sets name and password if given.
 * Everything started earlier for the address ends: links, registrations, sessions, and what counts against its owner.
 * If the address was unverified, so do keys: nobody could say whose they were.
 * @throws ApiError 400 TOKEN_INVALID when the link was used in the meantime
 */
export async function spendLink(
  io: Io,
  link: Link,
  changes: { readonly name?: string; readonly passwordHash?: string } = {},
): Promise<void> {
  const { db, now } = io;
  const { id, email, verifiedAt } = link.account;
  // Hashing took a while, so the link is checked again here, in the same step as the change.
  const good = isGood(db, link, now);
  const isFirst = exists(
    db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.verifiedAt))),
  );
  const [revoked, changed] = await db.batch([
    revoking(io, id, and(good, isFirst)),
    db
      .update(users)
      .set({
        ...changes,
        verifiedAt: sql`coalesce(${users.verifiedAt}, ${now})`,
        sessionEpoch: sql`${users.sessionEpoch} + 1`,
      })
      .where(and(eq(users.id, id), good))
      .returning({ id: users.id }),
    db.delete(registrations).where(and(eq(registrations.userId, id), good)),
    // Last, because this invalidates the link. Someone who took the account over must not end the way back.
    endingLinks(io, id, and(ne(emailTokens.purpose, "undo_email_change"), good)),
  ]);
  if (changed.length === 0) throw new ApiError("TOKEN_INVALID");
  if (verifiedAt === null) recordEvent(io, id, "email_verified");
  afterRevoking(io, id, revoked);
  // The owner of the mailbox is here: guesses before this must not lock them out.
  await forgetGuesses(io, PASSWORD_GUESSES, email);
  await reopenMail(io, email);
}
