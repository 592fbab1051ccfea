/**
 * How long deleting an account takes, by the size of its ledger: `npm run bench -- deletion`. Prints a table and writes
 * bench/results/deletion.json. Machines differ.
 */
import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";
import { deleteAccount } from "../worker/administration/delete-account.ts";
import type { LedgerNamespace } from "../worker/ledger/namespace.ts";
import type { Count } from "../worker/ledger/part.ts";
import { DAY_MS, utcDay } from "../worker/platform/time.ts";
import { createAccount } from "../test/factories.ts";
import { ioOf } from "../test/io.ts";
import { partOf } from "../test/ledgers.ts";
import { openWorker } from "../test/worker.ts";
import type { RunningWorker } from "../test/worker.ts";
import { writeResult } from "./results.ts";

/** Days, keys, and countries with usage: a new account, a typical one, and the largest realistic one. */
const SIZES = [
  { days: 1, keys: 1, countries: 1 },
  { days: 30, keys: 2, countries: 20 },
  { days: 395, keys: 20, countries: 50 },
];
/** Verifications per count, half of them successful. */
const EACH = 20;
/** Counts per call, as many as the ledger keeps in its state before moving them into rows. */
const COUNTS_AT_ONCE = 2_000;

function* countsOf({ days, keys, countries }: (typeof SIZES)[number]): Generator<Count> {
  for (let day = 0; day < days; day++) {
    const date = utcDay(Date.now() - day * DAY_MS);
    for (let key = 0; key < keys; key++) {
      for (let country = 0; country < countries; country++) {
        yield {
          startedAt: 1,
          key: `key_${"x".repeat(18)}${key}`,
          mode: "live",
          day: date,
          country: String.fromCharCode(65 + Math.floor(country / 26), 65 + (country % 26)),
          successful: EACH / 2,
          failed: EACH / 2,
        };
      }
    }
  }
}

/**
 * Wraps the bindings to measure the wait for D1 and the ledger, in milliseconds, and the rows that D1 read and wrote.
 */
function timed(env: RunningWorker["env"]) {
  const waited = { d1: 0, ledger: 0 };
  const rows = { d1: 0 };
  async function time<Value>(part: keyof typeof waited, work: Promise<Value>): Promise<Value> {
    const started = performance.now();
    const value = await work;
    waited[part] += performance.now() - started;
    return value;
  }
  const DB = {
    prepare: (query: string) => env.DB.prepare(query),
    async batch(statements: D1PreparedStatement[]) {
      const results = await time("d1", env.DB.batch(statements));
      for (const { meta } of results) rows.d1 += meta.rows_read + meta.rows_written;
      return results;
    },
  } as D1Database;
  const LEDGER = {
    getByName: (user: string) => ({ erase: () => time("ledger", env.LEDGER.getByName(user).erase()) }),
  } as LedgerNamespace;
  return { env: { ...env, DB, LEDGER }, waited, rows };
}

async function measure(worker: RunningWorker, size: (typeof SIZES)[number]): Promise<object> {
  const { LEDGER } = worker.env;
  const user = await createAccount(worker.db);
  let counts: Count[] = [];
  let [rows, seq] = [0, 0];
  const isolate = partOf(user, []).isolate;
  async function record(): Promise<void> {
    rows += counts.length;
    await LEDGER.getByName(user).record(partOf(user, counts, { isolate, seq: ++seq }));
    counts = [];
  }
  for (const count of countsOf(size)) if (counts.push(count) === COUNTS_AT_ONCE) await record();
  if (counts.length > 0) await record();

  const { env, waited, rows: touched } = timed(worker.env);
  await deleteAccount(ioOf({ env }), user);
  const { days } = await LEDGER.getByName(user).usage({ first: "", last: "~" });
  if (days.length > 0) throw new Error("Something is left");
  return {
    verifications: rows * EACH,
    ledger_rows: rows,
    ledger_ms: Math.round(waited.ledger),
    d1_rows: touched.d1,
    d1_ms: Math.round(waited.d1),
  };
}

export async function bench(): Promise<void> {
  const worker = await openWorker();
  try {
    // Another benchmark covers the cost of the very first calls.
    await measure(worker, SIZES[0]!);
    const rows: object[] = [];
    for (const size of SIZES) rows.push(await measure(worker, size));
    await writeResult("deletion", rows);
  } finally {
    await worker.close();
  }
}
