import { expect, test } from "vitest";
import { changeLines, entryChanges, planChanges, prefixChanges, shortNumberChanges } from "./changes.ts";
import { encodePrefixTable } from "./encode.ts";
import { packagePlans } from "./packages.ts";
import { encodePlanTable } from "./plan-table.ts";

const installed = packagePlans();

/** A table with one calling code, with another pattern for fixed lines. */
function guyana(from = "", to = ""): ArrayBuffer {
  const [plan] = installed.plansOfCallingCode("592");
  const fixedLine = { ...plan!.fixedLine!, pattern: plan!.fixedLine!.pattern.replace(from, to) };
  return bufferOf(
    encodePlanTable({
      callingCodes: () => ["592"],
      plansOfCallingCode: () => [{ ...plan!, fixedLine }],
      formatRulesOf: installed.formatRulesOf,
    }),
  );
}

const bufferOf = (bytes: Uint8Array) => new Uint8Array(bytes).buffer;
const tableOf = (entries: Record<string, string>) => encodePrefixTable(new Map(Object.entries(entries)), "test");

test("counts every number a plan gains or loses, with the first as examples", () => {
  // 380 to 389 plus four digits; they fit the general pattern.
  const [gained] = planChanges(guyana(), guyana("3\\d", "3[0-79]"));
  const [lost] = planChanges(guyana("3\\d", "3[0-79]"), guyana());
  expect(gained).toMatchObject({
    place: "GY",
    lost: 10_000,
    added: 0,
    altered: 0,
    examples: ["5923380000: GY fixed_line → none"],
  });
  expect(lost).toMatchObject({ lost: 0, added: 10_000, altered: 0, examples: ["5923380000: none → GY fixed_line"] });
  expect(gained!.before).toBe(lost!.before + 10_000);
  expect(planChanges(guyana(), guyana())).toMatchObject([{ lost: 0, added: 0, altered: 0 }]);
});

test("numbers count for their country; calling codes without a country count separately", () => {
  const table = (callingCode: string, keep: (region: string) => boolean) =>
    bufferOf(
      encodePlanTable({
        callingCodes: () => [callingCode],
        plansOfCallingCode: () => installed.plansOfCallingCode(callingCode).filter(({ region }) => keep(region)),
        formatRulesOf: installed.formatRulesOf,
      }),
    );
  const all = table("44", () => true);
  const changes = planChanges(
    all,
    table("44", (region) => region !== "GG"),
  );
  const [britain, guernsey] = ["GB", "GG"].map((place) => changes.find((change) => change.place === place)!);
  expect(guernsey!.lost + guernsey!.altered).toBe(guernsey!.before);
  expect(britain).toMatchObject({ lost: 0, altered: 0 });
  const shared = table("800", () => true);
  expect(planChanges(shared, shared)).toMatchObject([{ place: "+800", lost: 0, before: 91_000_000 }]);
});

test("counts every short number a country gains or loses, with its kinds", () => {
  const before = { US: ["911|112", "911|112"], DE: ["11[02]|116\\d{3}", "11[02]"] };
  const after = { US: ["911", "911"], DE: ["11[02]|116\\d{3}", "110", "112"], AT: ["", "133"] };
  expect(changeLines(shortNumberChanges(before, after), (place) => place)).toEqual([
    "US: 1 lost of 2 (112: shortCode emergency → none)",
    "DE: 1 changed of 1,002 (112: shortCode emergency → shortCode tollFree)",
    "AT: 1 new of 0 (133: none → emergency)",
  ]);
  expect(shortNumberChanges(before, before).every(({ lost, added, altered }) => lost + added + altered === 0)).toBe(
    true,
  );
});

test("lists are compared entry by entry", () => {
  const before = { MY: ["Asia/Kuala_Lumpur", "Asia/Kuching"], KP: ["Asia/Pyongyang"], DE: ["Europe/Berlin"] };
  const after = { MY: ["Asia/Kuching"], CH: ["Europe/Zurich"], DE: ["Europe/Berlin"] };
  expect(changeLines(entryChanges(before, after), (place) => place)).toEqual([
    "MY: 1 lost of 2 (Asia/Kuala_Lumpur: there → none)",
    "KP: 1 lost of 1 (Asia/Pyongyang: there → none)",
    "CH: 1 new of 0 (Europe/Zurich: none → there)",
  ]);
});

test("ranges of a table are split where either text changes", () => {
  const before = tableOf({ "41": "Swisscom", "4178": "Salt", "447": "O2" });
  const after = tableOf({ "41": "Swisscom", "4178": "Salt Mobile", "41781": "Yallo", "49": "Telekom" });
  const changes = prefixChanges(before, after, ["41", "44", "49"]);
  expect(changeLines(changes, (place) => `country ${place}`)).toEqual([
    "country +41: 3 changed of 5 (4178: Salt → Salt Mobile; 41781: Salt → Yallo; 41782: Salt → Salt Mobile)",
    "country +44: 1 lost of 1 (447: O2 → none)",
    "country +49: 1 new of 0 (49: none → Telekom)",
  ]);
  expect(
    prefixChanges(before, before, ["41", "44"]).every(({ lost, added, altered }) => lost + added + altered === 0),
  ).toBe(true);
});
