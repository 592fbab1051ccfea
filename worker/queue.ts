import type { MessageBatch } from "@cloudflare/workers-types";
import { openDatabase } from "./platform/db.ts";
import type { Isolate } from "./io.ts";
import { logLine } from "./platform/log.ts";
import { consumeMail } from "./mail/consumer.ts";
import type { MailMessage } from "./mail/messages.ts";
import { countOperations } from "./operations/counters.ts";
import type { Tally } from "./operations/counters.ts";
import { takeProbes } from "./status/probe.ts";
import { consumeUsage } from "./ledger/consumer.ts";
import { consumeDeadLetters } from "./operations/dead-letters.ts";

async function dispatch(batch: MessageBatch<unknown>, isolate: Isolate): Promise<Tally> {
  const { env, now } = isolate;
  if (batch.queue.endsWith("-dead")) return consumeDeadLetters(batch, env);
  if (batch.queue.endsWith("-mail")) return consumeMail(batch as MessageBatch<MailMessage>, isolate);
  const rest = await takeProbes(batch, env, now());
  const probes = batch.messages.length - rest.messages.length;
  if (rest.messages.length === 0) return { probes };
  const tally = await consumeUsage(rest, {
    db: openDatabase(env.DB),
    ledgers: env.LEDGER,
    now: now(),
    maxAge: isolate.config().usageMaxAge,
  });
  return { ...tally, probes };
}

/** Dispatches a delivery to its queue's consumer, and records the result in one log line and the day's counts. */
export async function consumeBatch(batch: MessageBatch<unknown>, isolate: Isolate): Promise<void> {
  const { env, now } = isolate;
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
  await countOperations(openDatabase(env.DB), tally, started);
}
