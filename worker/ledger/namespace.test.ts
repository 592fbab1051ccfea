import { expect, test } from "vitest";
import { ledgersIn } from "./namespace.ts";
import type { LedgerNamespace } from "./namespace.ts";

/** A namespace that records which ledgers it was asked for. */
function namespaceIn(place: string, asked: string[]): LedgerNamespace {
  return {
    getByName(user, options) {
      asked.push(`${place} ${user} ${options?.locationHint ?? ""}`);
      return {} as ReturnType<LedgerNamespace["getByName"]>;
    },
    jurisdiction: (name) => namespaceIn(name, asked),
  };
}

test.each([
  [undefined, "anywhere usr_1 weur"],
  ["", "anywhere usr_1 weur"],
  ["eu", "eu usr_1 "],
])("with the jurisdiction %j, a ledger is %s", (jurisdiction, expected) => {
  const asked: string[] = [];
  ledgersIn(namespaceIn("anywhere", asked), jurisdiction).getByName("usr_1", { locationHint: "weur" });
  expect(asked).toStrictEqual([expected]);
});
