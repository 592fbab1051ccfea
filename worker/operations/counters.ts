import { gte, lt } from "drizzle-orm";
import { operationCounts } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { failureText, logLine } from "../platform/log.ts";
import { DAY_MS, utcDay } from "../platform/time.ts";

/** The daily counters and their descriptions in `npm run admin -- health`. */
export const COUNTERS = {
  usage_retried: "usage messages that were not counted yet and are retried",
  usage_lost: "verifications that were never counted: their ledger rejected them for too long",
  usage_set_aside: "usage messages that can't be read and became dead letters",
  dead_letters: "messages that failed every try",
  mail_sent: "emails that the provider accepted",
  mail_delayed: "emails over a ceiling, which wait in the queue",
  networks_over: "client networks whose links to unproved addresses had to wait, each once an hour",
  domains_over: "recipients' domains to which such links had to wait, each once an hour",
  mail_retried: "emails that couldn't be sent and were retried",
  mail_rejected: "emails rejected permanently",
  mail_not_queued: "emails about a change that the queue rejected: never sent",
  kv_written: "changed keys that the job wrote to KV",
  kv_rejected: "changed keys that KV rejected when the job wrote them",
} as const;

export type Counter = keyof typeof COUNTERS;

/** Outcomes of some work by name; those in `COUNTERS` are added up by day. */
export type Tally = Readonly<Record<string, number>>;

const ADD = `
  INSERT INTO operation_counts (day, counter, count)
  SELECT ?1, e.key, e.value FROM json_each(?2) AS e
  WHERE true
  ON CONFLICT (day, counter) DO UPDATE SET count = operation_counts.count + excluded.count`;

/**
 * Adds to the day's counts, without a query if there is nothing to add. Never throws: counts that can't be stored are
 * in the log.
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

/** Deletes the counts of old days. @throws whatever D1 throws */
export async function purgeCounts(db: Database, now: number): Promise<void> {
  await db.delete(operationCounts).where(lt(operationCounts.day, utcDay(now - COUNT_DAYS * DAY_MS)));
}

/** The counts of recent days, by day and counter. Days and counters without a count are omitted. */
export async function readCounts(db: Database, days: number, now: number) {
  return db
    .select()
    .from(operationCounts)
    .where(gte(operationCounts.day, utcDay(now - (days - 1) * DAY_MS)));
}
