import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { captureLog } from "../../../test/captured-log.ts";
import { createVirtualTime } from "../../../test/virtual-time.ts";
import { MAX_ISOLATES } from "./demand.ts";
import type { Demand } from "./demand.ts";
import { shardKeys } from "./exchange.ts";
import type { RateStore } from "./exchange.ts";
import { MAX_SUBJECTS, createRateLimiter } from "./limiter.ts";
import type { RateRequest } from "./limiter.ts";

const log = captureLog("warn");

const SUBJECT = "usr_1:live";
const KEYS = shardKeys(SUBJECT);
const REQUESTS = 160;
const NUMBERS = 1_600;

/** A limiter over a KV that stores values immediately, fails, or never returns. */
function setUp() {
  const time = createVirtualTime();
  const values = new Map<string, string>();
  const calls: { readonly call: "get" | "put"; readonly at: number; readonly options: unknown }[] = [];
  const kv: { fault: "none" | "429" | "throws" | "hangs" } = { fault: "none" };
  const clock = { offset: 0 };
  const location = { counted: [] as string[], limit: Infinity, fault: "none" as "none" | "throws" | "hangs" };
  const ids: string[] = [];

  async function call<Value>(name: "get" | "put", options: unknown, run: () => Value): Promise<Value> {
    calls.push({ call: name, at: time.now(), options });
    await time.sleep(50);
    if (kv.fault === "hangs") await new Promise(() => {});
    if (kv.fault === "429") throw new Error("KV failed: 429 Too Many Requests");
    return run();
  }

  function failAtOnce(): void {
    if (kv.fault === "throws") throw new Error("KV is gone");
  }

  const store: RateStore = {
    get(keys, options) {
      failAtOnce();
      return call("get", options, () => new Map(keys.map((key) => [key, values.get(key) ?? null])));
    },
    put(key, value, options) {
      failAtOnce();
      return call("put", options, () => void values.set(key, value));
    },
  };
  const limiter = createRateLimiter({
    kv: store,
    now: () => time.now() + clock.offset,
    random: () => 0,
    isolateId() {
      ids.push("own");
      return "own";
    },
    location: {
      async limit({ key }) {
        if (location.fault === "throws") throw new Error("Rate limit failed: internal error");
        if (location.fault === "hangs") await new Promise(() => {});
        if (location.counted.length >= location.limit) return { success: false };
        location.counted.push(key);
        return { success: true };
      },
    },
  });

  const work: Promise<unknown>[] = [];
  const waitUntil = (promise: Promise<unknown>) => void work.push(promise);
  const minute = () => Math.floor(time.now() / 60_000);
  const asked = (subject = SUBJECT, requests = REQUESTS) => ({
    subject,
    requests: { limit: requests },
    numbers: { limit: NUMBERS },
  });

  /** Makes a whole request. @returns the limit that rejected it, or null */
  function request(numbers = 1, of = asked()): "requests" | "numbers" | null {
    if (!limiter.check(of, waitUntil).requests.allowed) return "requests";
    return limiter.count(of, numbers).allowed ? null : "numbers";
  }

  return {
    time,
    values,
    calls,
    kv,
    clock,
    location,
    ids,
    limiter,
    work,
    waitUntil,
    minute,
    asked,
    request,
    /** How many of this many requests are admitted. */
    admitted: (count: number, numbers = 1, of = asked()) =>
      Array.from({ length: count }, () => request(numbers, of)).filter((rejected) => rejected === null).length,
    gets: () => calls.filter(({ call: name }) => name === "get"),
    /** Another isolate's report. */
    report: (requests: number, numbers: number, shard = 1, at = minute()) =>
      values.set(KEYS[shard]!, JSON.stringify({ [at]: { [`other${shard}`]: { requests, numbers } } })),
    /** What this isolate has written. */
    written: () => JSON.parse(values.get(KEYS[0]!) ?? "{}") as Demand,
  };
}

describe("alone, an isolate", () => {
  test("admits a request exactly when fewer than the limit were admitted in the last 60 s", async () => {
    const gap = fc.oneof(fc.nat(20), fc.nat(5_000), fc.constantFrom(0, 1, 59_999, 60_000, 60_001));
    await fc.assert(
      fc.asyncProperty(fc.array(gap, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), async (gaps, limit) => {
        const { time, request, asked } = setUp();
        const admitted: number[] = [];
        for (const ms of gaps) {
          await time.pass(ms);
          const expected = admitted.filter((at) => at > time.now() - 60_000).length < limit;
          expect(request(1, asked(SUBJECT, limit)) === null).toBe(expected);
          if (expected) admitted.push(time.now());
        }
      }),
      { numRuns: 30 },
    );
  });

  test("says what remains and when there is more, and keeps the promise", async () => {
    const { limiter, asked, waitUntil, time, admitted } = setUp();
    const check = () => limiter.check(asked(), waitUntil).requests;
    expect(check()).toStrictEqual({ allowed: true, remaining: 159, resetSeconds: 60 });
    await time.pass(20_000);
    expect(check()).toStrictEqual({ allowed: true, remaining: 158, resetSeconds: 40 });
    expect(admitted(200)).toBe(158);
    expect(check()).toStrictEqual({ allowed: false, until: time.now() + 40_000, retryAfterSeconds: 40 });
    await time.pass(39_999);
    expect(check().allowed).toBe(false);
    await time.pass(1);
    expect(check().allowed).toBe(true);
    expect(check().allowed).toBe(false);
  });

  test("passes a batch whole if there is room for one number", async () => {
    const { limiter, asked, waitUntil, time, admitted, request } = setUp();
    expect(request(1)).toBeNull();
    expect(admitted(20, 100)).toBe(16);
    expect(limiter.check(asked(), waitUntil)).toMatchObject({
      requests: { allowed: true, remaining: 138 },
      numbers: { allowed: false, retryAfterSeconds: 60 },
    });
    await time.pass(60_000);
    expect(limiter.check(asked(), waitUntil).numbers).toMatchObject({ allowed: true, remaining: NUMBERS });
  });

  test("says after a batch that exceeds the limit when there is room again", async () => {
    const { limiter, asked, time, admitted } = setUp();
    admitted(1, 1);
    await time.pass(20_000);
    admitted(1, 1_598);
    await time.pass(20_000);
    expect(limiter.count(asked(), 50)).toStrictEqual({ allowed: true, remaining: 0, resetSeconds: 40 });
    expect(limiter.count(asked(), 1)).toMatchObject({ allowed: false, retryAfterSeconds: 40 });
  });

  test("rejects numbers whole. Their request, admitted before, still counts", () => {
    const { limiter, asked, waitUntil } = setUp();
    for (let made = 0; made < 3; made++) limiter.check(asked(), waitUntil);
    expect(limiter.count(asked(), NUMBERS).allowed).toBe(true);
    expect(limiter.count(asked(), 1)).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
    expect(limiter.check(asked(), waitUntil).requests).toMatchObject({ allowed: true, remaining: 156 });
  });

  test("counts subjects, and modes of an account, separately", () => {
    const { admitted, request, asked } = setUp();
    expect(admitted(161)).toBe(160);
    expect(request(1, asked("usr_1:test"))).toBeNull();
  });

  test("applies a changed limit at once, higher or lower", () => {
    const { admitted, asked } = setUp();
    expect(admitted(200)).toBe(160);
    expect(admitted(600, 1, asked(SUBJECT, 600))).toBe(440);
    expect(admitted(1, 1, asked(SUBJECT, 100))).toBe(0);
  });

  test("admits no more when the clock steps back, and starts over when it is set back", async () => {
    const { admitted, clock, time } = setUp();
    expect(admitted(100)).toBe(100);
    clock.offset = -5_000;
    expect(admitted(100)).toBe(60);
    await time.pass(50_000);
    expect(admitted(100)).toBe(0);
    clock.offset = -3_600_000;
    expect(admitted(200)).toBe(160);
  });

  test("remembers a fixed number of subjects, the most recently used", () => {
    const { request, asked } = setUp();
    const isAdmitted = (index: number) => request(1, asked(`usr_${index}:live`, 1)) === null;
    for (let index = 0; index < MAX_SUBJECTS; index++) expect(isAdmitted(index)).toBe(true);
    expect(isAdmitted(0)).toBe(false);
    expect(isAdmitted(MAX_SUBJECTS)).toBe(true);
    expect(isAdmitted(0)).toBe(false);
    expect(isAdmitted(1)).toBe(true);
  });

  test("gets its id with the first request, because Workers forbid randomness before", () => {
    const { ids, request, asked } = setUp();
    expect(ids).toHaveLength(0);
    request();
    request(1, asked("usr_2:live"));
    expect(ids).toHaveLength(1);
  });
});

describe("the location", () => {
  /** Requests ten milliseconds apart, so that the location has replied. @returns how many are admitted */
  async function admittedApart({ request, time }: ReturnType<typeof setUp>, count: number, of?: RateRequest) {
    let admitted = 0;
    for (let made = 0; made < count; made++) {
      if (request(1, of) === null) admitted += 1;
      await time.pass(10);
    }
    return admitted;
  }

  test.each([
    [60, 29],
    [120, 15],
    [600, 3],
  ])("counts nothing of lone requests, and sixtieths of a limit of %i of others", async (limit, counted) => {
    const set = setUp();
    const of = set.asked("usr_2:test", limit);
    for (let minute = 0; minute < 5; minute++) {
      set.request(1, of);
      await set.time.pass(60_000);
    }
    expect(set.location.counted).toStrictEqual([]);
    expect(await admittedApart(set, 30, of)).toBe(30);
    expect(set.location.counted).toStrictEqual(Array(counted).fill("usr_2:test"));
  });

  test("without room rejects requests for fifteen seconds or until the minute ends, and counts none of them", async () => {
    const set = setUp();
    const of = set.asked(SUBJECT, 60);
    const passUntil = (second: number) => set.time.pass(second * 1000 - (set.time.now() % 60_000));
    const decide = () => set.limiter.check(of, set.waitUntil).requests;
    set.location.limit = 10;
    // The first isn't counted, and with the last the isolate learns it.
    expect(await admittedApart(set, 12, of)).toBe(12);
    expect(decide()).toMatchObject({ allowed: false, retryAfterSeconds: 15 });
    set.location.limit = 20;
    await passUntil(15);
    expect(await admittedApart(set, 5, of)).toBe(0);
    await passUntil(16);
    expect(await admittedApart(set, 20, of)).toBe(11);
    await passUntil(50);
    expect(await admittedApart(set, 3, of)).toBe(1);
    expect(decide()).toMatchObject({ allowed: false, retryAfterSeconds: 10 });
    expect(set.location.counted).toHaveLength(20);
    await passUntil(60);
    expect(decide()).toMatchObject({ allowed: true });
  });

  test("is asked again when the clock is set back", async () => {
    const set = setUp();
    set.location.limit = 0;
    expect(await admittedApart(set, 5, set.asked(SUBJECT, 60))).toBe(2);
    set.clock.offset = -3_600_000;
    set.location.limit = Infinity;
    expect(set.request(1, set.asked(SUBJECT, 60))).toBeNull();
  });

  test("delays and fails no request, whatever its limiter does: the isolate's own limit applies", async () => {
    for (const fault of ["throws", "hangs"] as const) {
      const set = setUp();
      set.location.fault = fault;
      expect(await admittedApart(set, 70, set.asked(SUBJECT, 60))).toBe(60);
    }
    expect(log.events()).toStrictEqual(["backstop_failed"]);
  });
});

describe("an exchange", () => {
  test("takes 20 requests and 20 s since the last: one read of all shards, one write", async () => {
    const { admitted, time, calls, work, location } = setUp();
    admitted(30);
    await time.pass(19_999);
    expect(calls).toStrictEqual([]);
    await time.pass(1);
    admitted(1);
    await time.pass(100);
    expect(calls).toMatchObject([
      { call: "get", options: { type: "text", cacheTtl: 30 } },
      { call: "put", options: { expirationTtl: 180 } },
    ]);
    await time.pass(60_000);
    admitted(19);
    await time.pass(100);
    expect(calls).toHaveLength(2);
    admitted(1);
    await time.pass(100);
    expect(calls).toHaveLength(4);
    expect(work).toHaveLength(2 + location.counted.length);
  });

  test("reports demand by minute, rejected requests included, and passes on what it has read", async () => {
    const { admitted, time, report, minute, written } = setUp();
    admitted(200, 10);
    await time.pass(60_000);
    report(7, 70);
    admitted(1, 10);
    await time.pass(100);
    expect(written()).toStrictEqual({
      [minute() - 1]: { own: { requests: 200, numbers: 2_000 } },
      [minute()]: { own: { requests: 1, numbers: 10 }, other1: { requests: 7, numbers: 70 } },
    });
  });

  test("delays and fails no request, whatever KV does", async () => {
    for (const fault of ["hangs", "throws", "429"] as const) {
      const { admitted, time, kv, work } = setUp();
      kv.fault = fault;
      for (let part = 0; part < 5; part++) {
        expect(admitted(32)).toBe(32);
        await time.pass(11_000);
      }
      expect(admitted(1)).toBe(0);
      if (fault !== "hangs") await expect(Promise.all(work)).resolves.toBeDefined();
    }
  });

  test("that hangs is followed by the next after 20 s, and one that failed is made up for", async () => {
    for (const fault of ["hangs", "throws", "429"] as const) {
      const { admitted, time, kv, written } = setUp();
      kv.fault = fault;
      for (const _ of [1, 2]) {
        admitted(20);
        await time.pass(20_000);
      }
      expect(written()).toStrictEqual({});
      kv.fault = "none";
      admitted(20);
      await time.pass(200);
      expect(Object.values(written())).toStrictEqual([{ own: { requests: 60, numbers: 60 } }]);
    }
  });

  test("that fails is logged once per minute with the number of failures, without the subject", async () => {
    const { admitted, time, kv } = setUp();
    kv.fault = "429";
    for (let second = 0; second < 150; second++) {
      admitted(2);
      await time.pass(1_000);
    }
    expect(log.events()).toStrictEqual(Array(3).fill("rate_limit_kv_failed"));
    expect(log.parsed()).toMatchObject([{ count: 1 }, { count: 3 }, { count: 3 }]);
    expect(log.lines.join()).not.toContain("usr_1");
  });

  test("has keys without the subject in clear text", () => {
    expect(KEYS[3]).toMatch(/^rl:[0-9a-f]{32}:3$/);
  });
});

describe("with others, an isolate", () => {
  type Reported = readonly [requests: number, numbers: number];

  /** Makes 20 requests, and learns what others were asked for with one more. */
  async function exchanged(demands: readonly Reported[]) {
    const limited = setUp();
    limited.admitted(20);
    await limited.time.pass(20_000);
    for (const [index, [requests, numbers]] of demands.entries()) limited.report(requests, numbers, index + 1);
    limited.admitted(1);
    await limited.time.pass(100);
    return limited;
  }

  test("admits its whole limit while together they need no more", async () => {
    const { admitted } = await exchanged([[60, 0]]);
    expect(admitted(79)).toBe(79);
  });

  test("admits its part of the demand when they need more, of numbers too", async () => {
    const requests = await exchanged([
      [80, 0],
      [60, 0],
    ]);
    // Demand of 21 becomes 160 while asking for 139 more; others have 140.
    expect(requests.admitted(139)).toBe(64);
    const numbers = await exchanged([[1, 6_380]]);
    expect(numbers.limiter.check(numbers.asked(), numbers.waitUntil).numbers.allowed).toBe(false);
  });

  test("counts each only once, with its highest count, and the busiest of three minutes", async () => {
    const { report, admitted, time, minute } = setUp();
    admitted(20);
    await time.pass(20_000);
    for (const [requests, shard, at] of [
      [100, 1, minute()],
      [100, 1, minute() - 1],
      [100, 2, minute() - 2],
      [900, 3, minute() - 3],
    ] as const) {
      report(requests, 0, shard, at);
    }
    admitted(1);
    await time.pass(100);
    expect(admitted(39)).toBe(39);
    expect(admitted(40)).toBeLessThan(40);
  });

  test("forgets them after three minutes, and does not pass them on", async () => {
    const { admitted, time, report, minute, written } = await exchanged([[10_000, 0]]);
    expect(admitted(10)).toBe(0);
    await time.pass(180_000);
    report(10_000, 0, 1, minute() - 3);
    expect(admitted(160)).toBe(160);
    await time.pass(200);
    expect(Object.keys(written())).toStrictEqual([String(minute())]);
  });

  test("counts numbers that wait for room as asked for once", async () => {
    const { limiter, asked, admitted, time, written } = setUp();
    admitted(20);
    limiter.count(asked(), 50);
    for (let again = 0; again < 10; again++) limiter.count(asked(), 50, true);
    await time.pass(20_000);
    admitted(1);
    await time.pass(100);
    expect(Object.values(written())).toStrictEqual([{ own: { requests: 21, numbers: 71 } }]);
  });

  test.each([
    "",
    "7",
    "null",
    "[]",
    "{{",
    '{"29000000":{"a":[1,1]}}',
    '{"29000000":{"a":{"requests":1}}}',
    '{"29000000":{"a":{"requests":-1,"numbers":1}}}',
    '{"29000000":{"a":{"requests":1e300,"numbers":1}}}',
    '{"29000000":{"with space":{"requests":1,"numbers":1}}}',
    '{"now":{"a":{"requests":1,"numbers":1}}}',
    " ".repeat(50_000),
  ])("ignores a shard that contains %s, and reads the others", async (corrupt) => {
    const { values, report, admitted, time, written } = setUp();
    admitted(20);
    await time.pass(20_000);
    values.set(KEYS[2]!, corrupt);
    report(10_000, 0);
    admitted(1);
    await time.pass(100);
    expect(admitted(10)).toBe(0);
    expect(JSON.stringify(written())).not.toMatch(/"a"|space|now/);
  });

  test("keeps a fixed number of them per minute, and what it writes can be read", async () => {
    const { values, admitted, time, minute, written } = setUp();
    admitted(20);
    await time.pass(20_000);
    for (const [shard, key] of KEYS.entries()) {
      const usage = { requests: 1_000_000, numbers: 10_000_000 };
      const isolates = Array.from({ length: 25 }, (_, index) => [`${"x".repeat(10)}${shard}${index}`, usage] as const);
      const minutes = [0, 1, 2].map((age) => [minute() - age, Object.fromEntries(isolates)] as const);
      values.set(key, JSON.stringify(Object.fromEntries(minutes)));
    }
    admitted(1);
    await time.pass(200);
    const isolates = written()[minute()]!;
    expect(Object.keys(isolates)).toHaveLength(MAX_ISOLATES);
    expect(isolates["own"]).toStrictEqual({ requests: 21, numbers: 21 });
    expect(JSON.stringify(written()).length).toBeLessThan(40_000);
  });
});
