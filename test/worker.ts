import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { bundle, startWorker } from "../bench/runtime.ts";
import type { BundleOptions, LogLine } from "../bench/runtime.ts";
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
  /** Runs what is due by a cron trigger. Returns "ok", or how it failed. */
  schedule(cron: string): Promise<string>;
  /** The address it listens on, for a browser. */
  readonly url: string;
  readonly env: Bindings;
  readonly db: Database;
  /** Everything the worker has written to its log since it was last emptied, one string an entry. */
  logs(): string[];
  /** Deletes every row, every KV entry and the log. What an isolate has in memory stays. */
  empty(): Promise<void>;
  /** Where the inspector of the worker's isolate listens (Chrome DevTools Protocol). It needs the option `inspect`. */
  inspector(): Promise<string>;
  /** Processor time of its runtime so far, in microseconds; NaN where there is no /proc. */
  spent(): number;
  close(): Promise<void>;
}

export interface WorkerOptions extends BundleOptions {
  /** Those of TEST_SETTINGS that are others. */
  readonly settings?: Settings;
  /** The module to run, worker/index.ts when left out. */
  readonly entry?: string;
  readonly inspect?: boolean;
  /** Parts of wrangler.toml to run without, by miniflare's name for them. */
  readonly without?: readonly string[];
  /** Takes each line of the log, in place of `logs`. */
  log?(line: LogLine): void;
}

/** The settings of a test worker; a test may change them. */
export const TEST_SETTINGS = {
  ENVIRONMENT: "development",
  SESSION_SECRET: "a-secret-of-the-tests-and-no-other",
  TRIAL_SECRET: "another-secret-of-the-tests-for-trials",
  MAIL_DRIVER: "mailbox",
  PUBLIC_ORIGIN: "https://checkline.test",
};

/** For a worker that hashes passwords in 2 ms and not in 170: test/cheap-scrypt.ts. */
export const CHEAP_SCRYPT = { "node:crypto": join(import.meta.dirname, "cheap-scrypt.ts") };

/** The keys that a worker with these settings derives. */
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

/** Bundles the worker of wrangler.toml and runs it on the real runtime, with an empty database that has all migrations. */
export async function openWorker(options: WorkerOptions = {}): Promise<RunningWorker> {
  const { settings, entry = join(ROOT, "worker/index.ts"), inspect = false, without = [], ...others } = options;
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
      inspect,
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
        // A test that fails may leave a table under another name.
        const isWhole = left.join() === tables.join();
        const statements = left.map((name) => (isWhole ? `DELETE FROM "${name}"` : `DROP TABLE "${name}"`));
        const batch = ["PRAGMA defer_foreign_keys = on", ...statements];
        await DB.batch(batch.map((statement) => DB.prepare(statement)));
        if (!isWhole) await migrate(DB);
        await deleteEntries(env.EDGE);
        lines.length = 0;
      },
      inspector: async () => new URL(`/core:user:${NAME}`, await runtime.getInspectorURL()).href,
      spent,
      close: () => runtime.dispose(),
    };
  } catch (error) {
    await runtime.dispose();
    throw error;
  }
}
