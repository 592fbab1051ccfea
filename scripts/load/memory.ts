import { readdir, readFile } from "node:fs/promises";
import { median } from "../../bench/results.ts";
import type { Inspector } from "./inspector.ts";

/** Shorter runs tell nothing about growth. From here on memory is judged, and has to be measured. */
export const MEMORY_MINUTES = 1;

/** How much more heap than in the first third still counts as flat: what the isolate remembers on purpose is bounded and fills up. */
const TOLERANCE_MB = 5;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

async function readProcess(pid: number): Promise<Process | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const [, name = "", rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
    return { pid, name, parent: Number(rest.split(" ")[1]) };
  } catch {
    // It has ended in the meantime.
    return null;
  }
}

/** The ids of this process's own workerd processes; none where the system has no /proc. */
export async function workerdProcesses(): Promise<number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const read = await Promise.all(entries.filter((name) => /^\d+$/.test(name)).map((name) => readProcess(Number(name))));
  const processes = read.filter((found) => found !== null);
  const ours = new Set([process.pid]);
  // A child may stand before its parent, so this goes on until nothing is added.
  for (let before = 0; before < ours.size;) {
    before = ours.size;
    for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid);
  }
  return processes.filter(({ pid, name }) => ours.has(pid) && name === "workerd").map(({ pid }) => pid);
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/** The resident memory of these processes together, in bytes. */
export async function memoryOf(pids: readonly number[]): Promise<number> {
  return (await Promise.all(pids.map(residentBytes))).reduce((sum, bytes) => sum + bytes, 0);
}

export interface MemoryReport {
  /** What the worker's isolate holds when its garbage has been collected: the middle of the first and the last third of the run. */
  readonly heap_first_third_mb: number;
  readonly heap_last_third_mb: number;
  /**
   * The same of the whole process, with the runtime and the stand-ins for D1, KV and queues. It is not judged: the runtime has no
   * limit on this machine, and puts collecting off.
   */
  readonly process_first_third_mb: number;
  readonly process_last_third_mb: number;
  /** How often all garbage was collected to measure that. Everything waits meanwhile. */
  readonly collections: number;
  /** Whether the heap has not grown; null when the run was too short to tell. */
  readonly flat: boolean | null;
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 104_857.6) / 10;
}

/** The middle of the first third and of the last, in megabytes; zeros where there are too few samples. */
function thirds(samples: readonly number[]): readonly [first: number, last: number] {
  const third = Math.floor(samples.length / 3);
  if (third === 0) return [0, 0];
  return [toMegabytes(median(samples.slice(0, third))), toMegabytes(median(samples.slice(-third)))];
}

/** Compares the first third of a run with the last. Samples in bytes, evenly spaced. Null without any of the heap. */
export function judgeMemory(
  samples: { readonly heap: readonly number[]; readonly process: readonly number[] },
  minutes: number,
): MemoryReport | null {
  const [first, last] = thirds(samples.heap);
  if (first === 0) return null;
  const [processFirst, processLast] = thirds(samples.process);
  return {
    heap_first_third_mb: first,
    heap_last_third_mb: last,
    process_first_third_mb: processFirst,
    process_last_third_mb: processLast,
    collections: samples.heap.length,
    flat: minutes < MEMORY_MINUTES ? null : last - first <= TOLERANCE_MB,
  };
}

/** Takes samples every so often, until told to stop. */
export function watchMemory(inspector: Inspector, everyMs: number) {
  const samples = { heap: [] as number[], process: [] as number[] };
  const ended = new AbortController();
  const watching = (async () => {
    const pids = await workerdProcesses();
    while (!ended.signal.aborted) {
      const [heap, bytes] = await Promise.all([inspector.heapInUse(), memoryOf(pids)]);
      if (heap !== null) samples.heap.push(heap);
      if (bytes > 0) samples.process.push(bytes);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return {
    async stop() {
      ended.abort();
      await watching;
      return samples;
    },
  };
}
