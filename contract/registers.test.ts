import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REGISTERS, type RegisterRow } from "./registers.ts";

const NOTICE = join(import.meta.dirname, "../NOTICE");

/** A text as an item of a list in NOTICE, with lines of at most 84 characters. */
function item(text: string): string {
  return `- ${text}`.replaceAll(/(.{1,82})(?: |$)/g, "$1\n  ").trimEnd();
}

test("NOTICE has each register's source and terms (npx vitest run --project unit contract/registers -u writes them)", async () => {
  const items = Object.values(REGISTERS).map(({ numbers, source, terms, attribution }: RegisterRow) =>
    item(`${numbers}: ${source}; ${terms}${attribution === undefined ? "" : `. ${attribution}.`}`),
  );
  const notice = readFileSync(NOTICE, "utf8").replace(
    /(?<=^worker\/phone\/data\/allocation-[^:]*:\n\n)[^]*?(?=\n\nThe brands)/m,
    items.join("\n"),
  );
  await expect(notice).toMatchFileSnapshot(NOTICE);
});

test("each country and territory has one register", () => {
  const regions = Object.values(REGISTERS).flatMap((register): readonly string[] => register.regions);
  expect(regions).toStrictEqual([...new Set(regions)]);
  for (const [country, register] of Object.entries(REGISTERS)) expect(register.regions).toContain(country);
});
