import type { MessageBatch } from "@cloudflare/workers-types";
import { asc, count, eq, inArray } from "drizzle-orm";
import { deadLetters } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { failureText, logLine } from "../platform/log.ts";
import type { Tally } from "./counters.ts";

const RETRY_SECONDS = 60;
const PAGE = 100;
const SUFFIX = "-dead";

const KEEP =
  "INSERT INTO dead_letters (id, queue, body, received_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO NOTHING";

export type DeadLetter = typeof deadLetters.$inferSelect;

/** A queue to replay dead letters into. */
export interface ReplayQueue {
  send(body: unknown): Promise<unknown>;
}

/** Every body must become a row, even one that is not valid JSON. */
function toJson(body: unknown): string {
  try {
    return JSON.stringify(body) ?? "null";
  } catch {
    return JSON.stringify(String(body));
  }
}

/**
 * Stores messages as rows of `dead_letters`, once each.
 * @param failed.queue the queue they were meant for
 */
export async function keepDeadLetters(
  db: Database,
  failed: { readonly queue: string; readonly messages: readonly { readonly id: string; readonly body: unknown }[] },
  now: number,
): Promise<void> {
  // One statement each: a hundred large bodies in one parameter could exceed D1's limit.
  const d1 = db.$client;
  const keep = d1.prepare(KEEP);
  await d1.batch(failed.messages.map(({ id, body }) => keep.bind(id, failed.queue, toJson(body), now)));
}

/** The name of a queue's dead-letter queue in wrangler.toml. */
export function deadLetterQueue(queue: string): string {
  return queue + SUFFIX;
}

/**
 * The consumer of every dead-letter queue: stores what arrives, under the queue it failed in, and logs one error line.
 * @param now milliseconds since the Unix epoch
 * @returns how many were stored or retried
 */
export async function consumeDeadLetters(batch: MessageBatch<unknown>, db: Database, now: number): Promise<Tally> {
  const queue = batch.queue.slice(0, -SUFFIX.length);
  const details = { queue, count: batch.messages.length };
  try {
    await keepDeadLetters(db, { queue, messages: batch.messages }, now);
  } catch (error) {
    logLine("error", "dead_letters_not_kept", { ...details, message: failureText(error) });
    batch.retryAll({ delaySeconds: RETRY_SECONDS });
    return { retried: details.count };
  }
  batch.ackAll();
  logLine("error", "dead_letters", details);
  return { dead_letters: details.count };
}

/** The oldest dead letters, for operators. `receivedAt` is in milliseconds since the Unix epoch, `body` is JSON. */
export async function listDeadLetters(db: Database, limit = PAGE): Promise<DeadLetter[]> {
  return db.select().from(deadLetters).orderBy(asc(deadLetters.receivedAt), asc(deadLetters.id)).limit(limit);
}

/**
 * Puts the oldest 100 dead letters back into their queues and deletes them here. A row is deleted only after its queue
 * has accepted it, so an error in between can duplicate a message but never lose one. Rows of other queues stay.
 * @param queues by name, as in wrangler.toml: `{"checkline-usage": env.USAGE}`
 * @returns how many were replayed, and how many rows are left
 * @throws whatever queue or D1 throws; what was replayed until then stays replayed
 */
export async function replayDeadLetters(
  db: Database,
  queues: Readonly<Record<string, ReplayQueue>>,
): Promise<{ replayed: number; left: number }> {
  const messages = await db
    .select()
    .from(deadLetters)
    .where(inArray(deadLetters.queue, Object.keys(queues)))
    .orderBy(asc(deadLetters.receivedAt), asc(deadLetters.id))
    .limit(PAGE);
  for (const { id, queue, body } of messages) {
    await queues[queue]!.send(JSON.parse(body) as unknown);
    await db.delete(deadLetters).where(eq(deadLetters.id, id));
  }
  const rest = await db.select({ left: count() }).from(deadLetters).get();
  return { replayed: messages.length, left: rest?.left ?? 0 };
}
