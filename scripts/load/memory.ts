import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../bench/results.ts";

/** Shorter runs show nothing about growth. From this length on, memory is judged and must be measured. */
export const MEMORY_MINUTES = 1;

/** The heap growth since the first third that still counts as flat: the isolate's bounded caches fill up. */
const TOLERANCE_MB = 5;

/** How long the inspector may take to respond. */
const PATIENCE_MS = 3_000;

/** The isolate's heap right after a garbage collection: medians of the first and the last third of a run. */
export interface MemoryReport {
  readonly first_third_mb: number;
  readonly last_third_mb: number;
  /** How many full garbage collections the measurement took. Everything waits for them. */
  readonly collections: number;
  /** Whether the heap has not grown; null if the run was too short to tell. */
  readonly flat: boolean | null;
}

/** Compares the first third of a run with the last. Samples in bytes, evenly spaced. Null when there are too few. */
export function judgeMemory(samples: readonly number[], minutes: number): MemoryReport | null {
  const third = Math.floor(samples.length / 3);
  if (third === 0) return null;
  const [first, last] = [samples.slice(0, third), samples.slice(-third)].map(
    (part) => Math.round(median(part) / 104_857.6) / 10,
  ) as [number, number];
  return {
    first_third_mb: first,
    last_third_mb: last,
    collections: samples.length,
    flat: minutes < MEMORY_MINUTES ? null : last - first <= TOLERANCE_MB,
  };
}

/** Calls an inspector method (Chrome DevTools Protocol). @throws AbortError when it does not respond in time */
async function ask(socket: WebSocket, method: string): Promise<unknown> {
  const id = Math.floor(Math.random() * 2 ** 31);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  socket.send(JSON.stringify({ id, method }));
  for (;;) {
    const [{ data }] = (await once(socket, "message", { signal })) as [MessageEvent];
    const message = JSON.parse(String(data)) as { id?: number; result?: unknown };
    // Another id is a late response to an abandoned call.
    if (message.id === id) return message.result;
  }
}

/**
 * Measures an isolate's heap at intervals until stopped. Failed measurements are skipped.
 * @param inspector the WebSocket address of the isolate's inspector
 */
export async function watchMemory(inspector: string, everyMs: number): Promise<{ stop(): Promise<number[]> }> {
  const socket = new WebSocket(inspector);
  await once(socket, "open", { signal: AbortSignal.timeout(PATIENCE_MS) });
  const samples: number[] = [];
  const stopped = new AbortController();
  async function sample(): Promise<void> {
    await ask(socket, "HeapProfiler.collectGarbage");
    const usage = (await ask(socket, "Runtime.getHeapUsage")) as { usedSize: number };
    samples.push(usage.usedSize);
  }
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      await sample().catch(() => {});
      await sleep(everyMs);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await watching;
      socket.close();
      return samples;
    },
  };
}
