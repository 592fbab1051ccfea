/**
 * How long the engine and three libraries take for a number, and to be ready: `npm run bench -- engine`.
 * Prints a table and writes bench/results/engine.json. Compare the ratios, not the times: machines differ.
 */
import { timeColdStarts } from "./engine/cold-start.ts";
import { TASKS } from "./engine/contenders.ts";
import { corpus } from "./engine/corpus.ts";
import { time } from "./engine/time.ts";
import { writeResult } from "./results.ts";

const ROUNDS = 7;
const COLD_STARTS = 7;

const samples = corpus();
const regions = new Set(samples.map(({ country }) => country));
console.log(`${samples.length} valid numbers of ${regions.size} regions, in an order of their own`);
const rows = TASKS.flatMap((task) => time(task, samples, ROUNDS));
await writeResult("engine", [...rows, ...(await timeColdStarts(COLD_STARTS))]);
