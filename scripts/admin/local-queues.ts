import type { MessageBatch } from "@cloudflare/workers-types";
import type { Bindings } from "../../worker/env.ts";
import { consumeMail } from "../../worker/mail/consumer.ts";
import type { MailMessage } from "../../worker/mail/messages.ts";
import { consumeUsage } from "../../worker/usage/consumer.ts";
import type { ReplayQueue } from "../../worker/usage/dead-letters.ts";
import { configuredPort } from "../local/port.ts";

type Consumer = (batch: MessageBatch<unknown>) => Promise<unknown>;

/** A queue that hands each message to its consumer at once, and fails when the consumer would have it again. */
function directQueue(queue: string, consume: Consumer): ReplayQueue {
  return {
    async send(body) {
      let refused = false;
      function refuse(): void {
        refused = true;
      }
      function accept(): void {}
      const message = { id: crypto.randomUUID(), body, attempts: 1, timestamp: new Date(), ack: accept, retry: refuse };
      const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
      await consume({ queue, messages: [message], metadata, ackAll: accept, retryAll: refuse });
      if (refused) throw new Error(`The consumer of ${queue} failed again; the message is kept.`);
    },
  };
}

/**
 * The queues of this machine. Its queue bindings drop what they are sent unless a development server happens to run, so messages
 * are consumed here instead.
 */
export function localQueues(env: Bindings): Record<string, ReplayQueue> {
  const origin = `http://localhost:${configuredPort(process.env["PORT"])}`;
  const settings = { ...env, PUBLIC_ORIGIN: env.PUBLIC_ORIGIN ?? origin };
  return {
    "checkline-usage": directQueue("checkline-usage", (batch) => consumeUsage(batch, env)),
    "checkline-mail": directQueue("checkline-mail", (batch) =>
      consumeMail(batch as MessageBatch<MailMessage>, settings),
    ),
  };
}
