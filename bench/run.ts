/**
 * `npm run bench`: measures what has a ceiling, in ten minutes, and records it in `bench/results/` and the documents;
 * `npm run bench -- engine`: prints a part of it. `npm run bench -- accuracy`: counts right results instead, and records
 * them for the site.
 */
import { parseArguments, runMain, UsageError } from "../scripts/arguments.ts";
import { measureAccuracy } from "./accuracy.ts";
import { benchBatch } from "./batch.ts";
import { benchBytes } from "./bytes.ts";
import { benchEngine } from "./engine.ts";
import { benchFirstResult } from "./first-result.ts";
import { benchHostile } from "./hostile.ts";
import { describeMachine } from "./machine.ts";
import { writeResults } from "./results.ts";
import { cellsOf } from "./row.ts";
import type { Row } from "./row.ts";
import { benchSize } from "./size.ts";
import { benchVerify } from "./verify.ts";

const BENCHMARKS = {
  engine: benchEngine,
  hostile: benchHostile,
  "first-result": benchFirstResult,
  size: benchSize,
  bytes: benchBytes,
  batch: benchBatch,
  verify: benchVerify,
} as const;
const NAMES = Object.keys(BENCHMARKS) as (keyof typeof BENCHMARKS)[];

await runMain(async () => {
  const { positionals } = parseArguments({ allowPositionals: true });
  if (positionals.join() === "accuracy") {
    measureAccuracy();
    return;
  }
  const unknown = positionals.find((name) => !Object.hasOwn(BENCHMARKS, name));
  if (unknown !== undefined) {
    throw new UsageError(`There is no benchmark ${unknown}. Choose from accuracy, alone, or ${NAMES.join(", ")}.`);
  }
  // Before the benchmarks, which load the machine themselves.
  const machine = describeMachine();
  const isWhole = positionals.length === 0;
  const rows: Row[] = [];
  for (const name of isWhole ? NAMES : NAMES.filter((known) => positionals.includes(known))) {
    const found = await BENCHMARKS[name]();
    console.table(found.map(cellsOf));
    rows.push(...found);
  }
  if (isWhole) writeResults({ date: new Date().toISOString().slice(0, 10), machine, rows });
});
