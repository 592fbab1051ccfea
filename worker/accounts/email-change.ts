import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { emailTokens } from "../../schema.ts";
import type { Io } from "../io.ts";
import { countAccountCall, mayEmail } from "../limits/attempts.ts";
import { isOwnersSpelling } from "../limits/mailbox.ts";
import { LIMITS } from "../limits/table.ts";
import { validationFailed } from "../platform/errors.ts";
import { newId } from "../platform/random.ts";
import { HOUR_MS } from "../platform/time.ts";
import { findAccountByEmail, pendingChange } from "./accounts.ts";
import { change } from "./change.ts";
import { alreadyRegisteredEmail } from "./emails/already-registered.ts";
import { changeEmailEmail } from "./emails/change-email.ts";
import { emailChangeRequestedEmail } from "./emails/email-change-requested.ts";
import { recordEvent } from "./security-events.ts";
import type { Session } from "./sessions.ts";
import { requestLink } from "../mail/link-turns.ts";
import { requireMail, sendNotice } from "../mail/queue.ts";

/** The statement that ends a change waiting for its confirmation. */
function endPending({ db, now }: Io, userId: string) {
  return db.update(emailTokens).set({ usedAt: now }).where(pendingChange(userId));
}

/**
 * Emails the new address a link and the current one a notice; a later request replaces this one. The owner of a verified
 * account at the new address gets the email of a repeated registration instead, in the same statements, rows, and
 * response: nobody learns whether the account exists, nor from emails over the budget, which are silently dropped.
 * @throws ApiError 400 VALIDATION_FAILED for the account's own address, 429 after too many requests, as `change`, 503
 * when email can't be sent
 */
export async function requestEmailChange(io: Io, session: Session, email: string): Promise<void> {
  const { db, now } = io;
  const { account } = session;
  requireMail(io);
  if (email === account.email) throw validationFailed({ email: "This is already your email address" });
  await countAccountCall(io, LIMITS.emailChangePerAccount, account.id);
  const owner = await findAccountByEmail(db, email);
  const isTaken = Boolean(owner?.verifiedAt);
  const rule = isTaken ? LIMITS.alreadyRegisteredMail : LIMITS.changeMail;
  const link = await requestLink(io, email);
  const isOwners = !link.waits && isOwnersSpelling(email, isTaken);
  const { isAllowed } = await mayEmail(io, rule, { email, hasAccount: true, isOwners });
  const id = newId("tok");
  const expiresAt = now + EMAIL_TOKEN_HOURS.change_email * HOUR_MS;
  await change(io, session, [
    endPending(io, account.id),
    db
      .insert(emailTokens)
      .values({ id, userId: account.id, purpose: "change_email", email, createdAt: now, expiresAt }),
  ]);
  recordEvent(io, account.id, "email_change_requested", { id, name: email });
  await sendNotice(io, emailChangeRequestedEmail, { user_id: account.id });
  // Emails over the budget are queued for nobody, since budgets differ by case.
  if (owner !== null && isTaken) await link.send(alreadyRegisteredEmail, { user_id: isAllowed ? owner.id : null });
  else await link.send(changeEmailEmail, { user_id: isAllowed ? account.id : null, about: id });
}

/** Cancels a change that waits for its confirmation, if there is one: its link no longer works. @throws as `change` */
export async function cancelEmailChange(io: Io, session: Session): Promise<void> {
  await change(io, session, [endPending(io, session.userId)]);
}
