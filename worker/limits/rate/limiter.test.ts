import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ISOLATE, NUMBERS, QUIET, REQUESTS, setUpLimiter as setUp } from "../../../test/rate-limiter.ts";
import { MAX_SUBJECTS } from "./limiter.ts";
import { decodeShard, encodeShard } from "./shards.ts";

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a decision", () => {
  test("waits for nothing, whatever KV does", async () => {
    for (const fault of ["hang", "throw", "429"] as const) {
      const { limiter, times, time, faults } = setUp();
      faults.read = fault;
      faults.write = fault;
      const decisions = limiter.check({ subject: "usr_2:live", requests: REQUESTS, numbers: NUMBERS }, () => {});
      expect(decisions).toMatchObject({
        requests: { allowed: true, remaining: 159 },
        numbers: { allowed: true, remaining: 1_600 },
      });
      for (let second = 0; second < 5; second++) {
        expect(times(32).every(({ allowed }) => allowed)).toBe(true);
        await time.pass(1_000);
      }
      expect(times(1)).toMatchObject([{ allowed: false, retryAfterSeconds: 55 }]);
    }
  });

  test("starts no KV call before it is made", () => {
    const { times, calls } = setUp();
    times(160);
    expect(calls).toStrictEqual([]);
  });

  test("assigns the isolate's id with the first request, not earlier", () => {
    const { times, idsMade } = setUp();
    expect(idsMade).toHaveLength(0);
    times(1, "usr_1:live");
    times(1, "usr_2:live");
    expect(idsMade).toHaveLength(1);
  });

  test("counts subjects, and modes of an account, separately", () => {
    const { times } = setUp();
    expect(times(161, "usr_1:live").at(-1)!.allowed).toBe(false);
    expect(times(1, "usr_1:test")[0]!.allowed).toBe(true);
  });

  test("applies a changed plan immediately", () => {
    const { times, request } = setUp();
    expect(times(161).at(-1)!.allowed).toBe(false);
    expect(request("usr_1:live", { ...REQUESTS, limit: 600 })).toMatchObject({ allowed: true, remaining: 439 });
  });

  test("is negative after a backstop's rejection", async () => {
    const { limiter, request, time } = setUp();
    limiter.rejectUntil({ subject: "usr_1:live", requests: REQUESTS, numbers: NUMBERS }, time.now() + 10_000);
    expect(request()).toMatchObject({ allowed: false, retryAfterSeconds: 10 });
    await time.pass(10_000);
    expect(request().allowed).toBe(true);
  });
});

describe("numbers", () => {
  test("are counted after the body, and reject later requests before theirs is read", () => {
    const { batch, times } = setUp();
    expect(Array.from({ length: 16 }, () => batch(100))).toStrictEqual(Array(16).fill(null));
    expect(batch(1)).toBe("numbers");
    // Rejected numbers count no request: 144 of 160 are left.
    expect(times(1, "usr_2:live")).toMatchObject([{ allowed: true, remaining: 159 }]);
    expect(times(1)).toMatchObject([{ allowed: true, remaining: 144 }]);
  });

  test("of concurrent requests are admitted until there is no room, the rest rejected whole and not counted", () => {
    const { limiter, batch } = setUp();
    const asked = { subject: "usr_1:live", requests: REQUESTS, numbers: NUMBERS };
    const checked = Array.from({ length: 20 }, () => limiter.check(asked, () => {}));
    expect(checked.every(({ requests, numbers }) => requests.allowed && numbers.allowed)).toBe(true);
    const counted = Array.from({ length: 20 }, () => limiter.count(asked, 100, () => {}));
    expect(counted.filter(({ allowed }) => allowed)).toHaveLength(16);
    expect(counted.at(-1)).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
    expect(batch(100)).toBe("numbers");
    const { requests } = limiter.check(asked, () => {});
    expect(requests).toMatchObject({ allowed: true, remaining: 144 });
  });

  test("of one batch are reported to others even if its request alone would not be", async () => {
    const { batch, time, calls, values, key } = setUp();
    expect(batch(100)).toBeNull();
    await time.pass(2_100);
    expect(calls).toHaveLength(0);
    expect(batch(100)).toBeNull();
    await time.pass(2_100);
    expect(calls.map(({ call }) => call)).toStrictEqual(["get", "put"]);
    expect(decodeShard(values.get(key()))).toStrictEqual(new Map([[ISOLATE, { requests: 2, numbers: 200 }]]));
  });

  test("of others count", async () => {
    const { batch, time, values, key, window } = setUp();
    values.set(key(window(), "isolateB"), '{"isolateB":[15,1500]}');
    batch(100);
    batch(100);
    await time.pass(2_100);
    expect(batch(1)).toBe("numbers");
  });
});

describe("KV calls", () => {
  test("are none for a quiet client", async () => {
    const { times, time, calls, work } = setUp();
    for (let minute = 0; minute < 3; minute++) {
      times(QUIET);
      await time.pass(60_000);
    }
    expect(calls).toStrictEqual([]);
    expect(work).toStrictEqual([]);
  });

  test("are none for rejected requests", async () => {
    const { times, time, calls, work } = setUp();
    times(160);
    await time.pass(20_000);
    const before = calls.length;
    const waiting = work.length;
    for (let second = 0; second < 30; second++) {
      expect(times(10).some(({ allowed }) => allowed)).toBe(false);
      await time.pass(1_000);
    }
    expect(calls).toHaveLength(before);
    expect(work).toHaveLength(waiting);
  });

  test("are one bulk read and one write within two seconds of the first relevant requests", async () => {
    const { times, time, calls, written, work } = setUp();
    times(QUIET + 5);
    await time.pass(999);
    expect(calls).toStrictEqual([]);
    await time.pass(1_100);
    expect(calls).toMatchObject([
      { call: "get", options: { type: "text", cacheTtl: 30 } },
      { call: "put", options: { expirationTtl: 180 } },
    ]);
    expect(written()).toBe(15);
    await Promise.all(work);
    await time.pass(60_000);
    expect(calls).toHaveLength(2);
  });

  test("are 5 to 10 seconds apart under steady load, from one request at a time", async () => {
    const { times, time, gets } = setUp();
    for (let second = 0; second < 300; second++) {
      times(2);
      await time.pass(1_000);
    }
    const pauses = gets()
      .slice(1)
      .map(({ at }, index) => at - gets()[index]!.at);
    expect(pauses.length).toBeGreaterThan(25);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5_000);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(11_200);
    expect(new Set(pauses).size).toBeGreaterThan(10);
  });

  test("report the last admissions too, when only rejections follow", async () => {
    const { times, time, written } = setUp();
    times(QUIET + 1);
    await time.pass(2_100);
    times(200);
    await time.pass(12_000);
    expect(written()).toBe(160);
  });

  test("report the previous window's final count, even after another isolate overwrote it", async () => {
    const { times, time, values, key, window, written } = setUp();
    times(40);
    await time.pass(30_000);
    const before = window();
    values.set(key(before), encodeShard(new Map(), "isolateB", { requests: 7, numbers: 70 }));
    await time.pass(30_000);
    times(1);
    await time.pass(12_000);
    expect(decodeShard(values.get(key(before)))).toStrictEqual(
      new Map([
        [ISOLATE, { requests: 40, numbers: 0 }],
        ["isolateB", { requests: 7, numbers: 70 }],
      ]),
    );
    expect(written(before + 1)).toBe(1);
    // Only once: what it reads later may just be stale.
    values.set(key(before), encodeShard(new Map(), "isolateB", { requests: 7, numbers: 70 }));
    times(1);
    await time.pass(12_000);
    expect(written(before + 1)).toBe(2);
    expect(written(before)).toBeUndefined();
  });

  test("apply other isolates' counts, ignoring corrupt ones", async () => {
    const { times, time, values, key, window } = setUp();
    for (const [shard, value] of [
      ["isolateB", '{"isolateB":[100,0]}'],
      ["isolateC", "{{"],
      ["isolateD", '{"x":[-5,1]}'],
    ]) {
      values.set(key(window(), shard), value!);
    }
    times(QUIET + 10);
    await time.pass(3_000);
    expect(times(200).filter(({ allowed }) => allowed)).toHaveLength(40);
  });
});

describe("memory", () => {
  test("holds a fixed number of subjects, and evicts the least recently used", () => {
    const { request } = setUp();
    const policy = { ...REQUESTS, limit: 1 };
    const allowed = (index: number) => request(`usr_${index}:live`, policy).allowed;
    for (let index = 0; index < MAX_SUBJECTS; index++) expect(allowed(index)).toBe(true);
    // Used again, so the second is now the oldest.
    expect(allowed(0)).toBe(false);
    expect(allowed(MAX_SUBJECTS)).toBe(true);
    expect(allowed(0)).toBe(false);
    expect(allowed(1)).toBe(true);
  });
});
