import { join } from "node:path";
import { createTestHarness } from "wrangler";
import { openDatabase } from "../worker/platform/db.ts";
import type { Database } from "../worker/platform/db.ts";
import { deriveSecrets } from "../worker/platform/config.ts";
import type { Settings } from "../worker/platform/config.ts";
import type { Bindings } from "../worker/env.ts";
import { stayLocal } from "../scripts/local/run.ts";

const ROOT = join(import.meta.dirname, "..");

export interface RunningWorker {
  /** Calls the worker; a path is resolved against its address. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The address it listens on, for a browser. */
  readonly url: string;
  readonly env: Bindings;
  readonly db: Database;
  /** Everything the worker has written to its log since it was last emptied, one string an entry. */
  logs(): string[];
  /** Deletes every row, every KV entry and the log. What an isolate has in memory stays. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** The settings of a test worker; a test may change them. */
export const TEST_SETTINGS = {
  ENVIRONMENT: "development",
  SESSION_SECRET: "a-secret-of-the-tests-and-no-other",
  TRIAL_SECRET: "another-secret-of-the-tests-for-trials",
  MAIL_DRIVER: "mailbox",
  PUBLIC_ORIGIN: "https://checkline.test",
};

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

async function deleteEntries(kv: Bindings["EDGE"]): Promise<void> {
  const { keys, list_complete: isWhole } = await kv.list();
  await Promise.all(keys.map(({ name }) => kv.delete(name)));
  if (!isWhole) await deleteEntries(kv);
}

/** Runs the worker of wrangler.toml on the real runtime, with an empty database that has all migrations. */
export async function openWorker(settings: Settings = {}): Promise<RunningWorker> {
  stayLocal();
  // The runtime would tell of every delivery of a queue.
  process.env["WRANGLER_LOG"] = "warn";
  // As secrets, since only those override a .dev.vars that local runs have left here.
  const secrets = { ...TEST_SETTINGS, ...settings };
  const harness = createTestHarness({ root: ROOT, workers: [{ configPath: "wrangler.toml", secrets }] });
  const { url } = await harness.listen();
  const worker = harness.getWorker<Record<string, never> & Bindings>();
  await worker.applyD1Migrations("DB");
  const env: Bindings = await worker.getEnv();
  const tables = await tablesOf(env.DB);
  return {
    // The harness types requests and answers as the runtime's own, which are the same in all that tests use.
    fetch: (path, init) => harness.fetch(path, init as never) as unknown as Promise<Response>,
    url: url.href,
    env,
    db: openDatabase(env.DB),
    logs: () => harness.getLogs().map((entry) => entry.message),
    async empty() {
      const left = await tablesOf(env.DB);
      // A test that fails may leave a table under another name.
      const isWhole = left.join() === tables.join();
      const statements = isWhole
        ? left.map((name) => `DELETE FROM "${name}"`)
        : [...left, "d1_migrations"].map((name) => `DROP TABLE "${name}"`);
      const batch = ["PRAGMA defer_foreign_keys = on", ...statements];
      await env.DB.batch(batch.map((statement) => env.DB.prepare(statement)));
      if (!isWhole) await worker.applyD1Migrations("DB");
      await deleteEntries(env.EDGE);
      harness.clearLogs();
    },
    close: () => harness.close(),
  };
}
