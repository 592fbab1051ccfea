import { describe, expect, test } from "vitest";
import { utcDay } from "../platform/time.ts";
import type { Check } from "./checks.ts";
import type { History } from "./history.ts";
import { withWaiting } from "./waiting.ts";

const NOON = Date.parse("2026-01-01T12:00:00Z");
/** When a test's runs begin. */
const [FIRST, SECOND, THIRD] = [NOON, NOON + 300_000, NOON + 600_000] as const;

function good(component: Check["component"], at: number): Check {
  return { component, at, successful: true, latencyMs: 3 };
}

function bad(component: Check["component"], at: number): Check {
  return { component, at, successful: false, latencyMs: null };
}

/** D1's history after a complete run in which everything worked. */
const STORED: History = {
  latest: [good("database", FIRST), good("key_store", FIRST), good("queue", FIRST)],
  days: (["database", "key_store", "queue"] as const).map((component) => {
    return { component, day: utcDay(FIRST), checks: 1, successful: 1 };
  }),
  incidents: [],
};

function latestOf({ latest }: History, component: Check["component"]): Check | undefined {
  return latest.find((check) => check.component === component);
}

function countsOf({ days }: History, component: Check["component"]): unknown {
  const { checks, successful } = days.find((day) => day.component === component)!;
  return { checks, successful };
}

describe("runs that D1 has not stored", () => {
  const waiting = [bad("database", SECOND), good("key_store", SECOND)];

  test("are in the history, with the outage", () => {
    const history = withWaiting(STORED, waiting);
    expect(latestOf(history, "database")).toStrictEqual(bad("database", SECOND));
    expect(countsOf(history, "database")).toStrictEqual({ checks: 2, successful: 1 });
    expect(history.incidents).toStrictEqual([
      { component: "database", startedAt: SECOND, lastFailedAt: SECOND, failedChecks: 1 },
    ]);
  });

  test("stay there when D1 stores only the database's own row of the next run", () => {
    const stored = { ...STORED, latest: [good("database", THIRD), ...STORED.latest.slice(1)] };
    const next = [bad("database", THIRD), good("key_store", THIRD)];
    const history = withWaiting(stored, [...waiting, ...next]);
    expect(latestOf(history, "database")).toStrictEqual(bad("database", THIRD));
    expect(countsOf(history, "database")).toStrictEqual({ checks: 3, successful: 1 });
    expect(history.incidents).toStrictEqual([
      { component: "database", startedAt: SECOND, lastFailedAt: THIRD, failedChecks: 2 },
    ]);
  });

  test("are all there is on a database that has stored none", () => {
    const history = withWaiting({ latest: [good("database", SECOND)], days: [], incidents: [] }, waiting);
    expect(countsOf(history, "key_store")).toStrictEqual({ checks: 1, successful: 1 });
    expect(latestOf(history, "database")).toStrictEqual(bad("database", SECOND));
  });

  test("do not hide a newer arrival of the queue's message", () => {
    const stored = { ...STORED, latest: [...STORED.latest.slice(0, 2), good("queue", THIRD)] };
    const history = withWaiting(stored, [...waiting, bad("queue", SECOND)]);
    expect(latestOf(history, "queue")).toStrictEqual(good("queue", THIRD));
  });
});

test("a run that D1 stored without responding in time counts once, as D1 has it", () => {
  const waiting = [bad("database", FIRST), good("key_store", FIRST), good("queue", FIRST)];
  expect(withWaiting(STORED, waiting)).toStrictEqual(STORED);
});

test("a queue failure that D1 has without the rest of its run is counted in its incident once", () => {
  const incidents = [{ component: "queue" as const, startedAt: SECOND, lastFailedAt: THIRD, failedChecks: 2 }];
  const stored = { ...STORED, latest: [...STORED.latest.slice(0, 2), bad("queue", THIRD)], incidents };
  const waiting = [SECOND, THIRD].flatMap((at) => [bad("database", at), good("key_store", at), bad("queue", at)]);
  const history = withWaiting(stored, waiting);
  expect(history.incidents).toStrictEqual([
    { component: "database", startedAt: SECOND, lastFailedAt: THIRD, failedChecks: 2 },
    ...incidents,
  ]);
  expect(countsOf(history, "queue")).toStrictEqual({ checks: 3, successful: 1 });
});
