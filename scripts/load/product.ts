import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { D1Database } from "@cloudflare/workers-types";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { TEST_SETTINGS } from "../../test/worker.ts";
import { openDatabase } from "../../worker/platform/db.ts";
import type { Database } from "../../worker/platform/db.ts";
import type { LedgerNamespace } from "../../worker/ledger/namespace.ts";
import { ROOT, runTool, stayLocal } from "../local/run.ts";
import type { LogLine } from "./report.ts";

const NAME = "checkline";

/** The product on this machine, without the servers that `wrangler dev` puts in front of it, which take ten times what it takes. */
export interface Product {
  /** Where the worker itself listens. */
  readonly url: string;
  /** Where the inspector of the worker's isolate listens (Chrome DevTools Protocol). */
  readonly inspector: string;
  readonly db: Database;
  readonly ledgers: LedgerNamespace;
  /** What was logged so far. */
  readonly logs: readonly LogLine[];
  close(): Promise<void>;
}

/** The bundle that would be deployed, as the runtime takes it. */
async function buildModules(folder: string) {
  await runTool("wrangler", ["deploy", "--dry-run", "--outdir", folder]);
  const names = (await readdir(folder)).filter((name) => /\.(js|bin)$/.test(name));
  // The first module is the one that is run.
  const sorted = names.toSorted((a, b) => Number(b === "index.js") - Number(a === "index.js"));
  return Promise.all(
    sorted.map(async (name) => {
      const path = join(folder, name);
      return {
        type: name.endsWith(".js") ? ("ESModule" as const) : ("Data" as const),
        path,
        contents: await readFile(path),
      };
    }),
  );
}

async function migrate(d1: D1Database): Promise<void> {
  const folder = join(ROOT, "migrations");
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".sql")).toSorted()) {
    const statements = (await readFile(join(folder, name), "utf8")).split("--> statement-breakpoint");
    await d1.batch(statements.map((statement) => d1.prepare(statement)));
  }
}

async function start(folder: string): Promise<Product> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));
  // Files are served without the worker, and would put a router in front of it.
  const { assets: _, ...bindings } = workerOptions;
  const logs: LogLine[] = [];
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      ...bindings,
      name: NAME,
      modulesRoot: folder,
      modules: await buildModules(folder),
      bindings: TEST_SETTINGS,
      inspectorPort: 0,
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    }),
    handleStructuredLogs: ({ level, message }: LogLine) => void logs.push({ level, message }),
  });
  try {
    const d1 = (await miniflare.getD1Database("DB", NAME)) as unknown as D1Database;
    await migrate(d1);
    const ledgers = (await miniflare.getDurableObjectNamespace("LEDGER", NAME)) as unknown as LedgerNamespace;
    const url = await miniflare.unsafeGetDirectURL(NAME);
    const inspector = new URL(`/core:user:${NAME}`, await miniflare.getInspectorURL()).href;
    return { url: url.href, inspector, db: openDatabase(d1), ledgers, logs, close: () => miniflare.dispose() };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

/** Builds the worker of wrangler.toml and runs it with an empty database, which is gone afterwards. */
export async function openProduct(): Promise<Product> {
  stayLocal();
  const folder = await mkdtemp(join(tmpdir(), "checkline-load-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const product = await start(folder);
    return { ...product, close: () => product.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
