import { join } from "node:path";
import { plans, verify } from "../test/engine.ts";
import { examples } from "../test/google-oracle.ts";
import { bundle, startWorker } from "../test/runtime.ts";
import type { Bundle } from "../test/runtime.ts";
import { seededRandom, shuffled } from "../test/seeded.ts";
import { MAX_NUMBER_LENGTH } from "../contract/limits.ts";
import { formatE164 } from "../worker/phone/format.ts";
import { interpret } from "../worker/phone/reading.ts";
import { resultOf } from "./engine/libphonenumber-js.ts";
import { formatRatio, median, rounded } from "./row.ts";
import type { Row } from "./row.ts";

const ROUNDS = 7;
const SAMPLES = 20_000;
/** How long a turn lasts, in microseconds of CPU time. */
const TURN_US = 200_000;
const COLD_STARTS = 15;

interface Sample {
  readonly e164: string;
  readonly national: string;
  readonly country: string;
}

/** Valid numbers of every type in every country, in random order: Google's examples with other last digits. */
function corpus(): Sample[] {
  const random = seededRandom(1);
  const found = new Map<string, Sample>();
  while (found.size < SAMPLES) {
    for (const example of examples()) {
      const number = formatE164(example);
      const changed = Math.floor(random() * 5);
      const digits = String(Math.floor(random() * 10 ** changed)).padStart(changed, "0");
      const {
        valid,
        number: e164,
        local_format: national,
        country_code: country,
      } = verify(changed === 0 ? number : number.slice(0, -changed) + digits);
      if (valid && country !== null) found.set(e164!, { e164: e164!, national: national!, country });
    }
  }
  return shuffled([...found.values()], random);
}

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

type Runs = readonly ((sample: Sample) => unknown)[];

/** Medians of two contenders that take turns. A turn's first part is untimed: it starts with the other's caches. */
function compare(runs: Runs, samples: readonly Sample[]): number[] {
  const times: number[][] = runs.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, run] of runs.entries()) {
      timeTurn(run, samples);
      times[index]!.push(timeTurn(run, samples));
    }
  }
  return times.map(median);
}

/** What makes hostile input of 250 characters: each alone and after another, from the start and after a number. */
const HOSTILE =
  "1|0171/|1234567;|12/13/|+|(|x|XX|*|#|,|;|/|\n| |-|.|…|p1|r 1 |a1|०/|u. 1|or 1|::1|٣|é|ext 1|tel:|&|& ".split("|");

function hostileInputs(): string[] {
  return HOSTILE.flatMap((one) => HOSTILE.map((other) => (one + other).repeat(MAX_NUMBER_LENGTH))).flatMap((text) =>
    ["", "+4930901820"].map((start) => (start + text).slice(0, MAX_NUMBER_LENGTH)),
  );
}

/** The least of several runs of one input, in microseconds: it takes too little time for CPU time to show. */
function timeOne(run: () => unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const started = performance.now();
    run();
    return (performance.now() - started) * 1000;
  });
  return Math.min(...times);
}

function compareOne(input: string): number[] {
  return [timeOne(() => verify(input, "DE")), timeOne(() => resultOrNull(input, "DE"))];
}

/** Our time and theirs for the hostile input with the highest ratio. */
function compareHostile(): number[] {
  const inputs = hostileInputs();
  // Untimed: compiles the code.
  for (const input of inputs) compareOne(input);
  const times = inputs.map(compareOne);
  return times.toSorted(([a = 0, b = 1], [c = 0, d = 1]) => c / d - a / b)[0]!;
}

function resultOrNull(text: string, country: string): object | null {
  try {
    return resultOf(text, country);
  } catch {
    return null;
  }
}

/** The rules on a text far over the limit, and on a tenth of it: a rule in quadratic time would take a hundred times as long. */
function compareGrowth(): number[] {
  return [10_000, 1_000].map((times) => timeOne(() => interpret(`+4930901820${" &".repeat(times)}`, "DE", plans)));
}

/** The first request loads the contender, since a module is evaluated on import. */
const WORKER = `
export default {
  async fetch(request) {
    const { resultOf } = await import("./contender.js");
    return Response.json(resultOf(await request.text()));
  },
};`;

/** Microseconds of CPU time of a new isolate's first request. */
async function timeFirstResult({ code, data }: Bundle): Promise<number> {
  const contender = { code: WORKER, data, modules: new Map([["contender.js", code]]) };
  const { runtime, url, spent } = await startWorker(contender, { compatibilityDate: "2026-10-30" });
  try {
    const before = spent();
    const response = await fetch(url, { method: "POST", body: "+5511987654321" });
    await response.text();
    if (!response.ok) throw new Error(`The first request got a ${response.status}`);
    return spent() - before;
  } finally {
    await runtime.dispose();
  }
}

async function compareColdStarts(): Promise<number[]> {
  const files = ["checkline", "libphonenumber-js"];
  const bundles = await Promise.all(files.map((file) => bundle(join(import.meta.dirname, `engine/${file}.ts`))));
  const times: number[][] = bundles.map(() => []);
  for (let run = 0; run < COLD_STARTS; run++) {
    for (const [index, bundled] of bundles.entries()) times[index]!.push(await timeFirstResult(bundled));
  }
  return times.map(median);
}

/** Whole results in this process, and the first one in workerd, beside libphonenumber-js. */
export async function benchEngine(): Promise<Row[]> {
  const samples = corpus();
  const e164 = compare([({ e164: number }) => verify(number), ({ e164: number }) => resultOf(number)], samples);
  const national = compare(
    [(sample) => verify(sample.national, sample.country), (sample) => resultOf(sample.national, sample.country)],
    samples,
  );
  const hostile = compareHostile();
  const cold = await compareColdStarts();
  const row = (
    measured: string,
    [ours = 0, theirs = 0]: readonly number[],
    ceiling: string,
    compared_with = "libphonenumber-js (max)",
  ): Row => ({
    measured,
    ours_us: rounded(ours),
    compared_with,
    theirs_us: rounded(theirs),
    ratio: formatRatio(ours / theirs),
    ceiling,
  });
  return [
    row("result of an E.164 number, CPU", e164, "at most 1/12"),
    row("result of a number in national format, CPU", national, "at most 1/6"),
    row("result of the worst hostile input", hostile, "at most 10"),
    row("reading rules on hostile text", compareGrowth(), "at most 15", "a tenth of the text"),
    row("first result in workerd, CPU", cold, "at most 1.5"),
  ];
}
