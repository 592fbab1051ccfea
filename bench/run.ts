/** `npm run bench`: every benchmark; `npm run bench -- NAME`: one. `--seconds N` shortens the one over HTTP. */
import { names } from "./options.ts";

const BENCHMARKS: Readonly<Record<string, () => Promise<unknown>>> = {
  engine: () => import("./engine.ts"),
  http: () => import("./http.ts"),
  "cold-start": () => import("./cold-start.ts"),
  "key-store": () => import("./key-store.ts"),
};

const unknown = names.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exitCode = 2;
} else {
  for (const [name, run] of Object.entries(BENCHMARKS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n${name}`);
    await run();
  }
}
