/** `npm run bench`: every benchmark; `npm run bench -- NAME`: one. `--seconds N` shortens the one over HTTP. */
import { numberUpTo, parseArguments, runMain, UsageError } from "../scripts/arguments.ts";

const BENCHMARKS: Readonly<Record<string, (seconds: number) => Promise<void>>> = {
  engine: async () => (await import("./engine.ts")).bench(),
  http: async (seconds) => (await import("./http.ts")).bench(seconds),
  "cold-start": async () => (await import("./cold-start.ts")).bench(),
  "key-store": async () => (await import("./key-store.ts")).bench(),
  deletion: async () => (await import("./deletion.ts")).bench(),
};

await runMain(async () => {
  const options = { seconds: { type: "string", default: "30" } } as const;
  const { values, positionals } = parseArguments({ allowPositionals: true, options });
  const seconds = numberUpTo("--seconds", 3_600, values.seconds, { whole: false });
  const unknown = positionals.find((name) => !Object.hasOwn(BENCHMARKS, name));
  if (unknown !== undefined) {
    throw new UsageError(`There is no benchmark ${unknown}. Choose from: ${Object.keys(BENCHMARKS).join(", ")}`);
  }
  for (const [name, run] of Object.entries(BENCHMARKS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    console.log(`\n${name}`);
    await run(seconds);
  }
});
