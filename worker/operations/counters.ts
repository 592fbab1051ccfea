import { gte, lt } from "drizzle-orm";
import { operationCounts } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { failureText, logLine } from "../platform/log.ts";
import { DAY_MS, utcDay } from "../platform/time.ts";

/** What is counted by day, and what each count is of, in the words of `npm run admin -- health`. */
export const COUNTERS = {
  usage_retried: "parts of usage that a ledger refused and were sent again",
  usage_lost: "verifications that were never counted: their ledger refused them for too long",
  usage_set_aside: "usage messages that cannot be counted and became dead letters",
  dead_letters: "messages that failed every try",
  mail_sent: "emails that the provider took",
  mail_retried: "emails that could not be sent and were retried",
  mail_rejected: "emails refused for good",
  mail_not_queued: "emails about a change that the queue refused: never sent",
  kv_repaired: "keys that KV had missed, now written",
  kv_refused: "keys that KV refused again",
} as const;

export type Counter = keyof typeof COUNTERS;

/** What came of some work, by what: any names, of which those in `COUNTERS` are added up by day. */
export type Tally = Readonly<Record<string, number>>;

const ADD = `
  INSERT INTO operation_counts (day, counter, count)
  SELECT ?1, e.key, e.value FROM json_each(?2) AS e
  WHERE true
  ON CONFLICT (day, counter) DO UPDATE SET count = operation_counts.count + excluded.count`;

/**
 * Adds to the day's counts; with nothing to add it asks nothing of the database. A count that cannot be stored fails nobody: the log
 * has it.
 */
export async function countOperations(db: Database, tally: Tally, now: number): Promise<void> {
  const counts = Object.entries(tally).filter(([name, count]) => Object.hasOwn(COUNTERS, name) && count > 0);
  if (counts.length === 0) return;
  const added = Object.fromEntries(counts);
  try {
    await db.$client.prepare(ADD).bind(utcDay(now), JSON.stringify(added)).run();
  } catch (error) {
    logLine("warn", "not_counted", { counts: added, message: failureText(error) });
  }
}

/** How many days counts are kept. */
const COUNT_DAYS = 90;

/** Deletes the counts of days long past. @throws whatever D1 throws */
export async function purgeCounts(db: Database, now: number): Promise<void> {
  await db.delete(operationCounts).where(lt(operationCounts.day, utcDay(now - COUNT_DAYS * DAY_MS)));
}

/** The counts of the last days, by day and counter. Days and counters without a count are left out. */
export async function readCounts(db: Database, days: number, now: number) {
  return db
    .select()
    .from(operationCounts)
    .where(gte(operationCounts.day, utcDay(now - (days - 1) * DAY_MS)));
}
