import { eq, max, min } from "drizzle-orm";
import { CURRENT_SECONDS } from "../../contract/checks.ts";
import type { Capacity, CapacityName } from "../../contract/status.ts";
import { capacities, deadLetters, users } from "../../schema.ts";
import type { Queue } from "@cloudflare/workers-types";
import type { Database } from "../platform/db.ts";
import { failureText, logLine } from "../platform/log.ts";
import { sleep, within } from "../platform/time-limit.ts";

/** Cloudflare's limits on Workers Paid, in bytes: for a D1 database, a Durable Object, and a queue. */
const DATABASE_BYTES = 10e9;
const LEDGER_BYTES = 10e9;
const QUEUE_BYTES = 25e9;

/** The share of each that counts as nearly full, with time left to act. */
export const NEARLY_FULL: Readonly<Record<CapacityName, number>> = {
  database_bytes: 0.8,
  largest_ledger_bytes: 0.8,
  usage_queue_bytes: 0.5,
  mail_queue_bytes: 0.5,
  usage_queue_age_ms: 0.25,
  mail_queue_age_ms: 0.25,
  dead_letters_age_ms: 0.25,
  emails_per_hour: 0.5,
};

/** How long D1 and a queue may take, in milliseconds. */
const TIMEOUT_MS = 5_000;

interface Measured {
  readonly name: CapacityName;
  readonly used: number;
  readonly most: number;
}

/** What is measured. */
interface Resources {
  readonly db: Database;
  readonly queues: Readonly<Record<"usage" | "mail", Pick<Queue, "metrics">>>;
  /** The name of the usage queue. */
  readonly usageQueue: string;
  /** How long a message may wait, in milliseconds. */
  readonly maxAge: number;
  /** Emails of the current hour in the part that has the least left, and the most that it may have. */
  readonly emails: () => Promise<{ readonly used: number; readonly most: number }>;
}

function isNearlyFull({ name, used, most }: Measured): boolean {
  return used >= NEARLY_FULL[name] * most;
}

async function measureDatabase(db: Database): Promise<Measured[]> {
  // Every D1 response includes the size.
  const { meta } = await db.$client.prepare("SELECT 1").all();
  return [{ name: "database_bytes", used: meta.size_after, most: DATABASE_BYTES }];
}

async function measureLedgers(db: Database): Promise<Measured[]> {
  const row = await db
    .select({ largest: max(users.ledgerBytes) })
    .from(users)
    .get();
  return [{ name: "largest_ledger_bytes", used: row?.largest ?? 0, most: LEDGER_BYTES }];
}

/** Usage waiting as a dead letter can become too old to count, as it can in the queue. */
async function measureDeadLetters({ db, usageQueue, maxAge }: Resources, now: number): Promise<Measured[]> {
  const row = await db
    .select({ oldest: min(deadLetters.receivedAt) })
    .from(deadLetters)
    .where(eq(deadLetters.queue, usageQueue))
    .get();
  return [{ name: "dead_letters_age_ms", used: now - (row?.oldest ?? now), most: maxAge }];
}

async function measureQueue(kind: "usage" | "mail", { queues, maxAge }: Resources, now: number): Promise<Measured[]> {
  const { backlogBytes, backlogCount, oldestMessageTimestamp } = await queues[kind].metrics();
  // An empty queue may report the epoch.
  const oldest = backlogCount > 0 && oldestMessageTimestamp ? new Date(oldestMessageTimestamp).getTime() : now;
  return [
    { name: `${kind}_queue_bytes`, used: backlogBytes, most: QUEUE_BYTES },
    { name: `${kind}_queue_age_ms`, used: Math.max(0, now - oldest), most: maxAge },
  ];
}

async function measureEmails({ emails }: Resources): Promise<Measured[]> {
  return [{ name: "emails_per_hour", ...(await emails()) }];
}

/** What could be measured; the rest keeps its last measurement. */
async function measureAll(resources: Resources, now: number): Promise<Measured[]> {
  const works = [
    measureDatabase(resources.db),
    measureLedgers(resources.db),
    measureDeadLetters(resources, now),
    measureQueue("usage", resources, now),
    measureQueue("mail", resources, now),
    measureEmails(resources),
  ];
  const outcomes = await Promise.allSettled(works.map((work) => within(work, TIMEOUT_MS, sleep)));
  return outcomes.flatMap((outcome) => {
    if (outcome.status === "fulfilled") return outcome.value;
    logLine("warn", "capacity_not_measured", { message: failureText(outcome.reason) });
    return [];
  });
}

/**
 * Measures everything that can fill up, logs an error for each that nearly has, and stores the measurements for the
 * status page and operators.
 * @throws whatever D1 throws when storing them, after they are logged
 */
export async function checkCapacity(resources: Resources, now: number): Promise<void> {
  const { db } = resources;
  const measured = await measureAll(resources, now);
  for (const each of measured.filter(isNearlyFull)) {
    const { name, used, most } = each;
    logLine("error", "nearly_full", { capacity: name, used, most, percent: Math.floor((100 * used) / most) });
  }
  const writes = measured.map(({ name, ...rest }) => {
    const row = { ...rest, measuredAt: now };
    return db
      .insert(capacities)
      .values({ name, ...row })
      .onConflictDoUpdate({ target: capacities.name, set: row });
  });
  const [first, ...others] = writes;
  if (first !== undefined) await within(db.batch([first, ...others]), TIMEOUT_MS, sleep);
}

/** How full something was when last measured. Sizes are in bytes, ages in milliseconds, emails by number. */
export interface CapacityHealth extends Measured {
  readonly measured_at: string;
  readonly nearly_full: boolean;
}

/** @throws whatever D1 throws */
export async function readCapacities(db: Database): Promise<CapacityHealth[]> {
  const rows = await db.select().from(capacities);
  const names = Object.keys(NEARLY_FULL) as CapacityName[];
  return names.flatMap((name) => {
    const row = rows.find((other) => other.name === name);
    if (row === undefined) return [];
    const measured = { name, used: row.used, most: row.most };
    return [{ ...measured, measured_at: new Date(row.measuredAt).toISOString(), nearly_full: isNearlyFull(measured) }];
  });
}

/** The public part of it. @param now milliseconds since the Unix epoch */
export function capacityOf(all: readonly CapacityHealth[], now: number): Capacity {
  const nearly_full = all.filter((each) => each.nearly_full).map(({ name }) => name);
  const isCurrent = all.some(({ measured_at }) => Date.parse(measured_at) >= now - CURRENT_SECONDS * 1000);
  if (!isCurrent) return { state: "unknown", nearly_full: [] };
  return { state: nearly_full.length > 0 ? "nearly_full" : "enough", nearly_full };
}
