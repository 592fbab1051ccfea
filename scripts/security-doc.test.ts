import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./local/run.ts";

const TEXT = readFileSync(join(ROOT, "docs/security.md"), "utf8");

test("docs/security.md only references existing files", () => {
  const named = [...TEXT.matchAll(/`((?:\.?(?:contract|worker|web|test|scripts|docs|github)\/)[\w./-]*)`/g)].map(
    ([, path]) => path!,
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toStrictEqual([]);
});

test("no requirement is in its tables twice", () => {
  const ids = [...TEXT.matchAll(/^\| (V[^|]+)\|/gm)].flatMap(([, cell]) => cell!.trim().split(/, /));
  expect(ids.length).toBeGreaterThan(90);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toStrictEqual([]);
});
