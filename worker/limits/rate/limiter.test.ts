import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { captureLog } from "../../../test/captured-log.ts";
import { createVirtualTime } from "../../../test/virtual-time.ts";
import { MAX_ISOLATES } from "./demand.ts";
import type { Report } from "./demand.ts";
import { SHARDS, decodeShard, encodeShard, shardKeys } from "./exchange.ts";
import type { RateStore } from "./exchange.ts";
import { MAX_SUBJECTS, createRateLimiter } from "./limiter.ts";

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
    const checked = limiter.check(of, waitUntil);
    if (!checked.requests.allowed) return "requests";
    return checked.numbers.allowed && limiter.count(of, numbers, waitUntil).allowed ? null : "numbers";
  }

  return {
    time,
    values,
    calls,
    kv,
    clock,
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
    /** Reports of another isolate. */
    report: (requests: number, numbers: number, shard = 1, at = minute()) =>
      values.set(KEYS[shard]!, encodeShard([{ minute: at, isolate: `other${shard}`, requests, numbers }])),
    /** What this isolate has written about itself. */
    written: () => decodeShard(values.get(KEYS[0]!)).filter(({ isolate }) => isolate === "own"),
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

  test("passes a batch whole if there is room for one number, and deducts the excess from the next minute", async () => {
    const { limiter, asked, waitUntil, time, admitted, request } = setUp();
    expect(request(1)).toBeNull();
    expect(admitted(20, 100)).toBe(16);
    expect(limiter.check(asked(), waitUntil)).toMatchObject({
      requests: { allowed: true, remaining: 143 },
      numbers: { allowed: false, retryAfterSeconds: 60 },
    });
    await time.pass(60_000);
    expect(limiter.check(asked(), waitUntil).numbers).toMatchObject({ allowed: true, remaining: NUMBERS - 1 });
  });

  test("rejects numbers whole. Their request, admitted before, still counts", () => {
    const { limiter, asked, waitUntil } = setUp();
    for (let made = 0; made < 3; made++) limiter.check(asked(), waitUntil);
    expect(limiter.count(asked(), NUMBERS, waitUntil).allowed).toBe(true);
    expect(limiter.count(asked(), 1, waitUntil)).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
    expect(limiter.check(asked(), waitUntil, "requests").requests).toMatchObject({ allowed: true, remaining: 156 });
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

  test("admits no more when the clock steps back", async () => {
    const { admitted, clock, time } = setUp();
    expect(admitted(100)).toBe(100);
    clock.offset = -5_000;
    expect(admitted(100)).toBe(60);
    await time.pass(59_999);
    expect(admitted(100)).toBe(0);
    await time.pass(5_001);
    expect(admitted(200)).toBe(160);
    clock.offset = -3_600_000;
    expect(admitted(10)).toBe(0);
    await time.pass(3_600_000 + 60_000);
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

describe("an exchange", () => {
  test("takes 20 requests and 20 s since the last: one read of all shards, one write", async () => {
    const { admitted, time, calls, work } = setUp();
    admitted(19);
    await time.pass(100);
    expect(calls).toStrictEqual([]);
    admitted(1);
    await time.pass(100);
    expect(calls).toMatchObject([
      { call: "get", options: { type: "text", cacheTtl: 30 } },
      { call: "put", options: { expirationTtl: 240 } },
    ]);
    admitted(20);
    await time.pass(19_800);
    admitted(19);
    expect(calls).toHaveLength(2);
    await time.pass(100);
    admitted(1);
    await time.pass(100);
    expect(calls).toHaveLength(4);
    admitted(19);
    await time.pass(60_000);
    expect(calls).toHaveLength(4);
    expect(work).toHaveLength(2);
  });

  test("counts 20 numbers like 20 requests", async () => {
    const { request, time, calls } = setUp();
    request(19);
    await time.pass(100);
    expect(calls).toStrictEqual([]);
    request(1);
    await time.pass(100);
    expect(calls).toHaveLength(2);
  });

  test("reports demand by minute, rejected requests included, and passes on what it has read", async () => {
    const { admitted, time, report, values, minute, written } = setUp();
    report(7, 70);
    admitted(20, 10);
    await time.pass(100);
    admitted(180, 10);
    await time.pass(60_000);
    admitted(1, 10);
    await time.pass(100);
    expect(written()).toStrictEqual([
      { minute: minute() - 1, isolate: "own", requests: 200, numbers: 2_000 },
      { minute: minute(), isolate: "own", requests: 1, numbers: 10 },
    ]);
    expect(decodeShard(values.get(KEYS[0]!))).toContainEqual({
      minute: minute() - 1,
      isolate: "other1",
      requests: 7,
      numbers: 70,
    });
  });

  test("delays and fails no request, whatever KV does", async () => {
    for (const fault of ["hangs", "throws", "429"] as const) {
      const { admitted, time, kv, work } = setUp();
      kv.fault = fault;
      for (let second = 0; second < 5; second++) {
        expect(admitted(32)).toBe(32);
        await time.pass(1_000);
      }
      expect(admitted(1)).toBe(0);
      if (fault !== "hangs") await expect(Promise.all(work)).resolves.toBeDefined();
    }
  });

  test("that hangs is followed by the next after 20 s, and one that failed is made up for", async () => {
    for (const fault of ["hangs", "throws", "429"] as const) {
      const { admitted, time, kv, written } = setUp();
      kv.fault = fault;
      admitted(20);
      await time.pass(20_000);
      expect(written()).toStrictEqual([]);
      kv.fault = "none";
      admitted(20);
      await time.pass(200);
      expect(written()).toMatchObject([{ requests: 40, numbers: 40 }]);
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

  test("still happens after the clock stepped back", async () => {
    const { admitted, time, clock, gets } = setUp();
    admitted(20);
    await time.pass(100);
    clock.offset = -3_600_000;
    admitted(20);
    await time.pass(100);
    expect(gets()).toHaveLength(2);
  });
});

describe("with others, an isolate", () => {
  /** Learns of the others with 20 requests. */
  async function exchanged(demands: readonly (readonly [requests: number, numbers: number])[]) {
    const limited = setUp();
    demands.forEach(([requests, numbers], index) => limited.report(requests, numbers, index + 1));
    limited.admitted(20);
    await limited.time.pass(100);
    return limited;
  }

  test("admits its whole limit while together they need no more", async () => {
    const { admitted } = await exchanged([[60, 0]]);
    expect(admitted(80)).toBe(80);
  });

  test("admits its part of the demand when they need more, of numbers too", async () => {
    const requests = await exchanged([
      [80, 0],
      [60, 0],
    ]);
    // Demand of 20 becomes 160 while asking for 140 more; others have 140.
    expect(requests.admitted(140)).toBe(65);
    const numbers = await exchanged([[1, 6_380]]);
    expect(numbers.limiter.check(numbers.asked(), numbers.waitUntil).numbers.allowed).toBe(false);
  });

  test("counts a batch that is larger than its share for as many minutes as the share takes", async () => {
    const { time, report, request, limiter, asked, waitUntil } = setUp();
    // With 100 of 4,000 numbers asked for here, the share is 40 of 1,600.
    report(0, 3_900);
    expect(request(100)).toBeNull();
    await time.pass(100);
    const { numbers } = limiter.check(asked(), waitUntil);
    // After a minute 60 are left, after two 20.
    expect(numbers).toMatchObject({ allowed: false, retryAfterSeconds: 120 });
    await time.pass(120_000);
    expect(request(1)).toBeNull();
  });

  test("counts each only once, with its highest count, and the busiest of four minutes", async () => {
    const { report, admitted, time, minute } = setUp();
    for (const [requests, shard, at] of [
      [100, 1, minute()],
      [100, 1, minute() - 1],
      [100, 2, minute() - 3],
      [900, 3, minute() - 4],
    ] as const) {
      report(requests, 0, shard, at);
    }
    admitted(20);
    await time.pass(100);
    expect(admitted(40)).toBe(40);
    expect(admitted(40)).toBeLessThan(40);
  });

  test("forgets them after three more minutes", async () => {
    const { admitted, time } = await exchanged([[1_000, 0]]);
    expect(admitted(10)).toBe(0);
    await time.pass(240_000);
    expect(admitted(160)).toBe(160);
  });
});

describe("a shard", () => {
  const report = fc.record(
    {
      minute: fc.nat(),
      isolate: fc.stringMatching(/^[0-9A-Za-z]{1,16}$/),
      requests: fc.nat(),
      numbers: fc.nat(),
    },
    { noNullPrototype: true },
  );

  test("survives a round trip", () => {
    fc.assert(
      fc.property(fc.array(report, { maxLength: 100 }), (reports) => {
        expect(decodeShard(encodeShard(reports))).toStrictEqual(reports);
      }),
    );
  });

  test.each([
    null,
    undefined,
    "",
    '[[1,"a",1,1]',
    "7",
    "null",
    '{"a":[1,1]}',
    '[[1,"a",1]]',
    '[[1,"a",-1,1]]',
    '[[1,"a",1.5,1]]',
    '[[1,"a",1,1e300]]',
    '[[1,"with space",1,1]]',
    '[[1,"12345678901234567",1,1]]',
    `[${" ".repeat(50_000)}]`,
  ])("is empty when it contains %s", (value) => {
    expect(decodeShard(value)).toStrictEqual([]);
  });

  test("that is corrupt does not hide the others", async () => {
    const { values, report: write, admitted, time } = setUp();
    values.set(KEYS[2]!, "{{");
    write(10_000, 0);
    admitted(20);
    await time.pass(100);
    expect(admitted(10)).toBe(0);
  });

  test("holds the busiest isolates of each minute and its writer, and is not too long to be read", async () => {
    const { values, admitted, time, minute } = setUp();
    const isolates = Array.from({ length: 200 }, (_, index) => `${"x".repeat(9)}${100 + index}`);
    for (let shard = 0; shard < SHARDS; shard++) {
      const part = isolates.filter((_, index) => index % SHARDS === shard);
      const reports = [0, 1, 2, 3].flatMap((age) =>
        part.map((isolate): Report => {
          return {
            minute: minute() - age,
            isolate,
            requests: 1_000_000,
            numbers: 10_000_000 + Number(isolate.slice(9)),
          };
        }),
      );
      values.set(KEYS[shard]!, encodeShard(reports));
    }
    admitted(20);
    await time.pass(200);
    const read = decodeShard(values.get(KEYS[0]!)).filter((entry) => entry.minute === minute());
    expect(read).toHaveLength(MAX_ISOLATES);
    expect(read.map(({ isolate }) => isolate)).toContain("own");
    expect(read.map(({ isolate }) => isolate)).toContain(isolates[199]);
    expect(read.map(({ isolate }) => isolate)).not.toContain(isolates[0]);
  });

  test("has a key without the subject in clear text", () => {
    expect(KEYS[3]).toMatch(/^rl:[0-9a-f]{32}:3$/);
  });
});
