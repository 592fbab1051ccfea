import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import manifest from "../../contract/data-manifest.json" with { type: "json" };
import { prefixTable, table, verify } from "../../test/engine.ts";
import { docNumber } from "../../web/plugins/docs/data.ts";
import { ROOT } from "../local/run.ts";
import { readPlanTable } from "../../worker/phone/plan-table.ts";
import { openPrefixTable } from "../../worker/phone/prefix-table.ts";
import {
  CARRIER_NAMES,
  namesDigest,
  namesToLookUp,
  outdatedNames,
  readCarrierNames,
  withTodaysNames,
} from "./carriers.ts";
import { prefixesOf } from "./encode.ts";
import { numbersUnder, planRanges } from "./plan-ranges.ts";

const CARRIERS = prefixTable("carrier.jsonl");
/** The thirty most populous countries. */
const POPULOUS = "IN CN US ID PK NG BR BD RU ET MX JP EG PH CD VN IR TR DE TH TZ GB FR ZA IT KE MM CO KR SD".split(" ");
/** Others whose larger names somebody has reviewed. */
const REVIEWED =
  "AE AF UG UA NP IE NZ NL SE RO GR AT HR RS SK AM BE PL CL LK GT CR PA NI UY MZ SN YE MY KW BH TM LA CG GN BI IL ZM".split(
    " ",
  );

/** How many numbers that may be mobile have each name, by country and its calling code: "KZ 7". */
function namedMobiles(): Map<string, Map<string, number>> {
  const plans = readPlanTable(table("plans.bin"));
  const { lookup } = openPrefixTable(CARRIERS);
  const starts = prefixesOf(CARRIERS);
  const named = new Map<string, Map<string, number>>();
  for (const [callingCode, plan] of Object.entries(plans.head.plans)) {
    const count = numbersUnder(plans.nodesOf(callingCode), plan.regions);
    for (const { row, node } of planRanges(callingCode, plans, starts)) {
      const name = lookup(row);
      if (name === null) continue;
      for (const [kind, numbers] of count(node)) {
        const [country, type] = kind.split(" ") as [string, string];
        if (type !== "mobile" && type !== "fixed_line_or_mobile") continue;
        const key = `${country} ${callingCode}`;
        const names = named.get(key) ?? new Map<string, number>();
        named.set(key, names.set(name, (names.get(name) ?? 0) + numbers));
      }
    }
  }
  return named;
}

test("every name of one percent of a country's named mobiles has a reviewed row", () => {
  const today = new Set(CARRIER_NAMES.map((row) => `${row.callingCode} ${row.today}`));
  const named = [...namedMobiles()].filter(([key]) => [...POPULOUS, ...REVIEWED].includes(key.slice(0, 2)));
  // Google names no mobiles in Mexico.
  expect(named.length).toBe(POPULOUS.length + REVIEWED.length - 1);
  const missing = named.flatMap(([key, names]) => {
    const all = [...names.values()].reduce((sum, numbers) => sum + numbers, 0);
    return [...names]
      .filter(([name, numbers]) => numbers >= all / 100 && !today.has(`${key.slice(3)} ${name}`))
      .map(([name]) => `${key} ${name}`);
  });
  expect(missing).toEqual([]);
  expect(docNumber("REVIEWED_COUNTRIES")).toBe(String(named.length));
  const readme = readFileSync(join(ROOT, "README.md"), "utf8").replaceAll("\n", " ");
  expect(readme).toContain(`reviewed the larger names of ${named.length} countries`);
});

test("the engine's chapter says for how many rows nobody has opened a source", () => {
  const known = CARRIER_NAMES.filter(({ source }) => source.startsWith("known, not opened"));
  const chapter = readFileSync(join(ROOT, "worker/phone/README.md"), "utf8").replaceAll("\n", " ");
  expect(/(\d+) of (\d+) rows/.exec(chapter)?.slice(1).map(Number)).toEqual([known.length, CARRIER_NAMES.length]);
});

test("the committed table was compiled with these rows (npm run data -- --from FOLDER)", () => {
  expect(manifest["carrier.jsonl"].names_sha256).toBe(namesDigest());
  const [row, ...others] = CARRIER_NAMES;
  expect(namesDigest([{ ...row!, today: null }, ...others])).not.toBe(namesDigest());
});

test.each([
  // Sold by area code: Claro has 31, TIM 61, Vivo 41.
  ["+5531988887777", "Claro"],
  ["+5531996311234", "Vivo"],
  ["+5561984001234", "TIM"],
  ["+491771234567", "O2"],
  ["+393201234567", "WINDTRE"],
  ["+919811012345", "Vi"],
  ["+353851234567", "eir"],
  // Only Russia's Tele2 was renamed.
  ["+77001234567", "Tele2"],
  // Google's error, and a company without a successor.
  ["+821020001234", null],
  ["+8801191234567", null],
])("%s is %s today", (number, name) => {
  const { valid, carrier } = verify(number);
  expect({ valid, carrier }).toEqual({ valid: true, carrier: name });
});

test("a name that nobody has reviewed is as Google's list has it, with its letters repaired", () => {
  const name = "Telefónica Uno Uno Cuatro";
  expect(CARRIER_NAMES.filter(({ google, today }) => google === name || today === name)).toEqual([]);
  expect(verify("+56943611111").carrier).toBe(name);
});

describe("a name", () => {
  const names = readCarrierNames(
    [
      "55\tOi\t31 32\tClaro\t2022\tsold\tgazette",
      "55\tOi\t41\tVivo\t2022\tsold\tgazette",
      "55\tOi\t-\t-\t2022\tended\tknown, not opened: nobody's",
      "55\tTIM\t-\tTIM\t-\tunsure\tknown, not opened: perhaps",
    ].join("\n"),
  );

  it("is today's in its area, and that of nobody hides a shorter prefix", () => {
    const google = new Map([
      ["5531", "Oi"],
      ["55412", "Oi"],
      ["55112", "Oi"],
      ["5511", "TIM"],
      ["5931", "Oi"],
    ]);
    expect([...withTodaysNames(google, names).values()]).toEqual(["Claro", "Vivo", "", "TIM", "Oi"]);
  });

  it("is reported once Google has another", () => {
    const google = new Map([
      ["5532", "Oi"],
      ["5541", "Vivo"],
      ["5551", "Oi"],
      ["5561", "TIM"],
    ]);
    expect(outdatedNames(google, names)).toEqual(['+55 "Oi" in 41']);
  });

  it("is listed for somebody to look up", () => {
    expect(namesToLookUp(names)).toEqual(['+55 "TIM": known, not opened: perhaps', "+55, known, not opened: Oi"]);
  });

  it.each([
    ["55\tOi\t-\t-\t2022\tended", "not seven cells"],
    ["55\tOi \t-\t-\t2022\tended\tgazette", "not seven cells"],
    ["55\tOi\tx\t-\t2022\tended\tgazette", "a prefix isn't digits"],
    ["55\tOi\t-\t-\t2022\tgone\tgazette", "gone isn't a class"],
    ["55\tOi\t-\t-\t2022\tmerged\tgazette", "only a name that has ended"],
    ["55\tOi\t-\tTIM\t2022\tended\tgazette", "only a name that has ended"],
    ["55\tOi\t-\tTIM\t-\tcurrent\tgazette", "a current name is Google's"],
    ["55\tOi\t-\tOi\t-\tcurrent\tgazette\n55\tOi\t-\tOi\t-\tcurrent\tgazette", "an earlier row has Oi"],
    ["55\tOi\t-\tOi\t-\tcurrent\tgazette\n55\tOi\t31\tTIM\t2022\tsold\tgazette", "an earlier row has Oi"],
    ["55\tOi\t3\tVivo\t2022\tsold\tgazette\n55\tOi\t31\tTIM\t2022\tsold\tgazette", "an earlier row has Oi"],
  ])("that is written wrongly is refused: %j", (line, why) => {
    expect(() => readCarrierNames(line)).toThrow(why);
  });
});

test("the rows are in order of calling codes, so that a country's are together", () => {
  const lines = readFileSync(join(import.meta.dirname, "carriers.tsv"), "utf8").split("\n");
  const codes = lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split("\t")[0]!);
  expect(codes).toEqual(codes.toSorted());
});
