import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { ROOT } from "./local/run.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");

test("every npm script it mentions exists", () => {
  const named = [...README.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(8);
  for (const name of named) expect(Object.keys(manifest.scripts)).toContain(name);
});
