import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { D1Database } from "@cloudflare/workers-types";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { build } from "vite";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { ROOT, stayLocal } from "../scripts/local/run.ts";
import { TEST_SETTINGS } from "../test/worker.ts";
import type { LedgerNamespace } from "../worker/ledger/namespace.ts";
import { openDatabase } from "../worker/platform/db.ts";
import type { Database } from "../worker/platform/db.ts";
import { processorTime, workerdProcesses } from "./processor-time.ts";

/** A module in one file, as it would be deployed, and the data files that it imports. */
export interface Bundle {
  readonly code: string;
  readonly data: ReadonlyMap<string, Uint8Array>;
  /** Further modules that it imports, by path. */
  readonly modules?: ReadonlyMap<string, string>;
}

/**
 * Bundles a module with all that it imports. Imports of *.bin stay imports, from beside the bundle; `replaced` gives modules another
 * source text, by their path.
 */
export async function bundle(entry: string, replaced: ReadonlyMap<string, string> = new Map()): Promise<Bundle> {
  const data = new Map<string, Uint8Array>();
  const result = await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true, target: "webworker" },
    build: {
      ssr: entry,
      write: false,
      minify: true,
      target: "es2024",
      // The runtime has these built in.
      rolldownOptions: { external: /^cloudflare:/ },
    },
    plugins: [
      {
        name: "data-files",
        enforce: "pre",
        async resolveId(source, importer) {
          if (!source.endsWith(".bin")) return null;
          const file = await this.resolve(source, importer, { skipSelf: true });
          data.set(basename(source), await readFile(file!.id));
          return { id: `./${basename(source)}`, external: true };
        },
        load: (id) => replaced.get(id),
      },
    ],
  });
  if (!("output" in result)) throw new Error(`${entry} gave no bundle`);
  return { code: result.output[0].code, data };
}

/** Writes a bundle for Node, where it reads its data files itself; returns the path to import. */
export async function writeForNode({ code, data }: Bundle): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "checkline-bench-"));
  for (const [file, bytes] of data) await writeFile(join(folder, file), bytes);
  const reading = code.replaceAll(
    /import (\w+) from"(\.\/[\w-]+\.bin)";/g,
    'const $1=new Uint8Array(readFileSync(new URL("$2",import.meta.url))).buffer;',
  );
  const path = join(folder, "bundle.mjs");
  await writeFile(path, `import{readFileSync}from"node:fs";${reading}`);
  return path;
}

/**
 * Runs a bundle behind a separate socket, without the proxy that `wrangler dev` puts in front and that takes ten times as long.
 * `spent` is the processor time of its runtime, in microseconds.
 */
export async function startWorker(
  { code, data, modules = new Map() }: Bundle,
  options: Record<string, unknown>,
  log: (line: { readonly level: string; readonly message: string }) => void = () => {},
): Promise<{ runtime: Miniflare; url: URL; spent(): number }> {
  const others = workerdProcesses();
  const bundled = {
    ...options,
    modules: [
      { type: "ESModule", path: "worker.js", contents: code },
      ...Array.from(modules, ([path, contents]) => ({ type: "ESModule", path, contents })),
      ...Array.from(data, ([path, contents]) => ({ type: "Data", path, contents })),
    ],
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
  const converted = convertV4MiniflareOptions(bundled as Parameters<typeof convertV4MiniflareOptions>[0]);
  const runtime = new Miniflare({ ...converted, handleStructuredLogs: log });
  const url = await runtime.unsafeGetDirectURL();
  const pid = [...workerdProcesses()].find((process) => !others.has(process));
  return { runtime, url, spent: () => processorTime(pid) };
}

/** The worker of wrangler.toml on this machine, with an empty database that has all migrations. */
export interface Product {
  /** Where the worker itself listens. */
  readonly url: string;
  readonly db: Database;
  readonly ledgers: LedgerNamespace;
  /** Where the inspector of the worker's isolate listens (Chrome DevTools Protocol). It needs the option `inspect`. */
  inspector(): Promise<string>;
  /** Processor time of its runtime so far, in microseconds; NaN where there is no /proc. */
  spent(): number;
  close(): Promise<void>;
}

interface ProductOptions {
  /** The module to run, worker/index.ts when left out. */
  readonly entry?: string;
  readonly replaced?: ReadonlyMap<string, string>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly inspect?: boolean;
  /** Parts of wrangler.toml to run without, by miniflare's name for them. */
  readonly without?: readonly string[];
  readonly log?: Parameters<typeof startWorker>[2];
}

/** Bundles and runs the project's worker. Its database is gone after `close`. */
export async function openProduct(options: ProductOptions = {}): Promise<Product> {
  const { entry = join(ROOT, "worker/index.ts"), replaced, settings, without = [], inspect = false, log } = options;
  stayLocal();
  const name = "checkline";
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));
  // Files are served without the worker, and would put a router in front of it.
  const left = Object.entries(workerOptions).filter(([part]) => part !== "assets" && !without.includes(part));
  const bindings = { ...TEST_SETTINGS, ...settings };
  const bundled = await bundle(entry, replaced);
  const { runtime, url, spent } = await startWorker(
    bundled,
    { ...Object.fromEntries(left), name, bindings, ...(inspect && { inspectorPort: 0 }) },
    log,
  );
  try {
    const d1 = (await runtime.getD1Database("DB", name)) as unknown as D1Database;
    for (const file of (await readdir(join(ROOT, "migrations"))).filter((path) => path.endsWith(".sql")).toSorted()) {
      const statements = (await readFile(join(ROOT, "migrations", file), "utf8")).split("--> statement-breakpoint");
      await d1.batch(statements.map((statement) => d1.prepare(statement)));
    }
    return {
      url: url.href,
      db: openDatabase(d1),
      ledgers: (await runtime.getDurableObjectNamespace("LEDGER", name)) as unknown as LedgerNamespace,
      inspector: async () => new URL(`/core:user:${name}`, await runtime.getInspectorURL()).href,
      spent,
      close: () => runtime.dispose(),
    };
  } catch (error) {
    await runtime.dispose();
    throw error;
  }
}
