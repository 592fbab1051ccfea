import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prefixTable, table, verify } from "../../../test/engine.ts";
import { acceptance } from "../../../contract/acceptance.ts";
import type { LineType } from "../../../contract/result-values.ts";
import type { Acceptance } from "../../../contract/verification.ts";
import { REGISTER_COUNTRIES, registerFile } from "../../../contract/registers.ts";
import { readPlanTable } from "../../../worker/phone/plan-table.ts";
import { ROOT } from "../../local/run.ts";
import { figureLines, figuresOf } from "./figures.ts";

const figures = REGISTER_COUNTRIES.flatMap((country) =>
  figuresOf(
    country,
    prefixTable(registerFile(country)),
    prefixTable("carrier.jsonl"),
    readPlanTable(table("plans.bin")),
  ),
);
const of = (country: string, type: string) => figures.find((one) => one.country === country && one.type === type)!;

/** "| US | mobile | 68.4 % |" */
function shares(line: string): [kind: string, shares: number[]] {
  const [, country, type] = line.split("|").map((cell) => cell.trim());
  return [`${country} ${type}`, Array.from(line.matchAll(/([\d.]+) %/g), ([, share]) => Number(share))];
}

test("the engine's README has the figures of the tables, within a point", () => {
  const compiled = new Map(figureLines(figures).map(shares));
  const readme = readFileSync(join(ROOT, "worker/phone/README.md"), "utf8").split("\n");
  const lines = readme.filter((line) => /^\| [A-Z]{2} +\| [a-z_]+ /.test(line)).map(shares);
  expect(lines.map(([kind]) => kind.slice(0, 2))).toEqual(expect.arrayContaining([...REGISTER_COUNTRIES]));
  for (const [kind, said] of lines) {
    expect(said).toHaveLength(11);
    for (const [i, share] of said.entries()) expect(Math.abs(share - compiled.get(kind)![i]!), kind).toBeLessThan(1);
  }
});

test("the README says of how many US numbers something is known", () => {
  const { valid } = of("US", "fixed_line_or_mobile");
  const [carrier, lineType] = [valid.carrier, valid.lineType].map((part) => Math.round((100 * part) / valid.numbers));
  const readme = readFileSync(join(ROOT, "README.md"), "utf8").replaceAll("\n", " ");
  expect(readme).toContain(
    `Of the US numbers that the plan allows, ${carrier}% have a carrier, and ${lineType}% a line type`,
  );
});

test("the numbers are those of results, for each block of the Northern Mariana Islands", () => {
  const results = Array.from({ length: 10_000 }, (_, block) => verify(`+1670${String(block).padStart(4, "0")}000`));
  const valid = results.filter(({ valid: is, country_code }) => is && country_code === "MP");
  const count = (all: typeof results) => ({
    numbers: 1_000 * all.length,
    holder: 1_000 * all.filter(({ allocation }) => allocation?.holder).length,
    carrier: 1_000 * all.filter(({ carrier }) => carrier).length,
    lineType: 1_000 * all.filter(({ line_type }) => line_type).length,
  });
  expect(valid.length).toBeGreaterThan(100);
  expect(of("MP", "fixed_line_or_mobile")).toMatchObject({
    valid: count(valid),
    assigned: count(valid.filter(({ allocation }) => allocation?.status === "assigned")),
  });
});

test("the docs say which share of assigned US numbers the accepted line types turn away, within two points", () => {
  const { numbers, lineTypes } = of("US", "fixed_line_or_mobile").assigned;
  const unknown = numbers - lineTypes.mobile - lineTypes.fixed - lineTypes.voip;
  const counts = [...Object.entries(lineTypes), [null, unknown] as const] as [LineType | null, number][];
  const plan = { valid: true, country_code: "US", number_type: "fixed_line_or_mobile", allocation: null } as const;
  const page = readFileSync(join(ROOT, "web/content/docs/verify.mdx"), "utf8");
  const rows = [...page.matchAll(/^\| `(\[.+\])` +\| (\d+)% +\|$/gm)];
  expect(rows).toHaveLength(3);
  for (const [, list, said] of rows) {
    const accept_line_types = JSON.parse(list!) as Acceptance["accept_line_types"];
    const away = counts.filter(([line_type]) => !acceptance({ ...plan, line_type }, { accept_line_types })!.accepted);
    const share = (100 * away.reduce((sum, [, count]) => sum + count, 0)) / numbers;
    expect(Math.abs(share - Number(said)), `${list}: ${share}`).toBeLessThan(2);
  }
});
