import { describe, expect, test } from "vitest";
import { TRIAL } from "../../contract/plans.ts";
import { demoUsage } from "./demo-usage.ts";

const NOW = Date.parse("2026-03-14T15:00:00Z");
const STARTED = NOW - 76 * 86_400_000;
const KEYS = { test: "key_test", live: "key_live" };
const usage = demoUsage("usr_1", KEYS, STARTED, NOW);
const counts = usage.entries.flatMap((entry) => entry.counts);

describe("the demo account agrees with itself", () => {
  test("its live successes are what its trial has used, with room for a list of 400", () => {
    const live = counts.filter(({ mode }) => mode === "live");
    const used = live.reduce((sum, { successful }) => sum + successful, 0);
    expect(live.every(({ startedAt }) => startedAt === STARTED)).toBe(true);
    expect(used).toBeGreaterThan(TRIAL.quota / 2);
    expect(used).toBeLessThan(TRIAL.quota - 400);
  });

  test("counts and calls are of its own keys, in their mode", () => {
    expect(counts.every(({ key, mode }) => key === KEYS[mode])).toBe(true);
    expect(new Set(usage.activity.map(({ key_id }) => key_id))).toStrictEqual(new Set(Object.values(KEYS)));
    const sandbox = usage.activity.filter(({ code }) => code?.startsWith("REJECTED_"));
    expect(new Set(sandbox.map(({ key_id }) => key_id))).toStrictEqual(new Set([KEYS.test]));
  });

  test("the days of its calls are counted, and its keys were last used by the newest call", () => {
    const days = new Set(counts.map(({ day }) => day));
    expect(usage.activity.every(({ at }) => days.has(new Date(at).toISOString().slice(0, 10)))).toBe(true);
    expect(usage.at).toBe(Math.max(...usage.activity.map(({ at }) => at)));
  });
});
