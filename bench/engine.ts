/**
 * How long the engine and other libraries take for a number, and to be ready: `npm run bench -- engine`.
 * Prints a table and writes bench/results/engine.json. Compare the ratios, not the times: machines differ.
 */
import { timeColdStarts } from "./engine/cold-start.ts";
import { CONTENDERS, TASKS, type Task } from "./engine/contenders.ts";
import { corpus, type Sample } from "./engine/corpus.ts";
import { timePeers } from "./engine/peers/peers.ts";
import { timingRows, writeResult } from "./results.ts";

const ROUNDS = 7;
const COLD_STARTS = 7;

const LEAST_MICROSECONDS = 200_000;

/** Returned values end here, so that no work can be left out as unused. */
let seen = 0;

/** Times a task: every contender takes the whole corpus in turn, another one first in each round, after one round for warming up. */
function time(task: Task, samples: readonly Sample[], peers: ReturnType<typeof timePeers>) {
  const contenders = CONTENDERS.flatMap(({ name, tasks }) => {
    const run = tasks[task]?.(samples);
    return run === undefined ? [] : [{ name, run, times: [] as number[] }];
  });
  for (const { run } of contenders) nanosecondsEach(run, samples.length);
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % contenders.length;
    for (const { run, times } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      times.push(nanosecondsEach(run, samples.length));
    }
  }
  const others = peers.flatMap(({ name, times }) => (times.has(task) ? [{ name, times: times.get(task)! }] : []));
  return timingRows(task, [...contenders, ...others]);
}

/**
 * Nanoseconds of processor time a call, so that what else runs on the machine counts little. The corpus is gone through for long
 * enough that what the garbage collector still does for others counts little too.
 */
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
