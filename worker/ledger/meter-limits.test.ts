import { beforeEach, describe, expect, test, vi } from "vitest";
import { countOf } from "../../test/usage.ts";
import { callOf, createMeteredIsolates, entryOf, sampleOf } from "../../test/metered-isolates.ts";
import { capUse, numbersIn, testUse } from "./part.ts";

let network: ReturnType<typeof createMeteredIsolates>;

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  network = createMeteredIsolates();
  return () => vi.restoreAllMocks();
});

const ONE = entryOf(1);

describe("a call with a limit", () => {
  const admitted = (waits: boolean) => ({ outcome: "admitted", waitedMs: waits ? expect.any(Number) : null });

  test("of a single number doesn't wait, whatever is known, while the limit isn't known to be used up", async () => {
    const isolate = network.isolate();
    const single = entryOf(1, { quota: 1_000 });
    for (const pause of [0, 9_000, 10_000, 12_000, 60_000]) {
      await network.time.pass(pause);
      expect(await isolate.admit(single)).toStrictEqual(admitted(false));
    }
    expect(await isolate.admit(entryOf(2, { quota: 1_000 }))).toStrictEqual(admitted(true));
  });

  test("sends its part at once if there may not be plenty, with its sample, and else with others", async () => {
    const isolate = network.isolate();
    const single = entryOf(1, { quota: 1_000 });
    for (const made of [1, 2]) {
      const seen = network.recorded.length;
      void isolate.admit(single);
      isolate.note(sampleOf(network.time.now()));
      await network.time.pass(0);
      expect(network.recorded.slice(seen)).toMatchObject([{ entries: [{ counts: [{ successful: 1 }] }] }]);
      expect(network.recorded.at(-1)!.activity).toHaveLength(1);
      if (made === 1) await network.time.pass(10_100);
    }
    await network.time.pass(100);
    expect(await isolate.admit(single)).toStrictEqual(admitted(false));
    await network.time.pass(1_900);
    expect(network.recorded).toHaveLength(2);
    await network.time.pass(100);
    expect(network.recorded).toHaveLength(3);
  });

  test("waits from the sixth single number on, until the ledger has replied", async () => {
    const isolate = network.isolate();
    const single = entryOf(1, { quota: 1_000 });
    const waits = Array.from({ length: 7 }, () => isolate.admit(single));
    expect(await Promise.all(waits)).toStrictEqual([1, 2, 3, 4, 5, 6, 7].map((call) => admitted(call > 5)));
    // The five went together.
    expect(network.recorded.map(numbersIn)).toStrictEqual([1, 1, 5]);
    expect(await isolate.admit(single)).toStrictEqual(admitted(false));
    await network.time.pass(2_500);
    expect(network.counted()).toBe(8);
  });

  test("in one isolate gets exactly what is left, if the ledger replies between the calls", async () => {
    const isolate = network.isolate();
    const outcomes = [];
    for (let made = 0; made < 107; made++) {
      outcomes.push((await isolate.admit(entryOf(1, { quota: 101 }))).outcome);
      await network.time.pass(30);
    }
    expect(outcomes.indexOf("refused")).toBe(101);
    expect(network.counted()).toBe(101);
  });

  test("waits once this isolate's own numbers use up what was left", async () => {
    const isolate = network.isolate();
    await isolate.admit(entryOf(97, { quota: 100 }));
    const outcomes = Array.from({ length: 5 }, () => isolate.admit(entryOf(1, { quota: 100 })));
    const waits = (await Promise.all(outcomes)).map(({ outcome, ...rest }) => [outcome, rest]);
    expect(waits.slice(0, 3)).toStrictEqual([1, 2, 3].map(() => ["admitted", { waitedMs: null }]));
    expect(waits.slice(3).every(([, rest]) => (rest as { waitedMs?: number }).waitedMs !== null)).toBe(true);
  });

  test("that is used up is refused for ten seconds without asking, unless it has an Idempotency-Key", async () => {
    const isolate = network.isolate();
    const first = entryOf(10, { quota: 10, call: callOf("a") });
    expect(await isolate.admit(first)).toStrictEqual(admitted(true));
    const refused = { outcome: "refused", used: 10 };
    for (let made = 0; made < 50; made++) expect(await isolate.admit(entryOf(1, { quota: 10 }))).toMatchObject(refused);
    expect(network.recorded).toHaveLength(1);
    expect(await isolate.admit(first)).toStrictEqual(admitted(true));
    expect(await isolate.admit(entryOf(1, { quota: 10, call: callOf("b") }))).toMatchObject(refused);
    expect(network.recorded).toHaveLength(3);
    await network.time.pass(10_000);
    expect(await isolate.admit(entryOf(1, { quota: 10 }))).toMatchObject(refused);
    expect(network.recorded).toHaveLength(4);
    expect(network.counted()).toBe(10);
  });

  test("that is used up is asked about ever after, however rarely a call comes and whatever else is counted", async () => {
    const isolate = network.isolate();
    await isolate.admit(entryOf(10, { quota: 10 }));
    for (let made = 0; made < 100; made++) {
      await network.time.pass(made % 2 === 0 ? 10_000 : 3_600_000);
      const day = new Date(network.time.now()).toISOString().slice(0, 10);
      const uses = [testUse(day, 1, 1_000)];
      const counts = [countOf(1, 0, { mode: "test", day })];
      expect(await isolate.admit({ counts, uses })).toMatchObject({ outcome: "admitted" });
      expect(await isolate.admit(entryOf(1, { quota: 10 }))).toMatchObject({ outcome: "refused", used: 10 });
    }
    // Unless the limit is raised.
    expect(await isolate.admit(entryOf(1, { quota: 11 }))).toStrictEqual(admitted(false));
  });

  test("that is refused leaves its sequence number to the next part", async () => {
    const isolate = network.isolate();
    const outcomes = [];
    for (const numbers of [60, 50, 41, 40]) {
      outcomes.push((await isolate.admit(entryOf(numbers, { quota: 100, call: callOf(`${numbers}`) }))).outcome);
    }
    expect(outcomes).toStrictEqual(["admitted", "refused", "refused", "admitted"]);
    expect(network.recorded.map(({ seq }) => seq)).toStrictEqual([1, 2, 2, 2]);
    // Refused, with two in flight at the same time.
    const both = [50, 51].map((numbers) => isolate.admit(entryOf(numbers, { quota: 100, call: callOf(`${numbers}`) })));
    expect((await Promise.all(both)).map(({ outcome }) => outcome)).toStrictEqual(["refused", "refused"]);
    isolate.add(ONE);
    await network.time.pass(2_100);
    isolate.add(ONE);
    await network.time.pass(2_100);
    const [counted] = Object.values(network.ledgers.of("usr_1").account().isolates);
    expect(counted!.ranges).toStrictEqual([[1, 4]]);
    expect(network.counted()).toBe(102);
  });

  test("in 40 isolates that know it: single numbers exceed it by their twentieths, batches never", async () => {
    const isolates = Array.from({ length: 40 }, () => network.isolate());
    const single = entryOf(1, { quota: 1_000 });
    for (const isolate of isolates) await isolate.admit(single);
    const left = 1_000 - network.counted();
    let behind = 0;
    for (const isolate of isolates) {
      for (let made = 0; made < 60; made++) {
        const admission = await isolate.admit(single);
        if (admission.outcome === "admitted" && admission.waitedMs === null) behind += 1;
        else break;
      }
    }
    expect(behind).toBeLessThanOrEqual(40 * Math.ceil(left / 20));
    await network.time.pass(3_000);
    expect(network.counted()).toBeGreaterThan(1_000);
    expect(network.counted()).toBeLessThanOrEqual(1_000 + behind);
    const before = network.counted();
    for (const isolate of isolates) {
      expect(await isolate.admit(entryOf(2, { quota: 1_000 }))).toMatchObject({ outcome: "refused" });
    }
    expect(network.counted()).toBe(before);
  });

  test("in 40 isolates that know it: batches alone use it up exactly", async () => {
    const isolates = Array.from({ length: 40 }, () => network.isolate());
    for (const isolate of isolates) await isolate.admit(entryOf(1, { quota: 1_000 }));
    const admissions = await Promise.all(isolates.map((isolate) => isolate.admit(entryOf(50, { quota: 1_000 }))));
    expect(admissions.filter(({ outcome }) => outcome === "admitted")).toHaveLength(19);
    expect(network.counted()).toBe(40 + 19 * 50);
  });

  test("waits at most 500 ms", async () => {
    const isolate = network.isolate();
    network.faults.ledger = "hangs";
    expect(await isolate.admit(entryOf(2, { quota: 1_000 }))).toStrictEqual({ outcome: "admitted", waitedMs: 500 });
  });

  test("of a slow ledger is bounded too, with and without an Idempotency-Key", async () => {
    network.faults.ledger = "slow";
    for (const [user, numbers, isKeyed] of [
      ["usr_1", 25, true],
      ["usr_2", 25, false],
      ["usr_3", 1, true],
    ] as const) {
      const isolate = network.isolate();
      for (let made = 0; made < 300; made++) {
        const call = isKeyed ? { call: callOf(`${made}`) } : {};
        await isolate.admit(entryOf(numbers, { quota: 100, ...call }), user);
        await network.time.pass(500);
      }
      await network.time.pass(10_000);
      expect(network.counted(user)).toBeGreaterThanOrEqual(100);
      expect(network.counted(user)).toBeLessThanOrEqual(125);
    }
  });

  test("is not admitted on an old reply while the ledger is down and the queue is not", async () => {
    const isolate = network.isolate();
    const single = entryOf(1, { quota: 10_001 });
    await isolate.admit(single);
    network.faults.ledger = "down";
    let admittedNumbers = 0;
    for (let made = 0; made < 5_000; made++) {
      if ((await isolate.admit(single)).outcome === "admitted") admittedNumbers += 1;
      if (made % 500 === 0) await network.time.pass(1_000);
    }
    expect(admittedNumbers).toBeLessThanOrEqual(500 + 25);
  });

  test("is exceeded by no more than a twentieth of what was left, by a batch after single numbers of one isolate", async () => {
    const isolate = network.isolate();
    const single = entryOf(1, { quota: 500 });
    await isolate.admit(single);
    await network.time.pass(100);
    for (let made = 0; made < 24; made++) expect(await isolate.admit(single)).toStrictEqual(admitted(false));
    expect(network.counted()).toBe(1);
    for (let made = 0; made < 4; made++) await isolate.admit(entryOf(100, { quota: 500 }));
    expect(await isolate.admit(entryOf(99, { quota: 500 }))).toStrictEqual(admitted(true));
    await network.time.pass(2_500);
    expect(network.counted()).toBe(524);
    expect(await isolate.admit(single)).toMatchObject({ outcome: "refused", used: 524 });
  });

  test("that is used up stays refused when the ledger fails", async () => {
    const isolate = network.isolate();
    await isolate.admit(entryOf(10, { quota: 10 }));
    isolate.note(sampleOf(network.time.now(), { status: 402, code: "QUOTA_EXCEEDED" }));
    network.faults.ledger = "down";
    await network.time.pass(2_500);
    for (let made = 0; made < 40; made++) {
      expect(await isolate.admit(entryOf(1, { quota: 10 }))).toMatchObject({ outcome: "refused" });
    }
  });

  test("of several, needs plenty of each", async () => {
    const isolate = network.isolate();
    const both = entryOf(1, { quota: 1_000 });
    const month = both.counts[0]!.day.slice(0, 7);
    const cap = capUse("key_1", month, 1, 21);
    const entry = { ...both, uses: [...both.uses, cap] };
    // The first, and the third, for which the cap has no plenty left, leave at once; the second leaves with the third.
    for (const parts of [1, 1, 2]) {
      expect(await isolate.admit(entry)).toStrictEqual(admitted(false));
      await network.time.pass(100);
      expect(network.recorded).toHaveLength(parts);
    }
    // The cap is used up, though the quota is not.
    for (let made = 0; made < 18; made++) {
      expect(await isolate.admit(entry)).toMatchObject({ outcome: "admitted" });
      await network.time.pass(100);
    }
    expect(await isolate.admit(entry)).toMatchObject({ outcome: "refused", use: cap, used: 21 });
    expect(await isolate.admit(both)).toMatchObject({ outcome: "admitted" });
  });

  test("with an Idempotency-Key is counted behind its response like any other, again and again", async () => {
    const isolate = network.isolate();
    await isolate.admit(entryOf(1, { quota: 1_000 }));
    for (let window = 0; window < 3; window++) {
      const waits = [];
      for (let made = 0; made < 40; made++) {
        waits.push(await isolate.admit(entryOf(1, { quota: 1_000, call: callOf(`${window}a${made}`) })));
      }
      expect(waits).toStrictEqual(waits.map(() => admitted(false)));
      await network.time.pass(2_500);
    }
    expect(network.counted()).toBe(121);
  });

  test.each(["down", "hangs", "silent"] as const)(
    "gets 25 numbers more while the ledger is %s, until it responds again",
    async (fault) => {
      const isolate = network.isolate();
      const batch = entryOf(5, { quota: 1_000 });
      network.faults.ledger = fault;
      const outcomes = [];
      for (let made = 0; made < 7; made++) outcomes.push((await isolate.admit(batch)).outcome);
      expect(outcomes).toStrictEqual([...Array(5).fill("admitted"), "unavailable", "unavailable"]);
      await network.time.pass(10_000);
      network.faults.ledger = "none";
      expect(await isolate.admit(entryOf(1, { quota: 1_000 }))).toStrictEqual(admitted(true));
      for (const part of network.queued) network.ledgers.of("usr_1").ledger.record(part);
      // A silent ledger has counted what got no result.
      expect(network.counted()).toBe(fault === "silent" ? 36 : 26);
      network.faults.ledger = fault;
      await network.time.pass(10_000);
      expect(await isolate.admit(batch)).toStrictEqual(admitted(true));
    },
  );
});
