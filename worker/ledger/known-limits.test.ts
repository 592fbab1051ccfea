import { expect, test } from "vitest";
import { countOf } from "../../test/usage.ts";
import { createKnownLimits } from "./known-limits.ts";
import { capUse } from "./part.ts";
import type { Entry } from "./part.ts";

const MONTH = "2026-01";
const MOST = 1_000;

function entryOf(root: string): Entry {
  return { counts: [countOf(1)], uses: [capUse(root, MONTH, 1, MOST)] };
}

test("a limit with admissions in flight isn't forgotten for others, so confirming them leaves nothing below zero", () => {
  const limits = createKnownLimits(() => 0);
  const learn = (root: string, used: number) =>
    limits.learn({ entries: [entryOf(root)] }, { [capUse(root, MONTH, 0, MOST).meter]: used });
  const roots = Array.from({ length: 20 }, (_, index) => `key_${index}`);
  const [first] = roots as [string];
  for (const root of roots) {
    learn(root, 0);
    expect(limits.decide(entryOf(root))).toMatchObject({ outcome: "admitted" });
  }
  learn(first, 0);
  for (const root of roots) limits.confirm(entryOf(root).uses);
  // The last one of the cap is no plenty.
  learn(first, MOST - 1);
  expect(limits.decide(entryOf(first))).toStrictEqual({ outcome: "admitted", counted: "at once" });
});
