import type { MessageBatch } from "@cloudflare/workers-types";
import { openDatabase } from "./db.ts";
import type { Bindings } from "./env.ts";
import { logLine } from "./log.ts";
import { consumeMail } from "./mail/consumer.ts";
import type { MailMessage } from "./mail/messages.ts";
import { countOperations } from "./operations/counters.ts";
import type { Tally } from "./operations/counters.ts";
import { takeProbes } from "./status/probe.ts";
import { settleQuotas } from "./subscriptions/settle-quotas.ts";
import { consumeUsage } from "./usage/consumer.ts";
import { consumeDeadLetters } from "./usage/dead-letters.ts";

async function dispatch(batch: MessageBatch<unknown>, env: Bindings): Promise<Tally> {
  if (batch.queue.endsWith("-dead")) return consumeDeadLetters(batch, env);
  if (batch.queue.endsWith("-mail")) return consumeMail(batch as MessageBatch<MailMessage>, env);
  const rest = await takeProbes(batch, env, Date.now());
  const probes = batch.messages.length - rest.messages.length;
  if (rest.messages.length === 0) return { probes };
  const tally = await consumeUsage(rest, env, Date.now(), (userIds) => settleQuotas(env, userIds));
  return { ...tally, probes };
}

/** Hands a delivery to the consumer of its queue, and tells in one line, and in the day's counts, what came of it. */
export async function consumeBatch(batch: MessageBatch<unknown>, env: Bindings): Promise<void> {
  const started = Date.now();
  const { queue, messages } = batch;
  const oldest = Math.min(...messages.map(({ timestamp }) => timestamp.getTime()));
  const tally = await dispatch(batch, env);
  logLine("info", "queue_batch", {
    queue,
    messages: messages.length,
    attempts: Math.max(...messages.map(({ attempts }) => attempts)),
    lag_ms: Math.max(0, started - oldest),
    duration_ms: Date.now() - started,
    outcome: Object.fromEntries(Object.entries(tally).filter(([, count]) => count > 0)),
  });
  await countOperations(openDatabase(env.DB), tally, started);
}
