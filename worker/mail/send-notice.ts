import type { Queue } from "@cloudflare/workers-types";
import { failureText, logLine } from "../log.ts";
import type { MailMessage } from "./messages.ts";

/**
 * Queues a mail about something that has been done already. Never rejects: whoever did it must not be told that it failed because a
 * mail could not be queued.
 */
export async function sendNotice(mail: Pick<Queue<MailMessage>, "send">, message: MailMessage): Promise<void> {
  try {
    await mail.send(message);
  } catch (error) {
    logLine("error", "mail_not_queued", { purpose: message.purpose, message: failureText(error) });
  }
}
