/**
 * How long the engine and other libraries take per number, and to be ready: `npm run bench -- engine`. Prints a table
 * and writes bench/results/engine.json. Compare the ratios, not the times: machines differ.
 */
import { timeColdStarts } from "./engine/cold-start.ts";
import { CONTENDERS, TASKS, type Task } from "./engine/contenders.ts";
import { corpus, type Sample } from "./engine/corpus.ts";
import { timePeers } from "./engine/peers/peers.ts";
import { timingRows, writeResult } from "./results.ts";

const ROUNDS = 7;
const COLD_STARTS = 15;

const LEAST_MICROSECONDS = 200_000;

/** Consumes returned values, so that no work can be optimized away. */
let seen = 0;

/**
 * Times a task: contenders take turns processing the whole corpus, with another one first in each round. The first part
 * of each turn is untimed: it starts with the previous contender's caches and garbage.
 */
function time(task: Task, samples: readonly Sample[], peers: ReturnType<typeof timePeers>) {
  const contenders = CONTENDERS.flatMap(({ name, tasks }) => {
    const run = tasks[task]?.(samples);
    return run === undefined ? [] : [{ name, run, times: [] as number[] }];
  });
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % contenders.length;
    for (const { run, times } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      nanosecondsEach(run, samples.length);
      times.push(nanosecondsEach(run, samples.length));
    }
  }
  const others = peers.flatMap(({ name, times }) => (times.has(task) ? [{ name, times: times.get(task)! }] : []));
  return timingRows(task, [...contenders, ...others]);
}

/** Nanoseconds of CPU time per call, so that other programs hardly matter. */
function nanosecondsEach(run: (index: number) => unknown, numbers: number): number {
  let calls = 0;
  let spent = 0;
  const started = process.cpuUsage();
  while (spent < LEAST_MICROSECONDS) {
    for (let index = 0; index < numbers; index++) if (run(index) !== undefined) seen++;
    calls += numbers;
    const { user, system } = process.cpuUsage(started);
    spent = user + system;
  }
  return (spent * 1000) / calls;
}

export async function bench(): Promise<void> {
  const samples = corpus();
  const regions = new Set(samples.map(({ country }) => country));
  console.log(`${samples.length} valid numbers of ${regions.size} regions, in a shuffled order`);
  const peers = timePeers(samples, ROUNDS);
  const rows = TASKS.flatMap((task) => time(task, samples, peers));
  await writeResult("engine", [...rows, ...(await timeColdStarts(COLD_STARTS))]);
}
