import { CAPACITY_SECONDS } from "../../contract/checks.ts";
import type { Capacity, CapacityName } from "../../contract/status.ts";
import { capacities } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { logLine } from "../platform/log.ts";
import { sleep, within } from "../platform/time-limit.ts";
import { utcDay } from "../platform/time.ts";

/** Cloudflare's limits on Workers Paid, in bytes: for a D1 database and a Durable Object. */
const DATABASE_BYTES = 10e9;
const LEDGER_BYTES = 10e9;

/** The share of each that counts as nearly full, with time left to act. */
export const NEARLY_FULL: Readonly<Record<CapacityName, number>> = {
  database_bytes: 0.8,
  largest_ledger_bytes: 0.8,
  dead_letters_age_ms: 0.25,
  emails_per_day: 0.8,
};

/** How long D1 may take, in milliseconds. */
const TIMEOUT_MS = 5_000;

interface Measured {
  readonly name: CapacityName;
  readonly used: number;
  readonly most: number;
}

/** What is measured. */
interface Resources {
  readonly db: Database;
  /** The name of the usage queue. */
  readonly usageQueue: string;
  /** How long a usage message may wait, in milliseconds. */
  readonly maxAge: number;
  /** The most emails that the provider sends in a day; null if it has no such quota. */
  readonly mailPerDay: number | null;
}

function isNearlyFull({ name, used, most }: Measured): boolean {
  return used >= NEARLY_FULL[name] * most;
}

/** Usage waiting as a dead letter can become too old to count, as it can in the queue. */
const QUERY = `
  SELECT (SELECT max(ledger_bytes) FROM users) AS ledger,
    (SELECT min(received_at) FROM dead_letters WHERE queue = ?1) AS oldest,
    (SELECT count FROM operation_counts WHERE day = ?2 AND counter = 'mail_sent') AS mails`;

async function measureAll({ db, usageQueue, maxAge, mailPerDay }: Resources, now: number): Promise<Measured[]> {
  const asked = db.$client.prepare(QUERY).bind(usageQueue, utcDay(now));
  type Row = Readonly<Record<"ledger" | "oldest" | "mails", number | null>>;
  // Every D1 response includes the size.
  const { results, meta } = await within(asked.all<Row>(), TIMEOUT_MS, sleep);
  const { ledger, oldest, mails } = results[0]!;
  return [
    { name: "database_bytes", used: meta.size_after, most: DATABASE_BYTES },
    { name: "largest_ledger_bytes", used: ledger ?? 0, most: LEDGER_BYTES },
    { name: "dead_letters_age_ms", used: now - (oldest ?? now), most: maxAge },
    ...(mailPerDay === null ? [] : [{ name: "emails_per_day" as const, used: mails ?? 0, most: mailPerDay }]),
  ];
}

/**
 * Measures everything that can fill up, logs an error for each that nearly has, and stores the measurements for the
 * status page and operators.
 * @throws whatever D1 throws; when it takes none, after they are logged
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

/** How full something was when last measured. Sizes are in bytes, ages in milliseconds. */
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
  const isCurrent = all.some(({ measured_at }) => Date.parse(measured_at) >= now - CAPACITY_SECONDS * 1000);
  if (!isCurrent) return { state: "unknown", nearly_full: [] };
  return { state: nearly_full.length > 0 ? "nearly_full" : "enough", nearly_full };
}
