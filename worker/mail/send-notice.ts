import type { Queue } from "@cloudflare/workers-types";
import type { Database } from "../db.ts";
import { sleep, within } from "../keys/cache/time-limit.ts";
import { failureText, logLine } from "../log.ts";
import { countOperations } from "../operations/counters.ts";
import type { MailMessage } from "./messages.ts";

/** How long D1 may take to count a mail that was not queued, in milliseconds: whoever made the change waits for their answer. */
const COUNT_MS = 1_000;

async function countNotQueued(db: Database, now: number): Promise<void> {
  const counts = { mail_not_queued: 1 };
  try {
    await within(countOperations(db, counts, now), COUNT_MS, sleep);
  } catch (error) {
    logLine("warn", "not_counted", { counts, message: failureText(error) });
  }
}

/**
 * Queues a mail about something that has been done already. Never rejects: whoever did it must not be told that it failed because a
 * mail could not be queued. The log has it then, and the counts of the day.
 */
export async function sendNotice(
  io: { readonly db: Database; readonly mail: Pick<Queue<MailMessage>, "send">; readonly now: number },
  message: MailMessage,
): Promise<void> {
  try {
    await io.mail.send(message);
  } catch (error) {
    logLine("error", "mail_not_queued", { purpose: message.purpose, message: failureText(error) });
    await countNotQueued(io.db, io.now);
  }
}
