import type { Queue } from "@cloudflare/workers-types";
import { attemptSubject, countAttempt } from "../limits/attempts.ts";
import type { AttemptVerdict } from "../limits/attempts.ts";
import { NOTICE_RULE } from "../limits/rules.ts";
import { countOperations } from "../operations/counters.ts";
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

/** Queues emails for the consumer in worker/emails.ts. */
export interface MailQueue {
  /**
   * For flows that depend on the email arriving.
   * @throws whatever the queue throws
   */
  send(email: Purpose, message: Omit<MailMessage, "purpose">): Promise<void>;
  /**
   * For an email about a change that has already been made. The first of its kind to an account goes out immediately,
   * and one more at the end of ten minutes about all others since. Never rejects, since the change succeeded: what the
   * queue rejects is logged and counted.
   */
  notify(email: Purpose, message: Omit<MailMessage, "purpose">): Promise<void>;
  /** @throws ApiError 503 when email can't be sent, so no one waits for one. */
  require(): void;
}

export function createMailQueue(io: {
  readonly queue: Pick<Queue<MailMessage>, "send">;
  readonly db: Database;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** The key for hashing subjects of limits. */
  readonly secret: string;
  /** Whether the service is set up to send email. */
  readonly isConfigured: boolean;
}): MailQueue {
  /** The rank of a notice among others of its kind; without the database, each is the first. */
  async function turnOf({ user_id: userId, purpose }: MailMessage): Promise<AttemptVerdict> {
    const subject = attemptSubject(io.secret, NOTICE_RULE, purpose, userId ?? "");
    try {
      return await within(countAttempt(io.db, io.now, [subject]), COUNT_MS, sleep);
    } catch (error) {
      logLine("warn", "notice_not_counted", { message: failureText(error) });
      return { allowed: true, remaining: NOTICE_RULE.limit - 1, resetSeconds: 0 };
    }
  }

  async function sendInTurn(message: MailMessage): Promise<void> {
    const turn = await turnOf(message);
    if (!turn.allowed) return;
    if (turn.remaining > 0) return void (await io.queue.send(message, { contentType: "json" }));
    const delaySeconds = turn.resetSeconds;
    const since = io.now + delaySeconds * 1000 - NOTICE_RULE.window - CLOCKS_MS;
    await io.queue.send({ ...message, since }, { contentType: "json", delaySeconds });
  }

  async function countNotQueued(): Promise<void> {
    const counts = { mail_not_queued: 1 };
    try {
      await within(countOperations(io.db, counts, io.now), COUNT_MS, sleep);
    } catch (error) {
      logLine("warn", "not_counted", { counts, message: failureText(error) });
    }
  }

  return {
    async send({ purpose }, message) {
      await io.queue.send({ ...message, purpose }, { contentType: "json" });
    },
    async notify({ purpose }, message) {
      try {
        await sendInTurn({ ...message, purpose });
      } catch (error) {
        logLine("error", "mail_not_queued", { purpose, message: failureText(error) });
        await countNotQueued();
      }
    },
    require() {
      if (io.isConfigured) return;
      const message = "This service can't send email yet, so this isn't available.";
      throw new ApiError("TEMPORARILY_UNAVAILABLE", { message });
    },
  };
}
