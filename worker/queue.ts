import type { MessageBatch } from "@cloudflare/workers-types";
import type { Isolate } from "./io.ts";
import { logLine } from "./platform/log.ts";
import { consumeMail } from "./emails.ts";
import type { MailMessage } from "./mail/email.ts";
import { countOperations } from "./operations/counters.ts";
import type { Tally } from "./operations/counters.ts";
import { consumeUsage } from "./ledger/consumer.ts";
import { consumeDeadLetters, deadLetterQueue } from "./operations/dead-letters.ts";

async function consumeUsageOf(batch: MessageBatch<unknown>, isolate: Isolate): Promise<Tally> {
  const { usageMaxAge: maxAge } = isolate.config();
  return consumeUsage(batch, { db: isolate.db(), ledgers: isolate.env.LEDGER, now: isolate.now(), maxAge });
}

/** @throws for a queue that the settings don't name, so that the platform delivers again */
async function dispatch(batch: MessageBatch<unknown>, isolate: Isolate): Promise<Tally> {
  const { USAGE_QUEUE, MAIL_QUEUE } = isolate.env;
  switch (batch.queue) {
    case USAGE_QUEUE:
      return consumeUsageOf(batch, isolate);
    case MAIL_QUEUE:
      return consumeMail(batch as MessageBatch<MailMessage>, isolate);
    case deadLetterQueue(USAGE_QUEUE):
    case deadLetterQueue(MAIL_QUEUE):
      return consumeDeadLetters(batch, isolate.db(), isolate.now());
    default:
      throw new Error(`The settings name no queue ${batch.queue}`);
  }
}

/** Dispatches a delivery to its queue's consumer, and records the result in one log line and the day's counts. */
export async function consumeBatch(batch: MessageBatch<unknown>, isolate: Isolate): Promise<void> {
  const { now } = isolate;
  const started = now();
  const { queue, messages } = batch;
  const oldest = Math.min(...messages.map(({ timestamp }) => timestamp.getTime()));
  const tally = await dispatch(batch, isolate);
  logLine("info", "queue_batch", {
    queue,
    messages: messages.length,
    attempts: Math.max(...messages.map(({ attempts }) => attempts)),
    lag_ms: Math.max(0, started - oldest),
    duration_ms: now() - started,
    outcome: Object.fromEntries(Object.entries(tally).filter(([, count]) => count > 0)),
  });
  await countOperations(isolate.db(), tally, started);
}
