import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { build } from "vite";
import { cpuTime, workerdProcesses } from "./cpu-time.ts";
import { CLOCK } from "./day.ts";

/** A module in one file, as deployed, and the data files that it imports. */
export interface Bundle {
  readonly code: string;
  readonly data: ReadonlyMap<string, Uint8Array>;
  /** Further modules that it imports, by path. */
  readonly modules?: ReadonlyMap<string, string>;
}

export interface BundleOptions {
  /** Replacement modules' paths, by import specifier. */
  readonly alias?: Readonly<Record<string, string>>;
}

/** Bundles a module with its imports. Imports of data files remain imports, relative to the bundle. */
export async function bundle(entry: string, { alias }: BundleOptions = {}): Promise<Bundle> {
  const data = new Map<string, Uint8Array>();
  const result = await build({
    configFile: false,
    logLevel: "silent",
    ...(alias && { resolve: { alias } }),
    ssr: { noExternal: true, target: "webworker" },
    build: {
      ssr: entry,
      write: false,
      minify: true,
      target: "es2024",
      rolldownOptions: {
        // Built into the runtime.
        external: /^cloudflare:/,
        // One file, like wrangler's.
        output: { codeSplitting: false },
      },
    },
    plugins: [
      {
        name: "data-files",
        enforce: "pre",
        async resolveId(source, importer) {
          if (!/\.(bin|jsonl|txt)$/.test(source)) return null;
          const file = await this.resolve(source, importer, { skipSelf: true });
          data.set(basename(source), await readFile(file!.id));
          return { id: `./${basename(source)}`, external: true };
        },
      },
    ],
  });
  if (!("output" in result)) throw new Error(`${entry} gave no bundle`);
  return { code: CLOCK + result.output[0].code, data };
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
}

interface StartOptions {
  log?(line: LogLine): void;
  /** Additional workers, in miniflare's format. */
  readonly beside?: readonly Record<string, unknown>[];
}

/**
 * Runs a bundle behind a separate socket, without the proxy of `wrangler dev`, which takes ten times as long. `spent`
 * is its runtime's CPU time, in microseconds.
 */
export async function startWorker(
  { code, data, modules = new Map() }: Bundle,
  options: Record<string, unknown>,
  { log = () => {}, beside = [] }: StartOptions = {},
): Promise<{ runtime: Miniflare; url: URL; spent(): number }> {
  const others = workerdProcesses();
  const bundled = {
    ...options,
    modules: [
      { type: "ESModule", path: "worker.js", contents: code },
      ...Array.from(modules, ([path, contents]) => ({ type: "ESModule", path, contents })),
      ...Array.from(data, ([path, contents]) => ({ type: path.endsWith(".bin") ? "Data" : "Text", path, contents })),
    ],
  };
  const workers = [bundled, ...beside].map((worker) => ({
    ...worker,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  }));
  const converted = convertV4MiniflareOptions({ workers } as Parameters<typeof convertV4MiniflareOptions>[0]);
  const runtime = new Miniflare({ ...converted, handleStructuredLogs: log });
  const url = await runtime.unsafeGetDirectURL();
  const pid = [...workerdProcesses()].find((process) => !others.has(process));
  return { runtime, url, spent: () => cpuTime(pid) };
}
