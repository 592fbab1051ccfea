import type { Message, MessageBatch } from "@cloudflare/workers-types";
import { expect } from "vitest";
import type { MailMessage } from "../worker/mail/email.ts";

export interface MailDelivery {
  readonly message: Message<MailMessage>;
  /** "ack", or "retry" with its delay in seconds, in call order. */
  readonly answers: string[];
}

let lastMessage = 0;

/** A message delivered by the `MAIL` queue, with any body, which records what the consumer did. */
export function deliverMail(body: unknown, { attempts = 1, id = `message-${++lastMessage}` } = {}): MailDelivery {
  const answers: string[] = [];
  const message: Message<MailMessage> = {
    id,
    timestamp: new Date(),
    body: body as MailMessage,
    attempts,
    ack: () => void answers.push("ack"),
    retry: (options) => void answers.push(`retry ${options?.delaySeconds}`),
  };
  return { message, answers };
}

/** The deliveries as one batch, which must be handled message by message. */
export function batchOf(deliveries: readonly MailDelivery[]): MessageBatch<MailMessage> {
  const unused = () => expect.unreachable("Each message is acknowledged separately");
  const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
  const messages = deliveries.map(({ message }) => message);
  return { queue: "checkline-mail", messages, metadata, ackAll: unused, retryAll: unused };
}
