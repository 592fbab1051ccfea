import type { ExportedHandler, ExportedHandlerFetchHandler, MessageBatch } from "@cloudflare/workers-types";
import { app } from "./app.ts";
import type { Bindings } from "./env.ts";
import { consumeMail } from "./mail/consumer.ts";
import type { MailMessage } from "./mail/messages.ts";
import { runSchedule } from "./schedule.ts";
import { settleQuotas } from "./subscriptions/settle-quotas.ts";
import { consumeUsage } from "./usage/consumer.ts";
import { consumeDeadLetters } from "./usage/dead-letters.ts";

async function consume(batch: MessageBatch<unknown>, env: Bindings): Promise<void> {
  if (batch.queue.endsWith("-dead")) return consumeDeadLetters(batch, env);
  if (batch.queue.endsWith("-mail")) return consumeMail(batch as MessageBatch<MailMessage>, env);
  return consumeUsage(batch, env, Date.now(), (userIds) => settleQuotas(env, userIds));
}

export default {
  fetch: app.fetch as unknown as ExportedHandlerFetchHandler<Bindings>,
  queue: consume,
  scheduled: ({ cron }, env) => runSchedule(cron, env, Date.now()),
} satisfies ExportedHandler<Bindings>;
