import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wordLists } from "./word-lists.ts";

test.each([...wordLists()])("%s is what the script makes of the installed packages", (path, text) => {
  expect(readFileSync(join(import.meta.dirname, "..", path), "utf8")).toBe(text);
  expect(text.split("\n").length).toBeGreaterThan(3_000);
});
