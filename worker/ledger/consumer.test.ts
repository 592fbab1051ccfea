import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLedgers } from "../../test/ledgers.ts";
import { countOf, NOON, partOf } from "../../test/usage.ts";
import type { Ledgers } from "../../test/ledgers.ts";
import { deliver } from "../../test/queue-batch.ts";
import { DAY_MS } from "../platform/time.ts";
import { consumeUsage } from "./consumer.ts";
import type { Consuming } from "./consumer.ts";
import type { Part } from "./part.ts";

let lines: { event: string; count?: number }[];
let down: string[];
let deadLetters: string[];
let d1Fails: boolean;
let ledgers: Ledgers;

beforeEach(() => {
  lines = [];
  down = [];
  deadLetters = [];
  d1Fails = false;
  for (const method of ["warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(JSON.parse(line)));
  }
  ledgers = createLedgers({ now: () => NOON }, (user, run) => {
    if (down.includes(user)) throw new Error("Durable Object is overloaded.");
    return run();
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function consume(bodies: readonly unknown[], attempts = 1, sentAt = NOON) {
  const db = {
    $client: {
      prepare: () => ({ bind: (id: string) => id }),
      async batch(ids: string[]) {
        if (d1Fails) throw new Error("D1 is down");
        deadLetters.push(...ids);
      },
    },
  } as unknown as Consuming["db"];
  const delivery = deliver(
    "checkline-usage",
    bodies.map((body, at) => ({ id: `msg_${at}`, body, attempts, sentAt })),
  );
  const tally = await consumeUsage(delivery.batch, { db, ledgers, now: NOON, maxAge: 13 * DAY_MS });
  return { tally, ...delivery.outcome };
}

function part(user: string, changes: Partial<Part> = {}): Part {
  return partOf(user, [countOf(2, 1)], { at: NOON, ...changes });
}

function total(user: string): number {
  const { days } = ledgers.of(user).ledger.usage({ first: "", last: "~" });
  return days.reduce((sum, day) => sum + day.total, 0);
}

describe("a delivery", () => {
  test("is one call to a ledger per message, all at the same time", async () => {
    const parts = Array.from({ length: 200 }, (_, at) => part(`usr_${at % 40}`));
    const { tally, acked } = await consume(parts.map((each) => ({ part: each })));
    expect(tally).toMatchObject({ numbers: 600, usage_retried: 0 });
    expect(acked).toBe(true);
    expect(total("usr_7")).toBe(15);
  });

  test("that arrives again counts once", async () => {
    const [a, b] = [part("usr_1"), part("usr_2")];
    for (const parts of [[a, b], [b], [b, a]]) await consume(parts.map((each) => ({ part: each })));
    expect([total("usr_1"), total("usr_2")]).toStrictEqual([3, 3]);
  });

  test("with a part that its ledger does not accept blocks no other: its message is retried, from 10 s up to 4 hours apart", async () => {
    down = ["usr_2"];
    const rejected = { part: part("usr_2") };
    expect(await consume([{ part: part("usr_1") }, rejected])).toMatchObject({
      acked: false,
      retriedAfter: 10,
      tally: { numbers: 3, usage_retried: 1 },
    });
    expect(total("usr_1")).toBe(3);
    const delays = [];
    for (let attempts = 2; attempts < 14; attempts++) delays.push((await consume([rejected], attempts)).retriedAfter);
    expect(delays).toStrictEqual([20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_240, 14_400, 14_400]);
    // All of 13 days, and the day of a message that can't be read: the queue gives up after 100 tries.
    const tries = delays.length + 1 + (13 * 86_400) / 14_400;
    expect(tries).toBeLessThan(100);
    down = [];
    expect(await consume([rejected], 14)).toMatchObject({ acked: true });
    expect(total("usr_2")).toBe(3);
  });

  test("that is too old is acknowledged, and its count logged", async () => {
    const old = part("usr_1", { at: NOON - 13 * DAY_MS - 1 });
    const { acked, tally } = await consume([{ part: old }, { part: part("usr_1") }]);
    expect(acked).toBe(true);
    expect(tally).toMatchObject({ usage_lost: 3, numbers: 3 });
    expect(lines).toStrictEqual([{ level: "error", event: "usage_lost", count: 3, message: "too old" }]);
    expect(total("usr_1")).toBe(3);
  });

  test("may erase a ledger, with retries", async () => {
    await consume([{ part: part("usr_1") }]);
    down = ["usr_1"];
    expect(await consume([{ erase: "usr_1" }])).toMatchObject({ acked: false, retriedAfter: 10 });
    expect(total("usr_1")).toBe(3);
    down = [];
    expect(await consume([{ erase: "usr_1" }])).toMatchObject({ acked: true });
    await consume([{ part: part("usr_1") }]);
    expect(total("usr_1")).toBe(0);
  });
});

describe("a message", () => {
  const PART = part("usr_1");
  const COUNT = countOf(2, 1);
  const withCount = (changes: object) => ({
    part: { ...PART, entries: [{ counts: [{ ...COUNT, ...changes }], uses: [] }] },
  });
  const withEntry = (changes: object) => ({ part: { ...PART, entries: [{ counts: [COUNT], uses: [], ...changes }] } });

  test.each([
    ["nothing", null],
    ["a text", "part"],
    ["no part", { part: {} }],
    ["a part without an account", { part: { ...PART, user: undefined } }],
    ["an isolate of another form", { part: { ...PART, isolate: 'a."b' } }],
    ["a number that is not positive", { part: { ...PART, seq: 0 } }],
    ["an id of another form", withEntry({ call: { id: "x", hours: 1 } })],
    ["a limit of another form", withEntry({ uses: [{ meter: "quota 'x", amount: 1, most: 1 }] })],
    ["an unknown mode", withCount({ mode: "dead" })],
    ["no country", withCount({ country: null })],
    ["no day", withCount({ day: "2026-1-2" })],
    ["less than nothing", withCount({ successful: -1 })],
    ["one good entry and one bad", { part: { ...PART, entries: [...PART.entries, {}] } }],
  ])("with %s is retried for a day, becomes a dead letter then, and blocks no other", async (_, body) => {
    const bodies = [body, { part: part("usr_1") }];
    expect(await consume(bodies, 1, NOON - DAY_MS + 1)).toMatchObject({
      retriedAfter: 10,
      tally: { usage_retried: 1, usage_set_aside: 0, numbers: 3 },
    });
    expect(deadLetters).toStrictEqual([]);
    expect(lines).toStrictEqual([{ level: "error", event: "usage_not_read", count: 1 }]);
    lines = [];
    expect(await consume(bodies, 1, NOON - DAY_MS)).toMatchObject({
      acked: true,
      tally: { usage_retried: 0, usage_set_aside: 1, numbers: 3 },
    });
    expect(deadLetters).toStrictEqual(["msg_0"]);
    expect(lines).toStrictEqual([{ level: "error", event: "usage_set_aside", count: 1 }]);
  });

  test("that can't be read is retried while dead letters can't be kept", async () => {
    d1Fails = true;
    expect(await consume([null], 1, 0)).toMatchObject({
      acked: false,
      retriedAfter: 10,
      tally: { usage_retried: 1, usage_set_aside: 0 },
    });
  });

  test("with a region of a newer version is counted without it", async () => {
    const { tally } = await consume([{ part: { ...part("usr_1"), near: "moon" } }]);
    expect(tally).toMatchObject({ numbers: 3, usage_retried: 0, usage_set_aside: 0 });
  });

  test("with fields of a newer version is counted without them", async () => {
    const { tally } = await consume([{ part: { ...part("usr_1"), color: "red" }, version: 2 }]);
    expect(tally).toMatchObject({ numbers: 3, usage_set_aside: 0 });
  });
});
