import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seconds: { type: "string" } } });

/** The benchmarks that were asked for; all of them when there are none. */
export const names: readonly string[] = positionals;

/** How long each contender of a benchmark over HTTP is under load. */
export const seconds = Number(values.seconds ?? 30);
if (!(seconds > 0)) throw new Error("--seconds takes a number above 0");
