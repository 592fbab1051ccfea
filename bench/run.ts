/** `npm run bench`: measures what has a ceiling, in ten minutes; `npm run bench -- engine` or `http`: a part of it. */
import { parseArguments, runMain, UsageError } from "../scripts/arguments.ts";
import { benchEngine } from "./engine.ts";
import { benchHttp } from "./http.ts";

const BENCHMARKS = { engine: benchEngine, http: benchHttp } as const;

await runMain(async () => {
  const { positionals } = parseArguments({ allowPositionals: true });
  const unknown = positionals.find((name) => !Object.hasOwn(BENCHMARKS, name));
  if (unknown !== undefined) throw new UsageError(`There is no benchmark ${unknown}. Choose engine or http.`);
  const rows: object[] = [];
  for (const [name, run] of Object.entries(BENCHMARKS)) {
    if (positionals.length === 0 || positionals.includes(name)) rows.push(...(await run()));
  }
  // Compare ratios, not times: machines differ.
  console.table(rows);
});
