import { and, eq, gt, gte, isNull, ne, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { apiKeys, emailTokens, passkeys, sessions, totp, users } from "../../schema.ts";
import { findAccountByEmail } from "../accounts/accounts.ts";
import type { AccountRow } from "../accounts/accounts.ts";
import { endingLinks, findLink, isGood } from "../accounts/email-tokens.ts";
import type { Link } from "../accounts/email-tokens.ts";
import { emailChangedEmail } from "../accounts/emails/email-changed.ts";
import { passwordResetEmail } from "../accounts/emails/password-reset.ts";
import { NOBODYS_PASSWORD } from "../accounts/password.ts";
import { afterRevoking, revoking } from "../accounts/revoke-keys.ts";
import { dropCodesWithoutFactor } from "../accounts/second-factor/recovery-codes.ts";
import { recordEvent } from "../accounts/security-events.ts";
import type { Session } from "../accounts/sessions.ts";
import type { Io } from "../io.ts";
import { publishTombstones } from "../key-cache/publish.ts";
import { forgetGuesses, reopenMail } from "../limits/attempts.ts";
import { PASSWORD_GUESSES } from "../limits/table.ts";
import { sendMail, sendNotice } from "../mail/queue.ts";
import { insertFrom } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { newId } from "../platform/random.ts";
import { HOUR_MS } from "../platform/time.ts";
import { claimGrantedTrials } from "../subscriptions/trial-claims.ts";
import { erasing } from "./delete-account.ts";

// Both links prove the mailbox of the address they move the account to, so an unverified account that has the address
// is erased: nobody has proved theirs. A verified one keeps it, and the move fails.

const UNDO_MS = EMAIL_TOKEN_HOURS.undo_email_change * HOUR_MS;

/** The statements that free the link's address for its account, and whether that has succeeded, for later statements. */
function freeing(io: Io, { account }: Link, email: string, condition: SQL | undefined) {
  const unproved = io.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.verifiedAt), ne(users.id, account.id), condition));
  const isFree = sql`not exists (select 1 from ${users} as holder where holder.email = ${email} and holder.id <> ${account.id})`;
  return { erase: erasing(io, sql`${unproved}`), isFree };
}

/** What counts against the person who has proved both, or keeps them from getting emails, is forgotten. */
async function forgetCounts(io: Io, email: string, previous: string): Promise<void> {
  await forgetGuesses(io, PASSWORD_GUESSES, email);
  await reopenMail(io, email);
  await reopenMail(io, previous);
}

/**
 * Queues an email with a link, which no other email stands for, so it doesn't wait for a turn as a notice does. The
 * change has been made: if the queue fails, this tries again as a notice, which at worst is logged.
 */
async function sendLink(...email: Parameters<typeof sendMail>): Promise<void> {
  try {
    await sendMail(...email);
  } catch {
    await sendNotice(...email);
  }
}

/**
 * Why a link moved nothing, unless that is because it was used in the meantime.
 * @throws ApiError 400 TOKEN_INVALID
 */
async function rejectionOf(io: Io, { account, purpose }: Link, token: string, email: string): Promise<ApiError> {
  await findLink(io, token, purpose);
  const holder = await findAccountByEmail(io.db, email);
  return new ApiError(holder === null || holder.id === account.id ? "SESSION_EXPIRED" : "EMAIL_TAKEN");
}

/**
 * Gives the account the new address, with the token sent there and a session: each alone proves too little. Other sessions
 * and links end, and the previous address gets a link that undoes it, unless the account returns to an address that can
 * still be restored.
 * @throws ApiError 400 TOKEN_INVALID when the token is unknown, used, canceled, expired, or another account's; 409
 * EMAIL_TAKEN when someone else has verified the address; 401 SESSION_EXPIRED when the session has ended meanwhile
 */
export async function confirmEmailChange(io: Io, session: Session, token: string): Promise<AccountRow> {
  const { db, now, config } = io;
  const link = await findLink(io, token, "change_email");
  const { account, email } = link;
  if (account.id !== session.userId || email === null) throw new ApiError("TOKEN_INVALID");
  // A trial counts for the address it was granted to.
  await claimGrantedTrials({ db, now, secret: config.trialSecret }, account.id);
  const isOwn = sql`exists (select 1 from ${users} as own where own.id = ${account.id} and own.session_epoch = ${session.epoch})`;
  const mayMove = and(isGood(db, link, now), isOwn);
  const { erase, isFree } = freeing(io, link, email, mayMove);
  const since = sql`(select min(undo.expires_at) from ${emailTokens} as undo where undo.user_id = ${account.id}
    and undo.purpose = 'undo_email_change' and undo.email = ${email} and undo.used_at is null
    and undo.expires_at > ${now})`;
  const undoId = newId("tok");
  const undo = { purpose: "undo_email_change", email: users.email, expiresAt: now + UNDO_MS } as const;
  const [keys, , , undoable, [moved]] = await db.batch([
    ...erase,
    insertFrom(
      db,
      emailTokens,
      { id: undoId, userId: users.id, ...undo },
      sql`from ${users} where ${and(eq(users.id, account.id), mayMove, isFree)} and ${since} is null`,
    ).returning({ id: emailTokens.id }),
    db
      .update(users)
      .set({ email, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      .where(and(eq(users.id, account.id), mayMove, isFree))
      .returning(),
    db
      .update(sessions)
      .set({ epoch: session.epoch + 1 })
      .where(
        and(
          eq(sessions.id, session.id),
          isGood(db, link, now),
          sql`exists (select 1 from ${users} as own where own.id = ${account.id} and own.email = ${email}
            and own.session_epoch = ${session.epoch + 1})`,
        ),
      ),
    // Last, because this invalidates the link.
    endingLinks(
      io,
      account.id,
      and(
        or(ne(emailTokens.purpose, "undo_email_change"), gt(emailTokens.expiresAt, since)),
        sql`exists (select 1 from ${users} as own where own.id = ${account.id} and own.email = ${email})`,
        isGood(db, link, now),
      ),
    ),
  ]);
  if (moved === undefined) throw await rejectionOf(io, link, token, email);
  recordEvent(io, account.id, "email_changed", { id: account.id, name: `${account.email} → ${email}` });
  io.waitUntil(publishTombstones(io, keys));
  await forgetCounts(io, email, account.email);
  if (undoable.length > 0) await sendLink(io, emailChangedEmail, { user_id: account.id, about: undoId });
  return moved;
}

/**
 * Gives the account its previous address back, with the token sent there after a change. The person who changed it knows
 * the password and may have added keys and second factors, so all of these end, with every session and link. Links that
 * restore still earlier addresses stay, and one to set a new password follows.
 * @throws ApiError 400 TOKEN_INVALID when the token is unknown, used, or expired; 409 EMAIL_TAKEN when the address has
 * another verified account by now
 */
export async function undoEmailChange(io: Io, token: string): Promise<void> {
  const { db, now } = io;
  const link = await findLink(io, token, "undo_email_change");
  const { account, email } = link;
  if (email === null) throw new ApiError("TOKEN_INVALID");
  const good = isGood(db, link, now);
  const { erase, isFree } = freeing(io, link, email, good);
  const mayMove = and(good, isFree);
  const resetId = newId("tok");
  const expiresAt = now + EMAIL_TOKEN_HOURS.reset_password * HOUR_MS;
  const changedAt = link.expiresAt - UNDO_MS;
  const [keys, , , revoked, , , , , moved] = await db.batch([
    ...erase,
    revoking(io, account.id, and(gte(apiKeys.createdAt, changedAt), mayMove)),
    db.delete(totp).where(and(eq(totp.userId, account.id), gte(totp.confirmedAt, changedAt), mayMove)),
    db.delete(passkeys).where(and(eq(passkeys.userId, account.id), gte(passkeys.createdAt, changedAt), mayMove)),
    dropCodesWithoutFactor(db, account.id),
    insertFrom(
      db,
      emailTokens,
      { id: resetId, userId: users.id, purpose: "reset_password", expiresAt },
      sql`from ${users} where ${and(eq(users.id, account.id), mayMove)}`,
    ),
    db
      .update(users)
      .set({ email, passwordHash: NOBODYS_PASSWORD, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      .where(and(eq(users.id, account.id), mayMove))
      .returning({ id: users.id }),
    // Last, because this invalidates the link.
    endingLinks(
      io,
      account.id,
      and(
        ne(emailTokens.id, resetId),
        or(ne(emailTokens.purpose, "undo_email_change"), gte(emailTokens.expiresAt, link.expiresAt)),
        mayMove,
      ),
    ),
  ]);
  if (moved.length === 0) throw await rejectionOf(io, link, token, email);
  recordEvent(io, account.id, "email_change_undone", { id: account.id, name: email });
  afterRevoking(io, account.id, revoked);
  io.waitUntil(publishTombstones(io, keys));
  await forgetCounts(io, email, account.email);
  await sendLink(io, passwordResetEmail, { user_id: account.id, about: resetId });
}
