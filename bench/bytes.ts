import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sendMany } from "./http/load.ts";
import { VERIFY, withBare, withProduct } from "./http/server.ts";
import type { Call } from "./http/server.ts";
import { WORKERD } from "./machine.ts";
import type { Row } from "./row.ts";

/** Small enough that collections, at which V8 says what was allocated, come every few dozen requests. */
const V8_FLAGS = "--trace-gc-nvp --min-semi-space-size=1 --max-semi-space-size=1";
const WARM_UP = 3_000;
const REQUESTS = 4_000;

/** Bytes allocated before each collection, by isolate: `[1234:0x7f00:0] 12 ms: GC: {…,"allocated":1048576,…}`. */
const COLLECTION = /^\[\d+:(\w+:\d+)\].*"allocated":(\d+)/gm;

/** What the busiest isolate of a trace allocated. The others are the runtime's own. */
function allocatedIn(trace: string): number {
  const isolates = new Map<string, number>();
  for (const [, isolate = "", bytes] of trace.matchAll(COLLECTION)) {
    isolates.set(isolate, (isolates.get(isolate) ?? 0) + Number(bytes));
  }
  return Math.max(...isolates.values());
}

/** Lets the next worker's V8 write a trace. Returns its path. */
async function traceNext(folder: string, name: string): Promise<string> {
  const [program, trace] = [join(folder, name), join(folder, `${name}.trace`)];
  // By lines: a buffer's last ones would be missing.
  await writeFile(program, `#!/bin/sh\nexec stdbuf -oL "${WORKERD.path}" "$@" >"${trace}"\n`, { mode: 0o755 });
  Object.assign(process.env, { MINIFLARE_WORKERD_PATH: program, MINIFLARE_WORKERD_V8_FLAGS: V8_FLAGS });
  return trace;
}

async function bytesPerRequest(call: Call, trace: string): Promise<number> {
  await sendMany(call, WARM_UP);
  const { length } = await readFile(trace, "utf8");
  await sendMany(call, REQUESTS);
  return allocatedIn((await readFile(trace, "utf8")).slice(length)) / REQUESTS;
}

/** What V8 allocates for a verification, and for a bare route with a response as long. */
export async function benchBytes(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "checkline-bench-"));
  try {
    const trace = await traceNext(folder, "product");
    return await withProduct(async (product) => {
      const verify = product(...VERIFY);
      const ours = await bytesPerRequest(verify, trace);
      const bareTrace = await traceNext(folder, "bare");
      const theirs = await withBare(verify, (bare) => bytesPerRequest(bare, bareTrace));
      return [
        {
          measured: "verify, memory that V8 allocates",
          unit: "bytes",
          ours: [ours],
          comparedWith: "bare Hono route",
          theirs: [theirs],
          ceiling: { of: "ours", most: 18_000 },
        },
      ];
    });
  } finally {
    delete process.env["MINIFLARE_WORKERD_PATH"];
    delete process.env["MINIFLARE_WORKERD_V8_FLAGS"];
    await rm(folder, { recursive: true });
  }
}
