import { join } from "node:path";
import { bundle, startWorker } from "../test/runtime.ts";
import type { Bundle } from "../test/runtime.ts";
import type { Row } from "./row.ts";

const COLD_STARTS = 15;

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

/** The first result of a new isolate in workerd, beside libphonenumber-js. */
export async function benchFirstResult(): Promise<Row[]> {
  const files = ["checkline", "libphonenumber-js"];
  const bundles = await Promise.all(files.map((file) => bundle(join(import.meta.dirname, `engine/${file}.ts`))));
  const times: number[][] = bundles.map(() => []);
  for (let run = 0; run < COLD_STARTS; run++) {
    for (const [index, bundled] of bundles.entries()) times[index]!.push(await timeFirstResult(bundled));
  }
  return [
    {
      measured: "first result in workerd, CPU",
      unit: "µs",
      ours: times[0]!,
      comparedWith: "libphonenumber-js (max)",
      theirs: times[1]!,
      ceiling: { of: "ratio", most: 1.5 },
    },
  ];
}
