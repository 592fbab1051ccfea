import { and, eq, gt, gte, inArray, isNull, ne, or, sql } from "drizzle-orm";
import type { Column, SQL } from "drizzle-orm";
import type { EmailChangeUndone } from "../../contract/accounts.ts";
import { EMAIL_TOKEN_HOURS, UNDO_DAYS } from "../../contract/limits.ts";
import { apiKeys, emailTokens, passkeys, recoveryCodes, securityEvents, sessions, totp, users } from "../../schema.ts";
import type { AccountRow } from "../accounts/accounts.ts";
import { change } from "../accounts/change.ts";
import { endingLinks, findLink, isGood, LONGEST_UNDO } from "../accounts/email-tokens.ts";
import type { Link } from "../accounts/email-tokens.ts";
import { emailChangeUndoneEmail } from "../accounts/emails/email-change-undone.ts";
import { emailChangedEmail } from "../accounts/emails/email-changed.ts";
import { passwordResetEmail } from "../accounts/emails/password-reset.ts";
import { NOBODYS_PASSWORD } from "../accounts/password.ts";
import { afterRevoking, revoking } from "../accounts/revoke-keys.ts";
import { dropCodesWithoutFactor } from "../accounts/second-factor/recovery-codes.ts";
import { LOGINS, recordEvent } from "../accounts/security-events.ts";
import { activeSession } from "../accounts/sessions.ts";
import type { Session } from "../accounts/sessions.ts";
import type { Io } from "../io.ts";
import { publishTombstones } from "../key-cache/publish.ts";
import { forgetGuesses, reopenMail } from "../limits/attempts.ts";
import { PASSWORD_GUESSES } from "../limits/table.ts";
import { sendMail, sendNotice } from "../mail/queue.ts";
import { batchOf, insertFrom } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { newId } from "../platform/random.ts";
import { DAY_MS, HOUR_MS } from "../platform/time.ts";
import { claiming } from "../subscriptions/trial-claims.ts";
import { erasing } from "./delete-account.ts";

// Both links prove the mailbox of the address they move the account to, so an unverified account that has the address
// is erased: nobody has proved theirs. A verified one keeps it, and the move fails.

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
 * Queues an email about a move, which no other stands for, so it doesn't wait for a turn as a notice does. The
 * change has been made: if the queue fails, this tries again as a notice, which at worst is logged.
 */
async function sendAfterMove(...email: Parameters<typeof sendNotice>): Promise<void> {
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
async function rejectionOf(io: Io, { purpose }: Link, token: string): Promise<ApiError> {
  await findLink(io, token, purpose);
  return new ApiError("EMAIL_TAKEN");
}

/**
 * What the undo of a change now reaches back to: the earliest start of a session, none of which is older than a week.
 * Sessions that have ended count by their logins: someone who logs out between two steps must not hide the first.
 */
function earliestSession({ db, now }: Io, { userId, createdAt }: Session): SQL {
  const active = db
    .select({ at: sql`min(${sessions.createdAt})` })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, userId), activeSession(now)));
  const { kind, at } = securityEvents;
  const logins = db
    .select({ at: sql`min(${at})` })
    .from(securityEvents)
    .where(and(eq(securityEvents.userId, userId), inArray(kind, LOGINS), gt(at, now - UNDO_DAYS * DAY_MS)));
  return sql`min(${active}, coalesce(${logins}, ${createdAt}))`;
}

/**
 * Gives the account the new address, with the token sent there and a session: each alone proves too little. Other sessions
 * and links end, and the previous address gets a link that undoes it or, if the account returns to an address that can
 * still be restored, a notice.
 * @throws ApiError 400 TOKEN_INVALID when the token is unknown, used, canceled, expired, or another account's; 409
 * EMAIL_TAKEN when someone else has verified the address; as `change`
 */
export async function confirmEmailChange(io: Io, session: Session, token: string): Promise<AccountRow> {
  const { db, now, config } = io;
  const link = await findLink(io, token, "change_email");
  const { account, email } = link;
  if (account.id !== session.userId || email === null) throw new ApiError("TOKEN_INVALID");
  const mayMove = isGood(db, link, now);
  const { erase, isFree } = freeing(io, link, email, mayMove);
  const returned = sql`(select min(undo.created_at) from ${emailTokens} as undo where undo.user_id = ${account.id}
    and undo.purpose = 'undo_email_change' and undo.email = ${email} and undo.used_at is null
    and undo.expires_at > ${now})`;
  const undoId = newId("tok");
  const undo = {
    purpose: "undo_email_change",
    email: users.email,
    // Links end each other by order. A request that began earlier, with a slow body, may come later.
    createdAt: sql`max(${now}, coalesce((select max(other.created_at) + 1 from ${emailTokens} as other
      where other.user_id = ${account.id} and other.purpose = 'undo_email_change'), 0))`,
    since: earliestSession(io, session),
    expiresAt: now + LONGEST_UNDO,
    // Back at an earlier address, nothing is left to undo: the row is for the notice to the one that it leaves.
    usedAt: sql`case when ${returned} is null then null else ${now} end`,
  } as const;
  const {
    rejected,
    undo: [row],
    moved: [moved],
  } = await change(io, session, {
    // A trial counts for the address it was granted to.
    claim: claiming({ db, now, secret: config.trialSecret }, [account]),
    ...erase,
    undo: insertFrom(
      db,
      emailTokens,
      { id: undoId, userId: users.id, ...undo },
      sql`from ${users} where ${and(eq(users.id, account.id), mayMove, isFree)}`,
    ).returning({ usedAt: emailTokens.usedAt }),
    moved: db
      .update(users)
      .set({ email, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      .where(and(eq(users.id, account.id), mayMove, isFree))
      .returning(),
    // This session continues.
    continued: db
      .update(sessions)
      .set({ epoch: sql`(select ${users.sessionEpoch} from ${users} where ${users.id} = ${account.id})` })
      .where(eq(sessions.id, session.id)),
    // Last, because this invalidates the link.
    links: endingLinks(
      io,
      account.id,
      and(
        or(ne(emailTokens.purpose, "undo_email_change"), gt(emailTokens.createdAt, returned)),
        sql`exists (select 1 from ${users} as own where own.id = ${account.id} and own.email = ${email})`,
        isGood(db, link, now),
      ),
    ),
  });
  if (moved === undefined) throw await rejectionOf(io, link, token);
  recordEvent(io, account.id, "email_changed", { id: account.id, name: `${account.email} → ${email}` });
  io.waitUntil(publishTombstones(io, rejected));
  const notice = row?.usedAt === null ? emailChangedEmail : emailChangeUndoneEmail;
  await sendAfterMove(io, notice, { user_id: account.id, about: undoId });
  await forgetCounts(io, email, account.email);
  return moved;
}

/** A key whose limits have changed, as the undo lists it. */
type ChangedKey = EmailChangeUndone["keys_with_changed_limits"][number];

/**
 * Gives the account its previous address back, with the token sent there after a change. The person who changed it knows
 * the password and may have added keys and second factors, so all of these end, with every session and link. Links that
 * restore still earlier addresses stay, one to set a new password follows, and the address it leaves gets a notice.
 * @returns the other keys whose cap or origins have changed since: whether to keep them is the owner's decision
 * @throws ApiError 400 TOKEN_INVALID when the token is unknown, used, or expired; 409 EMAIL_TAKEN when the address has
 * another verified account by now
 */
export async function undoEmailChange(io: Io, token: string): Promise<ChangedKey[]> {
  const { db, now } = io;
  const link = await findLink(io, token, "undo_email_change");
  const { account, email, since } = link;
  if (email === null || since === null) throw new ApiError("TOKEN_INVALID");
  const good = isGood(db, link, now);
  const { erase, isFree } = freeing(io, link, email, good);
  const mayMove = and(good, isFree);
  const ofAccount = (userId: Column, at: Column) => and(eq(userId, account.id), gte(at, since), mayMove);
  const resetId = newId("tok");
  const expiresAt = now + EMAIL_TOKEN_HOURS.reset_password * HOUR_MS;
  const current = sql`(select ${users.email} from ${users} where ${users.id} = ${account.id})`;
  const { name, mode, hint } = apiKeys;
  const {
    rejected,
    revoked,
    changed,
    left: [left],
    moved,
  } = await batchOf(db, {
    ...erase,
    revoked: revoking(io, account.id, and(gte(apiKeys.createdAt, since), mayMove)),
    changed: db
      .select({ name, mode, hint })
      .from(apiKeys)
      .where(
        and(
          isNull(apiKeys.revokedAt),
          or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
          ofAccount(apiKeys.userId, apiKeys.limitsChangedAt),
        ),
      )
      .orderBy(apiKeys.createdAt),
    apps: db.delete(totp).where(ofAccount(totp.userId, totp.confirmedAt)),
    passkeys: db.delete(passkeys).where(ofAccount(passkeys.userId, passkeys.createdAt)),
    codes: db.delete(recoveryCodes).where(ofAccount(recoveryCodes.userId, recoveryCodes.createdAt)),
    uselessCodes: dropCodesWithoutFactor(db, account.id),
    reset: insertFrom(
      db,
      emailTokens,
      { id: resetId, userId: users.id, purpose: "reset_password", createdAt: now, expiresAt },
      sql`from ${users} where ${and(eq(users.id, account.id), mayMove)}`,
    ),
    left: db
      .update(emailTokens)
      .set({ email: current })
      .where(and(eq(emailTokens.hash, link.hash), mayMove))
      .returning({ id: emailTokens.id, email: emailTokens.email }),
    moved: db
      .update(users)
      .set({ email, passwordHash: NOBODYS_PASSWORD, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      .where(and(eq(users.id, account.id), mayMove))
      .returning({ id: users.id }),
    // Last, because this invalidates the link.
    links: endingLinks(
      io,
      account.id,
      and(
        ne(emailTokens.id, resetId),
        or(ne(emailTokens.purpose, "undo_email_change"), gte(emailTokens.createdAt, link.createdAt)),
        mayMove,
      ),
    ),
  });
  if (moved.length === 0) throw await rejectionOf(io, link, token);
  recordEvent(io, account.id, "email_change_undone", { id: account.id, name: email });
  afterRevoking(io, account.id, revoked);
  io.waitUntil(publishTombstones(io, rejected));
  await sendAfterMove(io, passwordResetEmail, { user_id: account.id, about: resetId });
  // None to an owner who had changed back by hand.
  if (left !== undefined && left.email !== email) {
    await sendAfterMove(io, emailChangeUndoneEmail, { user_id: account.id, about: left.id });
  }
  await forgetCounts(io, email, account.email);
  return changed;
}
