import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { median, quantile } from "../results.ts";
import { type Bundle, bundle, startWorker, writeForNode } from "../runtime.ts";

const NAMES = ["checkline", "libphonenumber-js", "google-libphonenumber", "awesome-phonenumber"];
const NUMBER = "+5511987654321";

/**
 * In a Node of its own, milliseconds of processor time: to load a contender and have its first answer, and how much longer that answer
 * alone took than the hundredth.
 */
const NODE_PROGRAM = `
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const started = spent();
const { answer } = await import(process.argv[1]);
const times = [spent()];
for (let call = 0; call < 100; call++) { answer(process.argv[2]); times.push(spent()); }
console.log(JSON.stringify([times[1] - started, times[1] - times[0] - (times[100] - times[99])]));`;

/** The first request loads the contender, since a module is evaluated when it is imported. */
const WORKER = `
export default {
  async fetch(request) {
    const { answer } = await import("./contender.js");
    return new Response(answer(await request.text()));
  },
};`;

interface ColdStart {
  readonly task: string;
  readonly name: string;
  readonly median_ns: number;
  readonly spread: number;
  readonly ratio_to_ours: number;
}

/** Loading and the first answer, in Node and in workerd; every contender in turn, each time from nothing. */
export async function timeColdStarts(runs: number): Promise<ColdStart[]> {
  const bundles = await Promise.all(NAMES.map((name) => bundle(join(import.meta.dirname, `cold/${name}.ts`))));
  const paths = await Promise.all(bundles.map(writeForNode));
  const inNode = NAMES.map((): number[] => []);
  const firstInNode = NAMES.map((): number[] => []);
  const inWorkerd = NAMES.map((): number[] => []);
  try {
    for (let run = 0; run < runs; run++) {
      for (const index of NAMES.keys()) {
        const [cold, first] = await firstAnswerInNode(paths[index]!);
        inNode[index]!.push(cold);
        firstInNode[index]!.push(first);
        inWorkerd[index]!.push(await firstAnswerInWorkerd(bundles[index]!));
      }
    }
  } finally {
    await Promise.all(paths.map((path) => rm(dirname(path), { recursive: true })));
  }
  return [
    ...toRows("cold start in Node, processor time", inNode),
    ...toRows("first answer less the hundredth, loaded, in Node", firstInNode),
    ...toRows("cold start in workerd, first request", inWorkerd),
  ];
}

async function firstAnswerInNode(path: string): Promise<[cold: number, first: number]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    NODE_PROGRAM,
    path,
    NUMBER,
  ]);
  return JSON.parse(stdout) as [number, number];
}

/** Milliseconds of the first request to a new isolate. */
async function firstAnswerInWorkerd({ code, data }: Bundle): Promise<number> {
  const contender = { code: WORKER, data, modules: new Map([["contender.js", code]]) };
  const { runtime, url } = await startWorker(contender, { compatibilityDate: "2026-10-30" });
  try {
    const started = performance.now();
    const response = await fetch(url, { method: "POST", body: NUMBER });
    const text = await response.text();
    const time = performance.now() - started;
    if (response.status !== 200) throw new Error(`A contender answered ${response.status}: ${text}`);
    return time;
  } finally {
    await runtime.dispose();
  }
}

function toRows(task: string, times: readonly (readonly number[])[]): ColdStart[] {
  const ours = median(times[0]!);
  return NAMES.map((name, index) => {
    const middle = median(times[index]!);
    return {
      task,
      name,
      median_ns: Math.round(middle * 1e6),
      spread: Number(((quantile(times[index]!, 0.75) - quantile(times[index]!, 0.25)) / middle).toFixed(2)),
      ratio_to_ours: Number((middle / ours).toFixed(1)),
    };
  });
}
