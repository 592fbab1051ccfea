/**
 * How much slower a fresh isolate's first request is than the hundredth: `npm run bench -- cold-start`. Prints a table
 * and writes bench/results/cold-start.json. Compare the ratio, not the milliseconds: machines differ.
 */
import { createKey } from "../test/factories.ts";
import { post } from "../test/requests.ts";
import { openWorker } from "../test/worker.ts";
import { median, writeResult } from "./results.ts";

const RUNS = 5;
const REQUESTS = 100;

/** Latencies in milliseconds of a new worker's first hundred verify calls. */
async function timeFirstRequests(): Promise<number[]> {
  const worker = await openWorker();
  try {
    const key = await createKey(worker.db, "live", { plan: "pro" });
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

export async function bench(): Promise<void> {
  const firsts: number[] = [];
  const hundredths: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const times = await timeFirstRequests();
    firsts.push(times[0]!);
    // The median of the last ten: a single request is too noisy.
    hundredths.push(median(times.slice(-10)));
  }

  const result = {
    runs: RUNS,
    first_ms: Number(median(firsts).toFixed(2)),
    hundredth_ms: Number(median(hundredths).toFixed(2)),
    difference_ms: Number((median(firsts) - median(hundredths)).toFixed(2)),
  };
  await writeResult("cold-start", [result]);
}
