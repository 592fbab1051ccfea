import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { plans } from "../../../test/engine.ts";
import { readText } from "./read-text.ts";
import { RULE_TEXTS } from "./rules.ts";

test.each(RULE_TEXTS.map((rule) => [rule.name, rule] as const))("%s holds for its example alone", (name, rule) => {
  expect(readText(rule.holds[0], rule.holds[1], plans).rules).toContain(name);
  expect(readText(rule.leaves[0], rule.leaves[1], plans).rules).not.toContain(name);
});

/** An example as the chapter has it. */
function shown([input, country]: readonly [string, string?]): string {
  return `\`${input}\`${country === undefined ? "" : ` ${country}`}`;
}

test("the engine's chapter has them in their order", () => {
  const chapter = readFileSync("worker/phone/README.md", "utf8");
  const rows = RULE_TEXTS.map(({ name, says, holds, leaves }) => [name, says, shown(holds), shown(leaves)]);
  const cells = chapter
    .split("\n")
    .map((line) => line.split(" | ").map((cell) => cell.replaceAll(/^\| |\s*\|?$/g, "")));
  expect(cells.filter(([name]) => RULE_TEXTS.some((rule) => rule.name === name))).toStrictEqual(rows);
});
