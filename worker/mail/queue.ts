import type { Queue } from "@cloudflare/workers-types";
import { attemptSubject, countAttempt } from "../limits/attempts.ts";
import type { AttemptVerdict } from "../limits/attempts.ts";
import { LIMITS } from "../limits/table.ts";
import { countOperations } from "../operations/counters.ts";
import type { Config } from "../platform/config.ts";
import type { Database } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { failureText, logLine } from "../platform/log.ts";
import { sleep, within } from "../platform/time-limit.ts";
import type { Email, MailMessage } from "./email.ts";

/** How long D1 may take to count an email, in milliseconds: the request that made the change is waiting. */
const COUNT_MS = 1_000;
/** Requests that started at about the same time may be counted in another order. */
export const CLOCKS_MS = 60_000;

type Purpose = Pick<Email<never, never>, "purpose">;
type Message = Omit<MailMessage, "purpose">;

/** The parts of a request's `io` that email needs. */
export interface MailIo {
  readonly db: Database;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly queues: { readonly mail: Pick<Queue<MailMessage>, "send"> };
  readonly config: Pick<Config, "mail" | "secrets">;
}

/** The rank of a notice among others of its kind; without the database, each is the first. */
async function turnOf({ db, now, config }: MailIo, { user_id: userId, purpose }: MailMessage): Promise<AttemptVerdict> {
  const subject = attemptSubject(config.secrets.attempts.current, LIMITS.notice, {
    "kind of email": purpose,
    account: userId ?? "",
  });
  try {
    return await within(countAttempt(db, now, [subject]), COUNT_MS, sleep);
  } catch (error) {
    logLine("warn", "notice_not_counted", { message: failureText(error) });
    return { allowed: true, remaining: LIMITS.notice.max - 1, resetSeconds: 0 };
  }
}

async function sendInTurn(io: MailIo, message: MailMessage): Promise<void> {
  const turn = await turnOf(io, message);
  if (!turn.allowed) return;
  if (turn.remaining > 0) return void (await io.queues.mail.send(message, { contentType: "json" }));
  const delaySeconds = turn.resetSeconds;
  const since = io.now + delaySeconds * 1000 - LIMITS.notice.window - CLOCKS_MS;
  await io.queues.mail.send({ ...message, since }, { contentType: "json", delaySeconds });
}

async function countNotQueued({ db, now }: MailIo): Promise<void> {
  const counts = { mail_not_queued: 1 };
  try {
    await within(countOperations(db, counts, now), COUNT_MS, sleep);
  } catch (error) {
    logLine("warn", "not_counted", { counts, message: failureText(error) });
  }
}

/**
 * Queues an email for the consumer in worker/emails.ts, for flows that depend on it arriving.
 * @throws whatever the queue throws
 */
export async function sendMail(
  { queues }: MailIo,
  { purpose }: Purpose,
  message: Message,
  delaySeconds = 0,
): Promise<void> {
  await queues.mail.send({ ...message, purpose }, { contentType: "json", delaySeconds });
}

/**
 * Queues an email about a change that has already been made. The first of its kind to an account goes out immediately,
 * and one more at the end of ten minutes about all others since. Never rejects, since the change succeeded: what the
 * queue rejects is logged and counted.
 */
export async function sendNotice(io: MailIo, { purpose }: Purpose, message: Message): Promise<void> {
  try {
    await sendInTurn(io, { ...message, purpose });
  } catch (error) {
    logLine("error", "mail_not_queued", { purpose, message: failureText(error) });
    await countNotQueued(io);
  }
}

/** @throws ApiError 503 when email can't be sent, so no one waits for one. */
export function requireMail({ config }: MailIo): void {
  if (config.mail !== null) return;
  const message = "This service can't send email yet, so this isn't available.";
  throw new ApiError("TEMPORARILY_UNAVAILABLE", { message });
}
