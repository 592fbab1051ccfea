/** `npm run bench`: every benchmark; `npm run bench -- NAME`: one. */
const BENCHMARKS: Readonly<Record<string, () => Promise<unknown>>> = {
  "cold-start": () => import("./cold-start.ts"),
  "key-store": () => import("./key-store.ts"),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exitCode = 2;
} else {
  for (const [name, run] of Object.entries(BENCHMARKS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n${name}`);
    await run();
  }
}
