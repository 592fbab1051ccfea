import { verify } from "../test/engine.ts";
import { corpus } from "./corpus.ts";
import type { Sample } from "./corpus.ts";
import { resultOf } from "./engine/libphonenumber-js.ts";
import type { Row } from "./row.ts";

const ROUNDS = 7;
/** How long a turn lasts, in microseconds of CPU time. */
const TURN_US = 200_000;

/** Microseconds of CPU time per sample, so that other programs hardly matter. */
function timeTurn(run: (sample: Sample) => unknown, samples: readonly Sample[]): number {
  let done = 0;
  let seen = 0;
  let spent = 0;
  const started = process.cpuUsage();
  while (spent < TURN_US) {
    // Results are used, so that no work can be optimized away.
    for (const sample of samples) if (run(sample) !== undefined) seen += 1;
    done += samples.length;
    const { user, system } = process.cpuUsage(started);
    spent = user + system;
  }
  if (seen !== done) throw new Error("A sample has no result");
  return spent / done;
}

/** Two contenders that take turns. A turn's first part is untimed: it starts with the other's caches. */
function compare(runs: readonly ((sample: Sample) => unknown)[], samples: readonly Sample[]): number[][] {
  const times: number[][] = runs.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, run] of runs.entries()) {
      timeTurn(run, samples);
      times[index]!.push(timeTurn(run, samples));
    }
  }
  return times;
}

/** Whole results in this process, beside libphonenumber-js. */
export async function benchEngine(): Promise<Row[]> {
  const samples = corpus();
  const e164 = compare([({ e164: number }) => verify(number), ({ e164: number }) => resultOf(number)], samples);
  const national = compare(
    [(sample) => verify(sample.national, sample.country), (sample) => resultOf(sample.national, sample.country)],
    samples,
  );
  const row = (measured: string, [ours = [], theirs = []]: number[][], most: number): Row => ({
    measured,
    unit: "µs",
    ours,
    comparedWith: "libphonenumber-js (max)",
    theirs,
    ceiling: { of: "ratio", most },
  });
  return [
    row("result of an E.164 number, CPU", e164, 1 / 12),
    row("result of a number in national format, CPU", national, 1 / 6),
  ];
}
