import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "./sandbox.ts";

test("the README's table has the sandbox's numbers, names, and codes", () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| `(\+?\d+)` +\| (?:`(\w+)`|success, [^|]+) +\| +(\d*) *\|$/gm)];
  expect(rows.map(([, number, name, code]) => [number, name, code])).toEqual([
    ...SANDBOX_SUCCESSES.map(({ number }) => [number, undefined, ""]),
    ...SANDBOX_FAILURES.map(({ number, name, code }) => [number, name, String(code)]),
  ]);
});
