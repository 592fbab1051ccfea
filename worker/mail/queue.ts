import type { Queue } from "@cloudflare/workers-types";
import { countOperations } from "../operations/counters.ts";
import type { Database } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { failureText, logLine } from "../platform/log.ts";
import { sleep, within } from "../platform/time-limit.ts";
import type { MailMessage } from "./messages.ts";

/** How long D1 may take to count an email that was not queued, in milliseconds: the request that made the change is waiting. */
const COUNT_MS = 1_000;

/** Queues emails for `consumer.ts`. */
export interface MailQueue {
  /**
   * For what rests on the email arriving.
   * @throws whatever the queue throws
   */
  send(message: MailMessage): Promise<void>;
  /**
   * For an email about a change that has been made already. Never rejects, since the change succeeded: what the queue refuses is
   * logged and counted.
   */
  notify(message: MailMessage): Promise<void>;
  /** @throws ApiError 503 when no email can be sent, so that nobody waits for one. */
  require(): void;
}

export function createMailQueue(io: {
  readonly queue: Pick<Queue<MailMessage>, "send">;
  readonly db: Database;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Whether the service is set up to send email. */
  readonly isConfigured: boolean;
}): MailQueue {
  async function send(message: MailMessage): Promise<void> {
    await io.queue.send(message, { contentType: "json" });
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
    send,
    async notify(message) {
      try {
        await send(message);
      } catch (error) {
        logLine("error", "mail_not_queued", { purpose: message.purpose, message: failureText(error) });
        await countNotQueued();
      }
    },
    require() {
      if (io.isConfigured) return;
      const message = "This service cannot send email yet, so this is not available.";
      throw new ApiError("TEMPORARILY_UNAVAILABLE", { message });
    },
  };
}
