import { and, asc, eq, exists, lt, sql } from "drizzle-orm";
import type { ExportedPasskey } from "../../../contract/export.ts";
import { MAX_PASSKEYS } from "../../../contract/limits.ts";
import type { AddPasskeyRequest, Passkey } from "../../../contract/second-factor.ts";
import { passkeys } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { countAccountCall } from "../../limits/attempts.ts";
import { LIMITS } from "../../limits/table.ts";
import { base64url } from "../../platform/base64url.ts";
import { insertFrom } from "../../platform/db.ts";
import { ApiError } from "../../platform/errors.ts";
import { newId } from "../../platform/random.ts";
import { isoOrNull } from "../../platform/time.ts";
import type { AccountRow } from "../accounts.ts";
import { change } from "../change.ts";
import { recordEvent } from "../security-events.ts";
import type { Session } from "../sessions.ts";
import { issueChallenge, readChallenge, requireFirst, spending } from "./challenge.ts";
import { dropCodesWithoutFactor, firstCodes } from "./recovery-codes.ts";
import { ALGORITHMS, readAssertion, readRegistration } from "./webauthn.ts";

type PasskeyRow = typeof passkeys.$inferSelect;

/** A passkey in the form browsers receive. */
function descriptor({ credentialId: id, transports }: PasskeyRow) {
  return { id, type: "public-key", transports };
}

async function rowsOf({ db }: Pick<Io, "db">, userId: string): Promise<PasskeyRow[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(sql`rowid`));
}

function view({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return { id, name, added_at: new Date(createdAt).toISOString(), last_used_at: isoOrNull(lastUsedAt) };
}

/** The account's passkeys, oldest first. */
export async function listPasskeys(io: Io, userId: string): Promise<Passkey[]> {
  return (await rowsOf(io, userId)).map(view);
}

/** The same with all that is stored about them. */
export async function exportPasskeys(io: Io, userId: string): Promise<ExportedPasskey[]> {
  return (await rowsOf(io, userId)).map((row) => ({
    ...view(row),
    credential_id: row.credentialId,
    public_key: row.publicKey,
    counter: row.counter,
    transports: [...row.transports],
  }));
}

/** The options a browser needs to log in with one of the account's passkeys; null without any. */
export async function requestOptions(io: Io, userId: string, challenge: string) {
  const rows = await rowsOf(io, userId);
  if (rows.length === 0) return null;
  return {
    challenge: base64url(challenge),
    allowCredentials: rows.map(descriptor),
    userVerification: "discouraged",
  };
}

/**
 * The options a browser creates a passkey from.
 * @throws ApiError 409 PASSKEY_LIMIT_REACHED, 429
 */
export async function creationOptions(io: Io, account: AccountRow) {
  const { id, email, name } = account;
  await countAccountCall(io, LIMITS.enrollmentPerAccount, id);
  const rows = await rowsOf(io, id);
  if (rows.length >= MAX_PASSKEYS) throw new ApiError("PASSKEY_LIMIT_REACHED");
  const challenge = await issueChallenge(io, "add-passkey", account);
  const options = {
    rp: { name: "Checkline" },
    user: { id: base64url(id), name: email, displayName: name },
    challenge: base64url(challenge),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: rows.map(descriptor),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "discouraged" },
    attestation: "none",
  };
  return { challenge, options };
}

/**
 * Adds a passkey.
 * @param origin of our pages
 * @throws ApiError as `change`; 400 CHALLENGE_INVALID or PASSKEY_REFUSED, 409 PASSKEY_LIMIT_REACHED
 */
export async function addPasskey(
  io: Io,
  session: Session,
  { challenge: token, name, passkey: sent }: AddPasskeyRequest,
  origin: string,
) {
  const { db, now } = io;
  const { userId } = session;
  const challenge = await readChallenge(io, "add-passkey", token, session.account);
  const credential = await readRegistration(sent, { challenge: base64url(token), origin });
  if (credential === null) throw new ApiError("PASSKEY_REFUSED");
  const { spend, isFirst } = spending(io, challenge);
  const id = newId("psk");
  const { codes, insert } = firstCodes(io, userId, exists(db.select().from(passkeys).where(eq(passkeys.id, id))));
  const { id: credentialId, publicKey, counter, transports } = credential;
  const [spent, [added], made] = await change(io, session, [
    spend,
    insertFrom(
      db,
      passkeys,
      { id, userId, name, credentialId, publicKey, counter, transports, createdAt: now },
      sql`where ${isFirst}
        and (select count(*) from ${passkeys} where ${passkeys.userId} = ${userId}) < ${MAX_PASSKEYS}`,
    )
      .onConflictDoNothing()
      .returning(),
    insert,
  ]);
  requireFirst(spent);
  if (added === undefined) {
    const isFull = (await rowsOf(io, userId)).length >= MAX_PASSKEYS;
    throw new ApiError(isFull ? "PASSKEY_LIMIT_REACHED" : "PASSKEY_REFUSED");
  }
  recordEvent(io, userId, "passkey_added", { id, name });
  return { passkey: view(added), recovery_codes: made.length > 0 ? codes : null };
}

/** @throws ApiError as `change`; 404 NOT_FOUND */
export async function removePasskey(io: Io, session: Session, id: string): Promise<void> {
  const { db } = io;
  const { userId } = session;
  const [[removed]] = await change(io, session, [
    db
      .delete(passkeys)
      .where(and(eq(passkeys.userId, userId), eq(passkeys.id, id)))
      .returning({ name: passkeys.name }),
    dropCodesWithoutFactor(db, userId),
  ]);
  if (removed === undefined) throw new ApiError("NOT_FOUND", { message: "There's no passkey with this ID." });
  recordEvent(io, userId, "passkey_removed", { id, name: removed.name });
}

/**
 * Whether a browser has proved possession of one of the account's passkeys. If the authenticator has a counter, it must
 * have increased: otherwise the passkey was cloned or the response replayed.
 * @param sent what the browser returned
 * @param origin of our pages
 * @throws ApiError 400 PASSKEY_REFUSED, with its own message for a counter that went backward
 */
export async function spendPasskey(
  io: Io,
  userId: string,
  {
    challenge,
    sent,
    origin,
  }: { readonly challenge: string; readonly sent: Readonly<Record<string, unknown>>; readonly origin: string },
): Promise<boolean> {
  const { db, now } = io;
  const isOwn = and(eq(passkeys.userId, userId), eq(passkeys.credentialId, String(sent["id"])));
  const row = await db.select().from(passkeys).where(isOwn).get();
  if (row === undefined) return false;
  const expected = { challenge: base64url(challenge), origin };
  const counter = await readAssertion(sent, expected, {
    id: row.credentialId,
    publicKey: row.publicKey,
    userHandle: base64url(userId),
  });
  if (counter === null) return false;
  const countedOn = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter);
  const used = await db
    .update(passkeys)
    .set({ counter, lastUsedAt: now })
    .where(and(isOwn, countedOn))
    .returning({ id: passkeys.id });
  if (used.length > 0) return true;
  const message =
    "We rejected this passkey because its counter went backward, so it may have been copied. Log in another way, and remove this passkey in Settings.";
  recordEvent(io, userId, "second_factor_failed", { id: row.id, name: row.name });
  throw new ApiError("PASSKEY_REFUSED", { message });
}
