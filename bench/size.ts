import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundle } from "../test/runtime.ts";
import type { Row } from "./row.ts";

/** Every cold start loads all of the worker; the platform allows 10 MB. */
export const MAX_WORKER_BYTES = 4_000_000;

/** The size of the worker with its tables, compressed as for an upload. */
export async function workerBytes(): Promise<number> {
  const { code, data } = await bundle(join(import.meta.dirname, "../worker/index.ts"));
  return [code, ...data.values()].reduce((sum, part) => sum + gzipSync(part).length, 0);
}

/** The size of the worker. */
export async function benchSize(): Promise<Row[]> {
  return [
    {
      measured: "size of the worker, gzip",
      unit: "bytes",
      ours: [await workerBytes()],
      comparedWith: null,
      theirs: null,
      ceiling: { of: "ours", most: MAX_WORKER_BYTES },
    },
  ];
}
