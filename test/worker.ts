import { join } from "node:path";
import { createTestHarness } from "wrangler";
import { openDatabase } from "../worker/db.ts";
import type { Database } from "../worker/db.ts";
import type { Bindings } from "../worker/env.ts";

const ROOT = join(import.meta.dirname, "..");

export interface RunningWorker {
  /** Calls the worker; a path is resolved against its address. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  readonly env: Bindings;
  readonly db: Database;
  /** Everything the worker has written to its log, one string an entry. */
  logs(): string[];
  close(): Promise<void>;
}

/** Runs the worker of wrangler.toml on the real runtime, with an empty database that has all migrations. */
export async function openWorker(): Promise<RunningWorker> {
  // Miniflare would otherwise ask the network where this machine is.
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
  const harness = createTestHarness({ root: ROOT, workers: [{ configPath: "wrangler.toml" }] });
  await harness.listen();
  const worker = harness.getWorker<Record<string, never> & Bindings>();
  await worker.applyD1Migrations("DB");
  const env: Bindings = await worker.getEnv();
  return {
    // The harness types requests and answers as the runtime's own, which are the same in all that tests use.
    fetch: (path, init) => harness.fetch(path, init as never) as unknown as Promise<Response>,
    env,
    db: openDatabase(env.DB),
    logs: () => harness.getLogs().map((entry) => entry.message),
    close: () => harness.close(),
  };
}
