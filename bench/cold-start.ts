/**
 * How much slower the first request of a fresh isolate is than the hundredth: `npm run bench`.
 * Prints a table and writes bench/results/cold-start.json. Compare the ratio, not the milliseconds: machines differ.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createKey } from "../test/factories.ts";
import { post } from "../test/requests.ts";
import { openWorker } from "../test/worker.ts";

const ROOT = join(import.meta.dirname, "..");
const RUNS = 5;
const REQUESTS = 100;

/** Milliseconds of each of the first hundred verify calls that a new worker answers. */
async function timeFirstRequests(): Promise<number[]> {
  const worker = await openWorker();
  try {
    const key = await createKey(worker.db, "live");
    const times: number[] = [];
    for (let request = 0; request < REQUESTS; request++) {
      const started = performance.now();
      const response = await worker.fetch("/api/v1/verify", post(key, { number: "+5511987654321" }));
      await response.text();
      times.push(performance.now() - started);
      if (response.status !== 200) throw new Error(`A verify call answered ${response.status}`);
    }
    return times;
  } finally {
    await worker.close();
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

const firsts: number[] = [];
const hundredths: number[] = [];
for (let run = 0; run < RUNS; run++) {
  const times = await timeFirstRequests();
  firsts.push(times[0]!);
  // The tenth around the hundredth: one request alone is at the mercy of the machine.
  hundredths.push(median(times.slice(-10)));
}

const result = {
  runs: RUNS,
  first_ms: Number(median(firsts).toFixed(2)),
  hundredth_ms: Number(median(hundredths).toFixed(2)),
  difference_ms: Number((median(firsts) - median(hundredths)).toFixed(2)),
};
console.table([result]);
await mkdir(join(ROOT, "bench/results"), { recursive: true });
await writeFile(join(ROOT, "bench/results/cold-start.json"), `${JSON.stringify(result, null, 2)}\n`);
