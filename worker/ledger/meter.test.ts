import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { countOf } from "../../test/usage.ts";
import { callOf, createMeteredIsolates, entryOf, sampleOf, STARTED } from "../../test/metered-isolates.ts";
import { numbersIn } from "./part.ts";

let lines: { event: string; count?: number }[];
let network: ReturnType<typeof createMeteredIsolates>;

beforeEach(() => {
  lines = [];
  for (const method of ["warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(JSON.parse(line)));
  }
  network = createMeteredIsolates();
});

afterEach(() => {
  vi.restoreAllMocks();
});

function lost(): number[] {
  return lines.flatMap(({ event, count }) => (event === "usage_lost" ? [count!] : []));
}

const ONE = entryOf(1);

describe("a window", () => {
  test("sends all calls of an account in one call to its ledger, from the request that opened it", async () => {
    const isolate = network.isolate();
    const requests = Array.from({ length: 1_000 }, () => isolate.add(ONE));
    isolate.add(entryOf(2, { call: callOf("a") }));
    isolate.add(ONE, "usr_2");
    await network.time.pass(1_999);
    expect(requests.map(({ finished }) => finished).filter((finished) => !finished)).toHaveLength(1);
    expect(network.recorded).toHaveLength(0);
    await network.time.pass(100);
    expect(requests[0]!.finished).toBe(true);
    expect(network.recorded.map(({ user, seq, entries }) => [user, seq, entries.length])).toStrictEqual([
      ["usr_1", 1, 2],
      ["usr_2", 1, 1],
    ]);
    expect(network.recorded[0]).toMatchObject({ near: "weur" });
    expect(network.recorded[0]!.entries[0]!.counts).toStrictEqual([countOf(1_000, 0, { startedAt: STARTED })]);
    expect([network.counted(), network.counted("usr_2")]).toStrictEqual([1_002, 1]);
    isolate.add(ONE);
    await network.time.pass(2_100);
    expect(network.recorded.map(({ seq }) => seq)).toStrictEqual([1, 1, 2]);
  });

  test("closes early when its part nears what the queue accepts", async () => {
    const isolate = network.isolate();
    network.faults.ledger = "down";
    const codes = Array.from(
      { length: 100 },
      (_, at) => `${String.fromCharCode(65 + (at % 26), 65 + Math.floor(at / 26))}`,
    );
    const counts = codes.map((country) => countOf(1, 1, { country, startedAt: STARTED, key: `key_${"x".repeat(20)}` }));
    const { uses } = entryOf(1, { quota: 1_000 });
    for (let at = 0; at < 240; at++) isolate.add({ ...entryOf(1, { call: callOf(`${at}`) }), uses });
    isolate.add({ counts, uses, call: callOf("f") });
    isolate.note(sampleOf(network.time.now()));
    await network.time.pass(100);
    expect(network.queued).toHaveLength(2);
    for (const part of network.queued) expect(JSON.stringify({ part }).length).toBeLessThan(100_000);
    expect(network.queued.reduce((sum, part) => sum + numbersIn(part), 0)).toBe(240 + 200);
  });

  test("is as long as the account's ledger says: 20 calls a second, at most ten seconds, and two with a limit", async () => {
    const isolates = Array.from({ length: 120 }, () => network.isolate());
    async function callsPerSecond(entry = entryOf(1)): Promise<number> {
      const before = network.recorded.length;
      for (let ms = 0; ms < 60_000; ms += 500) {
        for (const isolate of isolates) isolate.add(entry);
        await network.time.pass(500);
      }
      return (network.recorded.length - before) / 60;
    }
    await callsPerSecond();
    expect(await callsPerSecond()).toBeLessThanOrEqual(20);
    expect(await callsPerSecond(entryOf(1, { quota: 1e9 }))).toBeGreaterThan(40);
    isolates.push(...Array.from({ length: 280 }, () => network.isolate()));
    await callsPerSecond();
    const calls = await callsPerSecond();
    expect(calls).toBeGreaterThan(30);
    expect(calls).toBeLessThanOrEqual(40);
  });
});

describe("when the ledger fails", () => {
  test.each(["down", "hangs"] as const)("(%s), the queue gets the part", async (fault) => {
    network.faults.ledger = fault;
    const request = network.isolate().add(ONE);
    await network.time.pass(6_100);
    expect(network.queued.map(numbersIn)).toStrictEqual([1]);
    expect(request.finished).toBe(true);
    expect(lost()).toStrictEqual([]);
  });

  test("after doing its work, the part in the queue counts nothing more", async () => {
    network.faults.ledger = "silent";
    network.isolate().add(entryOf(3));
    await network.time.pass(6_100);
    expect(network.queued).toStrictEqual(network.recorded);
    network.faults.ledger = "none";
    network.ledgers.of("usr_1").ledger.record(network.queued[0]!);
    expect(network.counted()).toBe(3);
  });

  test("and the queue too, a part without counts is no loss", async () => {
    Object.assign(network.faults, { ledger: "down", queue: "down" });
    network.isolate().note(sampleOf(network.time.now()));
    await network.time.pass(6_100);
    expect(lost()).toStrictEqual([]);
  });

  test("and the queue too, the loss is logged once with its count, within 25 seconds of the call", async () => {
    const isolate = network.isolate();
    // Many isolates make the window ten seconds long.
    for (let other = 0; other < 300; other++) network.isolate().add(ONE);
    await network.time.pass(3_000);
    isolate.add(ONE);
    await network.time.pass(3_000);
    Object.assign(network.faults, { ledger: "hangs", queue: "hangs" });
    const request = isolate.add(entryOf(7));
    await network.time.pass(12_000);
    expect(request.finished).toBe(false);
    await network.time.pass(13_000);
    expect(request.finished).toBe(true);
    expect(lost()).toStrictEqual([7]);
  });
});

describe("a killed request", () => {
  test("leaves its window to the next call of the isolate, from five seconds after its end", async () => {
    const isolate = network.isolate();
    isolate.add(entryOf(5)).killed = true;
    await network.time.pass(6_900);
    isolate.add(ONE, "usr_2");
    await network.time.pass(50);
    expect(network.counted()).toBe(0);
    await network.time.pass(100);
    isolate.add(ONE, "usr_2");
    await network.time.pass(50);
    expect(network.counted()).toBe(5);
  });

  test("leaves its window to the next call even if the call before that was killed too", async () => {
    const isolate = network.isolate();
    for (const user of ["usr_1", "usr_2"]) isolate.add(entryOf(5), user).killed = true;
    await network.time.pass(7_100);
    isolate.add(ONE, "usr_3").killed = true;
    await network.time.pass(1_000);
    for (let second = 0; second < 16; second++) {
      isolate.add(ONE, "usr_4");
      await network.time.pass(1_000);
    }
    expect(["usr_1", "usr_2", "usr_3"].map(network.counted)).toStrictEqual([5, 5, 1]);
  });

  test("while it sends, leaves the same part, which counts once", async () => {
    const isolate = network.isolate();
    const first = isolate.add(entryOf(5));
    await network.time.pass(2_005);
    first.killed = true;
    await network.time.pass(14_100);
    isolate.add(ONE);
    isolate.add(ONE);
    await network.time.pass(1_000);
    isolate.add(ONE);
    expect(network.recorded).toHaveLength(2);
    expect(network.recorded[1]).toStrictEqual(network.recorded[0]);
    await network.time.pass(3_000);
    expect(network.counted()).toBe(5 + 3);
    expect(lost()).toStrictEqual([]);
  });
});

describe("the activity", () => {
  test("is one success and one refusal per second and account, in the part with the counts", async () => {
    const isolate = network.isolate();
    const at = network.time.now();
    isolate.add(ONE);
    for (let call = 0; call < 20; call++) {
      isolate.note(sampleOf(at + call, { status: call % 2 === 0 ? 200 : 402 }));
      isolate.note(sampleOf(at + call), "usr_2");
    }
    isolate.note(sampleOf(at + 1_000));
    await network.time.pass(2_100);
    expect(
      network.recorded.map(({ activity }) => activity.map(({ at: time, status }) => [time - at, status])),
    ).toStrictEqual([
      [
        [0, 200],
        [1, 402],
        [1_000, 200],
      ],
      [[0, 200]],
    ]);
  });

  test("has a call with an error's code as a refusal, whatever its status", async () => {
    const isolate = network.isolate();
    const at = network.time.now();
    isolate.note(sampleOf(at));
    isolate.note(sampleOf(at + 1, { code: "QUOTA_EXCEEDED" }));
    isolate.note(sampleOf(at + 2, { status: 402, code: "QUOTA_EXCEEDED" }));
    await network.time.pass(2_100);
    const { calls } = network.ledgers.of("usr_1").ledger.activity({});
    expect(calls.map(({ status, code }) => [status, code])).toStrictEqual([
      [200, "QUOTA_EXCEEDED"],
      [200, null],
    ]);
  });

  test("counts calls over a rate limit by minute, and a flood of them costs one call to the ledger per minute", async () => {
    const isolate = network.isolate();
    const minute = network.time.now() / 60_000;
    for (let call = 0; call < 500; call++) {
      isolate.note(sampleOf(network.time.now(), { status: 429, code: "RATE_LIMITED" }));
      await network.time.pass(100);
    }
    expect(network.recorded).toHaveLength(1);
    await network.time.pass(10_000);
    isolate.note(sampleOf(network.time.now(), { status: 429, code: "RATE_LIMITED" }));
    await network.time.pass(2_100);
    expect(network.recorded.map(({ activity, limited }) => [activity.length, limited])).toStrictEqual([
      [0, [{ minute, calls: 20 }]],
      [
        0,
        [
          { minute, calls: 480 },
          { minute: minute + 1, calls: 1 },
        ],
      ],
    ]);
  });
});
