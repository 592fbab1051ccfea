import type { Message, MessageBatch } from "@cloudflare/workers-types";
import * as v from "valibot";
import { keepDeadLetters } from "../operations/dead-letters.ts";
import type { Tally } from "../operations/counters.ts";
import type { Database } from "../platform/db.ts";
import { failureText, logLine } from "../platform/log.ts";
import { backoffSeconds } from "../platform/queues.ts";
import { DAY_MS } from "../platform/time.ts";
import { callLedger } from "./namespace.ts";
import type { LedgerNamespace } from "./namespace.ts";
import { numbersIn, UsageMessageSchema } from "./part.ts";

/** Delay before a message is redelivered: doubles up to four hours. */
const RETRY_SECONDS = { first: 10, longest: 4 * 3_600 };
/** How long a message that can't be read is retried, in milliseconds: after a rollback, the next release can read it. */
const UNREAD_MS = DAY_MS;

/** The consumer's dependencies. */
export interface Consuming {
  readonly db: Database;
  readonly ledgers: LedgerNamespace;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** How old counts may be, in milliseconds: less than the queue's retention. */
  readonly maxAge: number;
}

/**
 * The consumer of the USAGE queue. Each message is one call to a ledger, and is retried until the ledger accepts it.
 * Counts too old to keep waiting are logged as `usage_lost`, and messages that can't be read become dead letters after a
 * day.
 * @returns how many numbers were counted and lost, messages retried, and messages set aside
 */
export async function consumeUsage(
  { queue, messages }: Pick<MessageBatch<unknown>, "queue" | "messages">,
  { db, ledgers, now, maxAge }: Consuming,
): Promise<Tally> {
  const tally = { numbers: 0, usage_lost: 0, usage_retried: 0, usage_set_aside: 0 };
  const unread: Message<unknown>[] = [];

  function retry(message: Message<unknown>): void {
    tally.usage_retried += 1;
    message.retry({ delaySeconds: backoffSeconds(message.attempts, RETRY_SECONDS) });
  }

  async function consume(message: Message<unknown>): Promise<void> {
    const { success, output } = v.safeParse(UsageMessageSchema, message.body);
    if (!success) return void unread.push(message);
    try {
      if ("erase" in output) {
        await callLedger(ledgers, { user: output.erase }, (ledger) => ledger.erase());
      } else if (output.part.at < now - maxAge) {
        tally.usage_lost += numbersIn(output.part);
      } else {
        const { part } = output;
        const { lost } = await callLedger(ledgers, part, (ledger) => ledger.record(part));
        tally.usage_lost += lost;
        tally.numbers += numbersIn(part) - lost;
      }
      message.ack();
    } catch (error) {
      logLine("error", "usage_not_stored", { message: failureText(error) });
      retry(message);
    }
  }

  await Promise.all(messages.map(consume));
  const isOld = ({ timestamp }: Message<unknown>) => timestamp.getTime() <= now - UNREAD_MS;
  const [old, young] = [unread.filter(isOld), unread.filter((message) => !isOld(message))];
  if (young.length > 0) logLine("error", "usage_not_read", { count: young.length });
  for (const message of young) retry(message);
  if (old.length > 0) {
    try {
      await keepDeadLetters(db, { queue, messages: old }, now);
      tally.usage_set_aside = old.length;
      logLine("error", "usage_set_aside", { count: old.length });
      for (const message of old) message.ack();
    } catch (error) {
      logLine("error", "dead_letters_not_kept", { count: old.length, message: failureText(error) });
      for (const message of old) retry(message);
    }
  }
  if (tally.usage_lost > 0) logLine("error", "usage_lost", { count: tally.usage_lost, message: "too old" });
  return tally;
}
