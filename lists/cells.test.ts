import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { verify } from "../test/engine.ts";
import { writingKey } from "./cells.ts";

test.each([
  ["+55 11 98765-4321", "+5511987654321"],
  ["(212) 555-0123", "2125550123"],
  // As they are: without it, they may be read otherwise.
  ["+(212) 555-0123", "+(212) 555-0123"],
  ["+44 (0)20 7946 0018", "+44 (0)20 7946 0018"],
  ["212.555.0123", "212.555.0123"],
  ["1-800-GOT-JUNK x5", "1-800-GOT-JUNK x5"],
])("%s is the number %s", (text, key) => {
  expect(writingKey(text)).toBe(key);
});

test("a number has the same result in each writing that counts as the same", () => {
  const cells = ["notations", "reading"].flatMap((name) =>
    readFileSync(`worker/phone/${name}.cases.tsv`, "utf8").split(/[\t\n]/),
  );
  const written = [...new Set(cells)].filter((text) => /\d/.test(text) && writingKey(text) !== text);
  expect(written.length).toBeGreaterThan(50);
  for (const text of written) {
    for (const country of [undefined, "US", "GB", "IT", "DE", "AR"]) {
      expect(verify(writingKey(text), country), text).toStrictEqual(verify(text, country));
    }
  }
});
