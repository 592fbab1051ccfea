import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLedgers, NOON, partOf } from "../../test/ledgers.ts";
import type { Ledgers } from "../../test/ledgers.ts";
import { deliver } from "../../test/queue-batch.ts";
import { DAY_MS } from "../platform/time.ts";
import { consumeUsage } from "./consumer.ts";
import type { Consuming } from "./consumer.ts";
import type { Part, UsageMessage } from "./part.ts";

let lines: { event: string; count?: number }[];
let down: string[];
let queueFails: boolean;
let letters: string[];
let again: { readonly body: UsageMessage; readonly delay: number }[];
let ledgers: Ledgers;

beforeEach(() => {
  lines = [];
  down = [];
  letters = [];
  again = [];
  queueFails = false;
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

async function consume(bodies: readonly unknown[]) {
  const db = {
    $client: {
      prepare: () => ({ bind: (id: string) => id }),
      batch: async (ids: string[]) => void letters.push(...ids),
    },
  } as unknown as Consuming["db"];
  const delivery = deliver(
    "checkline-usage",
    bodies.map((body, at) => ({ id: `msg_${at}`, body })),
  );
  const queue = {
    async send(body: UsageMessage, options?: { delaySeconds?: number }) {
      if (queueFails) throw new Error("Queue send failed");
      again.push({ body, delay: options?.delaySeconds ?? 0 });
      return undefined as never;
    },
  };
  const tally = await consumeUsage(delivery.batch, { db, ledgers, queue, now: NOON, maxAge: 13 * DAY_MS });
  return { tally, ...delivery.outcome };
}

function part(user: string, changes: Partial<Part> = {}): Part {
  return partOf(user, [[1, "key_1", "live", "2026-01-02", "BR", 2, 1]], { at: NOON, ...changes });
}

function total(user: string): number {
  const { days } = ledgers.of(user).ledger.usage({ first: "", last: "~" });
  return days.reduce((sum, day) => sum + day.total, 0);
}

describe("a delivery", () => {
  test("is one call per ledger, however many messages it has", async () => {
    const calls = vi.spyOn(ledgers, "getByName");
    const parts = Array.from({ length: 200 }, (_, at) => part(`usr_${at % 40}`));
    const { tally, acked } = await consume(parts.map((each) => ({ parts: [each] })));
    expect(calls).toHaveBeenCalledTimes(40);
    expect(tally).toMatchObject({ numbers: 600, usage_retried: 0 });
    expect(acked).toBe(true);
    expect(total("usr_7")).toBe(15);
  });

  test("that arrives again in other groups counts once", async () => {
    const [a, b, c] = [part("usr_1"), part("usr_1"), part("usr_2")];
    for (const parts of [
      [a, b],
      [b, c],
      [c, a],
      [a, b, c],
    ])
      await consume([{ parts }]);
    expect([total("usr_1"), total("usr_2")]).toStrictEqual([6, 3]);
  });

  test("with a part that one ledger rejects blocks no other account: the part is resent alone with backoff", async () => {
    down = ["usr_2"];
    const rejected = part("usr_2");
    const { acked, tally } = await consume([{ parts: [part("usr_1"), rejected] }]);
    expect(acked).toBe(true);
    expect(tally).toMatchObject({ usage_retried: 1 });
    expect(total("usr_1")).toBe(3);
    const delays = [];
    for (let tries = 0; tries < 13; tries++) {
      const { body, delay } = again.pop()!;
      expect(body).toStrictEqual({ parts: [rejected], tries: tries + 1 });
      delays.push(delay);
      await consume([body]);
    }
    expect(delays).toStrictEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_240, 12_000, 12_000]);
    down = [];
    await consume([again.pop()!.body]);
    expect(total("usr_2")).toBe(3);
  });

  test("with a part that the queue rejects too is redelivered unchanged", async () => {
    down = ["usr_2"];
    queueFails = true;
    const message = { parts: [part("usr_1"), part("usr_2")] };
    expect(await consume([{ parts: [part("usr_3")] }, message])).toMatchObject({ acked: false, retriedAfter: 10 });
    down = [];
    expect(await consume([message])).toMatchObject({ acked: true });
    expect([total("usr_1"), total("usr_2"), total("usr_3")]).toStrictEqual([3, 3, 3]);
  });

  test("that is too old is acknowledged, and its count logged", async () => {
    const old = part("usr_1", { at: NOON - 13 * DAY_MS - 1 });
    const { acked, tally } = await consume([{ parts: [old, part("usr_1")] }]);
    expect(acked).toBe(true);
    expect(tally).toMatchObject({ usage_lost: 3, numbers: 3 });
    expect(lines).toStrictEqual([{ level: "error", event: "usage_lost", count: 3, message: "too old" }]);
    expect(total("usr_1")).toBe(3);
  });

  test("may erase a ledger, with retries", async () => {
    await consume([{ parts: [part("usr_1")] }]);
    down = ["usr_1"];
    await consume([{ erase: "usr_1" }]);
    expect(total("usr_1")).toBe(3);
    down = [];
    expect(again).toStrictEqual([{ body: { erase: "usr_1", tries: 1 }, delay: 10 }]);
    await consume([again[0]!.body, { parts: [part("usr_1")] }]);
    expect(total("usr_1")).toBe(0);
  });
});

describe("a message", () => {
  const PART = part("usr_1");
  const COUNT = PART.counts[0]!;

  test.each([
    ["nothing", null],
    ["a text", "parts"],
    ["no parts", { parts: [] }],
    ["more parts than any sender puts in", { parts: Array.from({ length: 1_001 }, () => PART) }],
    ["a part without an account", { parts: [{ ...PART, user: undefined }] }],
    ["an isolate of another form", { parts: [{ ...PART, isolate: 'a."b' }] }],
    ["a number that is not positive", { parts: [{ ...PART, seq: 0 }] }],
    ["an id of another form", { parts: [{ ...PART, calls: [{ id: "x", hours: 1, counts: [] }] }] }],
    ["an unknown mode", { parts: [{ ...PART, counts: [COUNT.with(2, "dead")] }] }],
    ["no country", { parts: [{ ...PART, counts: [COUNT.with(4, null as never)] }] }],
    ["no day", { parts: [{ ...PART, counts: [COUNT.with(3, "2026-1-2")] }] }],
    ["less than nothing", { parts: [{ ...PART, counts: [COUNT.with(5, -1)] }] }],
    ["one good part and one bad", { parts: [PART, {}] }],
  ])("with %s becomes a dead letter and blocks no other", async (_, body) => {
    const { acked, tally } = await consume([body, { parts: [part("usr_1")] }]);
    expect(acked).toBe(true);
    expect(tally).toMatchObject({ usage_set_aside: 1, numbers: 3 });
    expect(letters).toStrictEqual(["msg_0"]);
    expect(lines).toStrictEqual([{ level: "error", event: "usage_set_aside", malformed: 1 }]);
  });

  test("with fields of a newer version is counted without them", async () => {
    const { tally } = await consume([{ parts: [{ ...part("usr_1"), color: "red" }], version: 2 }]);
    expect(tally).toMatchObject({ numbers: 3, usage_set_aside: 0 });
  });
});
