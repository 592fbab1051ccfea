import type { Message, MessageBatch } from "@cloudflare/workers-types";
import { and, eq, gte } from "drizzle-orm";
import { MAX_NEW_KEYS_PER_HOUR } from "../../contract/limits.ts";
import { apiKeys, users } from "../../schema.ts";
import type { Bindings } from "../env.ts";
import type { Isolate } from "../io.ts";
import type { Reading } from "../ledger/reports.ts";
import type { MailConfig, Secrets } from "../platform/config.ts";
import { openDatabase } from "../platform/db.ts";
import { failureText, logLine } from "../platform/log.ts";
import { backoffSeconds } from "../platform/queues.ts";
import type { Counter, Tally } from "../operations/counters.ts";
import { quotaToTell, trialToTell } from "../subscriptions/notices.ts";
import { readSubscription } from "../subscriptions/subscription.ts";
import { cloudflareDriver } from "./cloudflare.ts";
import { MailRejected } from "./driver.ts";
import type { MailDriver } from "./driver.ts";
import { eventsToTell } from "../accounts/security-events.ts";
import { activateToken } from "../accounts/email-tokens.ts";
import { MAIL_PURPOSES, NOTICE_PURPOSES } from "./messages.ts";
import type { MailMessage } from "./messages.ts";
import { mailboxDriver } from "./mailbox.ts";
import { renderMail } from "./render.ts";
import { resendDriver } from "./resend.ts";
import type { MailOccasion } from "./templates.ts";

/** The most keys one email lists: more than can be generated in the ten minutes it covers. */
const MOST_KEYS = 2 * MAX_NEW_KEYS_PER_HOUR;

const RETRY_SECONDS = { first: 60, longest: 3_600 };

/** The outcome of a message that didn't fail: `skipped` when there was nothing left to send. */
type Outcome = "sent" | "skipped" | "nobody";

/** Opens the operator's configured driver. */
function openMailDriver({ EDGE, SEND_EMAIL }: Bindings, { driver, from, resend }: MailConfig): MailDriver {
  if (driver === "mailbox") return mailboxDriver(EDGE);
  if (driver === "cloudflare") return cloudflareDriver(SEND_EMAIL, from);
  if (resend === null) throw new Error("MAIL_DRIVER is resend, but no API key is configured");
  return resendDriver({ ...resend, from });
}

/** Looks up the email's subject at send time; null when it is gone, used, expired, or no longer applies. */
async function occasionOf(
  reading: Reading,
  message: MailMessage,
  { userId, secrets }: { readonly userId: string; readonly secrets: Secrets },
): Promise<MailOccasion | null> {
  const { db, now } = reading;
  const { purpose, token_id: tokenId, key_id: keyId, event_id: eventId, since } = message;
  switch (purpose) {
    case "verify_email":
    case "reset_password": {
      if (tokenId === undefined) throw new Error("The message has no token");
      const token = await activateToken(db, { id: tokenId, secrets, now });
      return token === null ? null : { purpose, token };
    }
    case "live_key_created": {
      if (keyId === undefined) throw new Error("The message has no key");
      const { name, hint, createdAt } = apiKeys;
      const isMeant =
        typeof since === "number"
          ? and(eq(apiKeys.userId, userId), eq(apiKeys.mode, "live"), gte(apiKeys.createdAt, since))
          : eq(apiKeys.id, keyId);
      const keys = await db
        .select({ name, hint, createdAt })
        .from(apiKeys)
        .where(isMeant)
        .orderBy(createdAt)
        .limit(MOST_KEYS);
      return keys.length === 0 ? null : { purpose, keys };
    }
    case "security_notice": {
      if (eventId === undefined) throw new Error("The message has no event");
      const events = await eventsToTell(db, userId, { id: eventId, since });
      return events.length === 0 ? null : { purpose, events };
    }
    case "quota_80":
    case "quota_100": {
      const quota = quotaToTell(await readSubscription(reading, userId), purpose);
      return quota === null ? null : { purpose, quota };
    }
    case "trial_ending": {
      const trial = trialToTell(await readSubscription(reading, userId), now);
      return trial === null ? null : { purpose, trial };
    }
    case "already_registered":
    case "password_changed":
      return { purpose };
    default:
      throw new Error("The message has an unknown purpose");
  }
}

/** Identifies a notice that an account should get once per batch; null for emails that are all distinct. */
function noticeOf({ user_id: userId, purpose }: MailMessage): string | null {
  return NOTICE_PURPOSES.some((notice) => notice === purpose) ? `${purpose} ${userId}` : null;
}

async function handle(message: Message<MailMessage>, isolate: Isolate, told: Set<string>): Promise<Outcome> {
  const { user_id: userId } = message.body;
  if (userId === null) return "nobody";
  const { env } = isolate;
  const now = isolate.now();
  const { mail, origin, secrets } = isolate.config();
  const db = openDatabase(env.DB);
  const { email, name, verifiedAt, suspendedAt } = users;
  const user = await db.select({ email, name, verifiedAt, suspendedAt }).from(users).where(eq(users.id, userId)).get();
  if (user === undefined) return "nobody";
  if (mail === null) throw new Error("Current settings don't allow sending email");
  const driver = openMailDriver(env, mail);
  const notice = noticeOf(message.body);
  // An unverified address may be someone else's.
  if (message.body.purpose === "security_notice" && user.verifiedAt === null) return "skipped";
  // For a suspended account, "keys keep working" is not true.
  if (notice !== null && (told.has(notice) || user.suspendedAt !== null)) return "skipped";
  const occasion = await occasionOf({ db, now, ledgers: env.LEDGER }, message.body, {
    userId,
    secrets: secrets.emailTokens,
  });
  if (occasion === null) return "skipped";
  // Until the address is verified, a stranger may have chosen the name, and with it words to send to someone else.
  const recipient = { address: user.email, name: user.verifiedAt === null ? null : user.name };
  await driver.send(renderMail(occasion, recipient, origin), { now, userId, messageId: message.id });
  if (notice !== null) told.add(notice);
  return "sent";
}

function log(
  level: "info" | "error",
  event: "mail" | "mail_rejected",
  message: Message<unknown>,
  details: object,
): void {
  // A malformed message must not fail here too.
  const body = message.body as Partial<MailMessage> | null | undefined;
  const purpose = MAIL_PURPOSES.find((known) => known === body?.purpose) ?? null;
  logLine(level, event, { purpose, message_id: message.id, ...details });
}

async function consumeOne(
  message: Message<MailMessage>,
  isolate: Isolate,
  told: Set<string>,
): Promise<Counter | "mail_skipped" | null> {
  try {
    const outcome = await handle(message, isolate, told);
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
 * The consumer of the `MAIL` queue. Sends, skips, permanently rejects, or retries each message independently, except
 * that an account gets each subscription notice once per batch. Names, addresses, tokens, and keys are looked up here
 * and never logged.
 * @returns how many were sent, skipped, rejected, and retried
 */
export async function consumeMail(batch: MessageBatch<MailMessage>, isolate: Isolate): Promise<Tally> {
  const tally: Record<string, number> = {};
  const told = new Set<string>();
  // Sequentially: mail providers allow a few requests per second.
  for (const message of batch.messages) {
    const outcome = await consumeOne(message, isolate, told);
    if (outcome !== null) tally[outcome] = (tally[outcome] ?? 0) + 1;
  }
  return tally;
}
