import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { bundle, startWorker } from "./runtime.ts";
import type { BundleOptions, LogLine } from "./runtime.ts";
import { ROOT, stayLocal } from "../scripts/local/run.ts";
import { openDatabase } from "../worker/platform/db.ts";
import type { Database } from "../worker/platform/db.ts";
import { deriveSecrets } from "../worker/platform/config.ts";
import type { Settings } from "../worker/platform/config.ts";
import type { Bindings } from "../worker/env.ts";
import { connectD1, D1_SERVICE } from "./d1.ts";

export interface RunningWorker {
  /** Calls the worker; a path is resolved against its address. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Runs the job of a cron trigger. Returns "ok", or the failure. */
  schedule(cron: string): Promise<string>;
  /** Its address, for a browser. */
  readonly url: string;
  readonly env: Bindings;
  readonly db: Database;
  /** The worker's log since it was last emptied, one string per entry. */
  logs(): string[];
  /** Deletes every row, every KV entry, and the log. An isolate's memory stays. */
  empty(): Promise<void>;
  /** Its runtime's CPU time so far, in microseconds; NaN without /proc. */
  spent(): number;
  close(): Promise<void>;
}

export interface WorkerOptions extends BundleOptions {
  /** Overrides of TEST_SETTINGS. */
  readonly settings?: Settings;
  /** The module to run, worker/index.ts by default. */
  readonly entry?: string;
  /** Parts of wrangler.toml to omit, by miniflare's names. */
  readonly without?: readonly string[];
  /** Receives each line of the log, instead of `logs`. */
  log?(line: LogLine): void;
}

/** A test worker's settings; a test may change them. */
export const TEST_SETTINGS = {
  ENVIRONMENT: "development",
  SESSION_SECRET: "a-secret-of-the-tests-and-no-other",
  TRIAL_SECRET: "another-secret-of-the-tests-for-trials",
  MAIL_DRIVER: "mailbox",
  PUBLIC_ORIGIN: "https://checkline.test",
  USAGE_QUEUE: "checkline-usage",
  MAIL_QUEUE: "checkline-mail",
};

/** For a worker that hashes passwords in 2 ms instead of 170: test/cheap-scrypt.ts. */
export const CHEAP_SCRYPT = { "node:crypto": join(import.meta.dirname, "cheap-scrypt.ts") };

/** The keys that a worker derives from these settings. */
export const TEST_SECRETS = deriveSecrets({ current: TEST_SETTINGS.SESSION_SECRET, retiring: null });

/** The tables of the migrations, sorted. */
async function tablesOf(db: Bindings["DB"]): Promise<string[]> {
  const { results } = await db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
  return results
    .map(({ name }) => name)
    .filter((name) => !/^(_cf|sqlite|d1)_/.test(name))
    .toSorted();
}

async function migrate(db: Bindings["DB"]): Promise<void> {
  for (const file of (await readdir(join(ROOT, "migrations"))).filter((path) => path.endsWith(".sql")).toSorted()) {
    const statements = (await readFile(join(ROOT, "migrations", file), "utf8")).split("--> statement-breakpoint");
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}

async function deleteEntries(kv: Bindings["EDGE"]): Promise<void> {
  const { keys, list_complete: isWhole } = await kv.list();
  await Promise.all(keys.map(({ name }) => kv.delete(name)));
  if (!isWhole) await deleteEntries(kv);
}

const NAME = "checkline";
const DATABASE = "database";

/** Bundles the worker of wrangler.toml and runs it on the real runtime, with an empty, fully migrated database. */
export async function openWorker(options: WorkerOptions = {}): Promise<RunningWorker> {
  const { settings, entry = join(ROOT, "worker/index.ts"), without = [], ...others } = options;
  stayLocal();
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));
  const { d1Databases, compatibilityDate } = workerOptions;
  const parts = Object.entries(workerOptions).filter(([part]) => !without.includes(part));
  const lines: string[] = [];
  const { log = ({ message }) => void lines.push(message) } = others;
  const { runtime, url, spent } = await startWorker(
    await bundle(entry, others),
    { ...Object.fromEntries(parts), name: NAME, bindings: { ...TEST_SETTINGS, ...settings } },
    {
      log,
      beside: [{ name: DATABASE, modules: true, script: D1_SERVICE, compatibilityDate, d1Databases }],
    },
  );
  try {
    const DB = connectD1(await runtime.unsafeGetDirectURL(DATABASE));
    await migrate(DB);
    const tables = await tablesOf(DB);
    const env: Bindings = { ...(await runtime.getBindings<Bindings & Record<string, unknown>>(NAME)), DB };
    return {
      fetch: (path, init) => fetch(new URL(path, url), init),
      schedule: async (cron) => (await (await runtime.getWorker(NAME)).scheduled({ cron })).outcome,
      url: url.href,
      env,
      db: openDatabase(DB),
      logs: () => lines,
      async empty() {
        const left = await tablesOf(DB);
        // A failed test may leave a table under another name.
        const isWhole = left.join() === tables.join();
        const statements = left.map((name) => (isWhole ? `DELETE FROM "${name}"` : `DROP TABLE "${name}"`));
        const batch = ["PRAGMA defer_foreign_keys = on", ...statements];
        await DB.batch(batch.map((statement) => DB.prepare(statement)));
        if (!isWhole) await migrate(DB);
        await deleteEntries(env.EDGE);
        lines.length = 0;
      },
      spent,
      close: () => runtime.dispose(),
    };
  } catch (error) {
    await runtime.dispose();
    throw error;
  }
}
