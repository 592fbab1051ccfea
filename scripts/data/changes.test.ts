import { expect, test } from "vitest";
import { changeLines, planChanges, prefixChanges } from "./changes.ts";
import { encodePrefixTable } from "./encode.ts";
import { packagePlans } from "./packages.ts";
import { encodePlanTable } from "./plan-table.ts";

const installed = packagePlans();

/** A table of one calling code, whose fixed lines have another pattern. */
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
const tableOf = (entries: Record<string, string>) =>
  bufferOf(encodePrefixTable(new Map(Object.entries(entries)), "test"));

test("every number that a plan gains or loses is counted, and the first ones named", () => {
  // 380 to 389 with four digits more; they fit the general pattern.
  const [gained] = planChanges(guyana(), guyana("3\\d", "3[0-79]"));
  const [lost] = planChanges(guyana("3\\d", "3[0-79]"), guyana());
  expect(gained).toMatchObject({
    callingCode: "592",
    lost: 10_000,
    added: 0,
    altered: 0,
    examples: ["5923380000: fixed_line → none"],
  });
  expect(lost).toMatchObject({ lost: 0, added: 10_000, altered: 0, examples: ["5923380000: none → fixed_line"] });
  expect(gained!.before).toBe(lost!.before + 10_000);
  expect(planChanges(guyana(), guyana())).toMatchObject([{ lost: 0, added: 0, altered: 0 }]);
});

test("ranges of a table are compared where either changes its text", () => {
  const before = tableOf({ "41": "Swisscom", "4178": "Salt", "447": "O2" });
  const after = tableOf({ "41": "Swisscom", "4178": "Salt Mobile", "41781": "Yallo", "49": "Telekom" });
  const changes = prefixChanges(before, after, ["41", "44", "49"]);
  expect(changeLines(changes, (callingCode) => `country ${callingCode}`)).toEqual([
    "+41 country 41: 3 changed of 5 (4178: Salt → Salt Mobile; 41781: Salt → Yallo; 41782: Salt → Salt Mobile)",
    "+44 country 44: 1 lost of 1 (447: O2 → none)",
    "+49 country 49: 1 new of 0 (49: none → Telekom)",
  ]);
  expect(
    prefixChanges(before, before, ["41", "44"]).every(({ lost, added, altered }) => lost + added + altered === 0),
  ).toBe(true);
});
