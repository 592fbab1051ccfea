import { expect, test } from "vitest";
import { countOf } from "../../test/usage.ts";
import { createKnownLimits } from "./known-limits.ts";
import type { KnownLimits } from "./known-limits.ts";
import { capUse } from "./part.ts";
import type { Entry } from "./part.ts";

const MONTH = "2026-01";
const MOST = 1_000;

function entryOf(root: string): Entry {
  return { counts: [countOf(1)], uses: [capUse(root, MONTH, 1, MOST)] };
}

function learn(limits: KnownLimits, root: string, used: number): void {
  limits.learn({ entries: [entryOf(root)] }, { [capUse(root, MONTH, 0, MOST).meter]: used });
}

test("a limit with admissions in flight isn't forgotten for others, so confirming them leaves nothing below zero", () => {
  const limits = createKnownLimits(() => 0);
  const roots = Array.from({ length: 20 }, (_, index) => `key_${index}`);
  const [first] = roots as [string];
  for (const root of roots) {
    learn(limits, root, 0);
    expect(limits.decide(entryOf(root))).toMatchObject({ outcome: "admitted" });
  }
  learn(limits, first, 0);
  for (const root of roots) limits.confirm(entryOf(root).uses);
  // The last one of the cap is no plenty.
  learn(limits, first, MOST - 1);
  expect(limits.decide(entryOf(first))).toStrictEqual({ outcome: "admitted", counted: "at once" });
});

test("sixteen limits are remembered, the last used", () => {
  const limits = createKnownLimits(() => 0);
  let roots = 0;
  for (const [others, outcome] of [
    [15, "refused"],
    [15, "refused"],
    [16, "admitted"],
  ] as const) {
    learn(limits, "key_used_up", MOST);
    for (let other = 0; other < others; other++) learn(limits, `key_${roots++}`, 0);
    expect(limits.decide(entryOf("key_used_up"))).toMatchObject({ outcome });
  }
});
