import type { Message, MessageBatch } from "@cloudflare/workers-types";
import { eq } from "drizzle-orm";
import { EMAIL_TOKEN_HOURS } from "../contract/limits.ts";
import { users } from "../schema.ts";
import { LONGEST_WAIT } from "./accounts/email-tokens.ts";
import { alreadyRegisteredEmail } from "./accounts/emails/already-registered.ts";
import { changeEmailEmail } from "./accounts/emails/change-email.ts";
import { emailChangeRequestedEmail } from "./accounts/emails/email-change-requested.ts";
import { emailChangeUndoneEmail } from "./accounts/emails/email-change-undone.ts";
import { emailChangedEmail } from "./accounts/emails/email-changed.ts";
import { passwordChangedEmail } from "./accounts/emails/password-changed.ts";
import { passwordResetEmail } from "./accounts/emails/password-reset.ts";
import { securityNoticeEmail } from "./accounts/emails/security-notice.ts";
import { verificationEmail } from "./accounts/emails/verification.ts";
import type { Io, Isolate } from "./io.ts";
import { liveKeyCreatedEmail } from "./keys/emails/live-key-created.ts";
import { LIMITS } from "./limits/table.ts";
import { takeTurn } from "./mail/ceilings.ts";
import type { Turn } from "./mail/ceilings.ts";
import { MailRejected } from "./mail/driver.ts";
import type { Email, MailMessage } from "./mail/email.ts";
import { takeLinkTurn } from "./mail/link-turns.ts";
import { openMailDriver } from "./mail/open-driver.ts";
import { CLOCKS_MS } from "./mail/queue.ts";
import { renderMail } from "./mail/render.ts";
import type { Counter, Tally } from "./operations/counters.ts";
import { HOUR_MS } from "./platform/time.ts";
import { failureText, logLine } from "./platform/log.ts";
import { backoffSeconds } from "./platform/queues.ts";
import { quotaNearlyUsedEmail, quotaUsedEmail } from "./subscriptions/emails/quota.ts";
import { trialEndingEmail } from "./subscriptions/emails/trial-ending.ts";

/** Every email. */
export const EMAILS: readonly Email<Pick<Io, "db" | "now" | "config" | "ledgers">, unknown>[] = [
  verificationEmail,
  passwordResetEmail,
  alreadyRegisteredEmail,
  passwordChangedEmail,
  changeEmailEmail,
  emailChangeRequestedEmail,
  emailChangedEmail,
  emailChangeUndoneEmail,
  securityNoticeEmail,
  liveKeyCreatedEmail,
  quotaNearlyUsedEmail,
  quotaUsedEmail,
  trialEndingEmail,
];

const RETRY_SECONDS = { first: 60, longest: 3_600 };

/** The longest a queue can delay a message, in seconds. */
const LONGEST_DELAY = 12 * 3_600;

/** The outcome of a message that didn't fail: `skipped` when there was nothing left to send. */
type Outcome = "sent" | "skipped" | "nobody" | Omit<Extract<Turn, { readonly verdict: "wait" }>, "verdict">;

/** Whether a link has waited for so long that it can't be sent any more. */
function isPast({ timestamp }: Message<MailMessage>, now: number): boolean {
  return now - timestamp.getTime() > LONGEST_WAIT + EMAIL_TOKEN_HOURS.verify_email * HOUR_MS;
}

/** What a link waits beyond the next hour, in seconds: more after each try, so that a flood of them is rarely tried. */
function backlogSeconds({ attempts }: Message<MailMessage>): number {
  return Math.floor(Math.random() * attempts) * 3_600;
}

/** A notice that has waited includes all of its kind since: others may have been left to it. */
function withWaiting(message: Message<MailMessage>, now: number): MailMessage {
  const { body, timestamp } = message;
  const queuedAt = timestamp.getTime();
  return now - queuedAt <= LIMITS.notice.window ? body : { since: queuedAt - CLOCKS_MS, ...body };
}

/**
 * Composes an email and sends it, unless it is over a ceiling.
 * @param sent purpose and account of the emails that this batch has sent and an account gets once
 */
async function sendEmail(message: Message<MailMessage>, isolate: Isolate, sent: Set<string>): Promise<Outcome> {
  const { counts } = message.body;
  const now = isolate.now();
  if (counts === undefined) return composeAndSend(message, isolate, sent);
  // For nobody, too: what waits counts the same for every address.
  const turn = await takeLinkTurn({ db: isolate.db(), now, config: isolate.config() }, counts);
  if (!turn.allowed && isPast(message, now)) return "skipped";
  if (!turn.allowed) return { limit: turn.limit, seconds: turn.retryAfterSeconds + backlogSeconds(message) };
  try {
    return await composeAndSend(message, isolate, sent);
  } catch (error) {
    // The retry counts again.
    await turn.refund();
    throw error;
  }
}

async function composeAndSend(message: Message<MailMessage>, isolate: Isolate, sent: Set<string>): Promise<Outcome> {
  const { user_id: userId, purpose } = message.body;
  const now = isolate.now();
  if (userId === null) return "nobody";
  const { env } = isolate;
  const db = isolate.db();
  const config = isolate.config();
  const { id, email, name, verifiedAt, suspendedAt } = users;
  const recipient = await db
    .select({ id, email, name, verifiedAt, suspendedAt })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  if (recipient === undefined) return "nobody";
  if (config.mail === null) throw new Error("Current settings don't allow sending email");
  const driver = openMailDriver(env, config.mail);
  const kind = EMAILS.find((each) => each.purpose === purpose);
  if (kind === undefined) throw new Error("The message has an unknown purpose");
  const isVerified = recipient.verifiedAt !== null;
  if (!isVerified && kind.part === "notices") return "skipped";
  if (kind.skipIfSuspended && recipient.suspendedAt !== null) return "skipped";
  const purposeAndAccount = `${purpose} ${userId}`;
  if (sent.has(purposeAndAccount)) return "skipped";
  const isNew = message.attempts === 1;
  const turn = await takeTurn({ db, now, config }, { kind, userId, address: recipient.email, isVerified, isNew });
  if (turn.verdict === "wait") return turn;
  if (turn.verdict === "included") return "skipped";
  let isSent = false;
  try {
    const about = withWaiting(message, now);
    const data = await kind.load?.({ db, now, config, ledgers: env.LEDGER }, about, recipient);
    if (data === null) return "skipped";
    const { origin } = config;
    // Until the address is verified, a stranger may have chosen the name, and with it words to send to someone else.
    const own = { address: recipient.email, name: isVerified ? recipient.name : null };
    const greeted = kind.to === undefined ? own : { address: kind.to(data), name: null };
    await driver.send(renderMail(kind.write(data, origin), greeted, origin), { now, userId, messageId: message.id });
    isSent = true;
  } finally {
    if (!isSent) await turn.refund();
  }
  if (kind.oncePerBatch) sent.add(purposeAndAccount);
  return "sent";
}

function log(
  level: "info" | "warn" | "error",
  event: "mail" | "mail_rejected",
  message: Message<unknown>,
  details: object,
): void {
  // A malformed message must not fail here too.
  const body = message.body as Partial<MailMessage> | null | undefined;
  const purpose = EMAILS.find((known) => known.purpose === body?.purpose)?.purpose ?? null;
  logLine(level, event, { purpose, message_id: message.id, ...details });
}

async function consumeOne(
  message: Message<MailMessage>,
  isolate: Isolate,
  sent: Set<string>,
): Promise<Counter | "mail_skipped" | null> {
  try {
    const outcome = await sendEmail(message, isolate, sent);
    if (typeof outcome === "object") {
      const delaySeconds = Math.min(outcome.seconds, LONGEST_DELAY);
      message.retry({ delaySeconds });
      log("warn", "mail", message, { outcome: "waits", ceiling: outcome.limit.name, delay_seconds: delaySeconds });
      return "mail_delayed";
    }
    message.ack();
    if (outcome === "nobody") return null;
    log("info", "mail", message, { outcome });
    return `mail_${outcome}`;
  } catch (error) {
    if (error instanceof MailRejected) {
      message.ack();
      log("error", "mail_rejected", message, { message: error.message });
      return "mail_rejected";
    }
    const { attempts } = message;
    const delaySeconds = backoffSeconds(attempts, RETRY_SECONDS);
    message.retry({ delaySeconds });
    const details = { outcome: "retry", attempts, delay_seconds: delaySeconds, message: failureText(error) };
    log("error", "mail", message, details);
    return "mail_retried";
  }
}

/**
 * The consumer of the `MAIL` queue: sends, skips, delays, permanently rejects, or retries each message independently.
 * Never logs names, addresses, tokens, or keys.
 * @returns how many were sent, skipped, delayed, rejected, and retried
 */
export async function consumeMail(batch: MessageBatch<MailMessage>, isolate: Isolate): Promise<Tally> {
  const tally: Record<string, number> = {};
  const sent = new Set<string>();
  // Sequentially: mail providers allow a few requests per second.
  for (const message of batch.messages) {
    const outcome = await consumeOne(message, isolate, sent);
    if (outcome !== null) tally[outcome] = (tally[outcome] ?? 0) + 1;
  }
  return tally;
}
