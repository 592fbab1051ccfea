import { beforeEach, describe, expect, test, vi } from "vitest";
import { createLedgers, fakeD1, openLedger } from "../../test/ledgers.ts";
import { addUsage, countOf, partOf } from "../../test/usage.ts";
import type { OpenedLedger } from "../../test/ledgers.ts";
import type { MailMessage } from "../mail/email.ts";
import { DAY_MS, utcDay } from "../platform/time.ts";
import { capUse, quotaUse, testUse } from "./part.ts";
import type { Count, Entry, KeyedCall, Part, Use } from "./part.ts";

const NOON = Date.UTC(2026, 0, 2, 12);
const STARTED = NOON - DAY_MS;
const EVER = { first: "", last: "~" };
/** The names of limits. */
const QUOTA = `quota ${STARTED}`;
const CAP = "cap key_1 2026-01";
const TESTS = "test 2026-01-02";

let now: number;
let emails: MailMessage[];
let mailFails: boolean;
let d1Fails: boolean;
let d1Hangs: boolean;
let d1Knows: boolean;
let meteredAt: number | null;
let reported: [user: string, rows: unknown][];
let opened: OpenedLedger;
let size: number;
let sizes: unknown[];

beforeEach(() => {
  now = NOON;
  emails = [];
  mailFails = d1Fails = d1Hangs = false;
  d1Knows = true;
  meteredAt = null;
  reported = [];
  size = 0;
  sizes = [];
  vi.spyOn(console, "warn").mockReturnValue();
  opened = openLedger({
    now: () => now,
    size: () => size,
    mail: async (message) => {
      if (mailFails) throw new Error("Queue send failed");
      emails.push(message);
    },
    db: fakeD1(async (query, bindings) => {
      if (d1Hangs) return new Promise(() => {});
      if (d1Fails) throw new Error("D1_ERROR: Network connection lost.");
      if (query.includes("usage_months")) {
        reported.push([bindings[0] as string, JSON.parse(bindings[1] as string) as unknown]);
      }
      if (query.includes("SET ledger_bytes")) sizes.push(bindings[1]);
      if (query.includes("SET metered_at")) meteredAt = bindings[0] as number;
      return d1Knows ? [{ metered_at: meteredAt, ledger_bytes: sizes.at(-1) ?? null }] : [];
    }),
  });
});

function count(successful: number, failed = 0, changes: Partial<Count> = {}): Count {
  return countOf(successful, failed, { startedAt: STARTED, day: utcDay(now), ...changes });
}

function part(seq: number, successful = 1, changes: Partial<Part> & { readonly uses?: readonly Use[] } = {}): Part {
  return partOf("usr_1", [count(successful)], { isolate: `${(NOON - 1000).toString(36)}.a`, seq, at: now, ...changes });
}

function entry(...counts: Count[]): Pick<Part, "entries"> {
  return { entries: [{ counts, uses: [] }] };
}

function call(id: string, successful = 1, changes: Partial<KeyedCall> = {}): Entry {
  return { call: { id: id.padStart(24, "0"), hours: 48, ...changes }, counts: [count(successful)], uses: [] };
}

function record(...parts: Part[]): void {
  for (const each of parts) opened.ledger.record(each);
}

function total(): number {
  return opened.ledger.usage(EVER).days.reduce((sum, day) => sum + day.total, 0);
}

async function nextAlarm(): Promise<void> {
  now = opened.alarm!;
  await opened.ledger.alarm();
}

/** Passes the alarms up to the next daily one, which is also passed. */
async function nextDay(): Promise<void> {
  const daily = opened.account().alarm;
  do await nextAlarm();
  while (now < daily);
}

describe("a part", () => {
  test("is counted once, in any order, together or alone, before and after a restart", async () => {
    const { ledger } = opened;
    for (const order of [[3], [1, 2], [2, 3, 3], [7, 5], [1, 7]]) {
      record(...order.map((seq) => part(seq)));
      await opened.settled();
      opened.restart();
    }
    expect(total()).toBe(5);
    expect(Object.values(opened.account().isolates).map(({ ranges }) => ranges)).toStrictEqual([
      [
        [1, 3],
        [5, 5],
        [7, 7],
      ],
    ]);
    expect(ledger).not.toBe(opened.ledger);
  });

  test("is recognized 14 days later, though its isolate was never seen since", async () => {
    record(part(1), part(2));
    record(part(1, 1, { isolate: `${(NOON - 500).toString(36)}.b` }));
    const late = part(2);
    for (let day = 1; day <= 14; day++) {
      now = NOON + day * DAY_MS;
      record(part(day, 1, { isolate: `${(now - 1000).toString(36)}.d${day}` }));
    }
    record(late, { ...late, seq: 3 }, { ...late, seq: 3 });
    expect(total()).toBe(18);
  });

  test("that is too old to recognize is not counted, and its count is returned", async () => {
    const old = part(1, 5);
    now += 16 * DAY_MS;
    expect(opened.ledger.record(old)).toMatchObject({ refusedBy: null, lost: 5 });
    record(part(2, 3));
    expect(total()).toBe(3);
  });

  test("costs one row and one for each kind of numbers, and no alarm after the first", async () => {
    record(part(1));
    await opened.settled();
    const { alarm } = opened;
    expect(alarm).toBeGreaterThan(NOON);
    const before = opened.rowsWritten;
    record(part(2), part(3));
    expect(opened.rowsWritten - before).toBe(4);
    record(
      part(4, 0, { entries: [call("a"), call("b"), call("c"), ...entry(count(1, 0, { country: "US" })).entries] }),
    );
    expect(opened.rowsWritten - before).toBe(7);
    expect(opened.alarm).toBe(alarm);
  });

  test("of a new isolate costs one query for what that sent, one for each kind of numbers, and one for the account", () => {
    record(part(1));
    const before = opened.queries;
    record(part(1, 1, { isolate: `${(NOON - 500).toString(36)}.b` }));
    expect(opened.queries - before).toBe(3);
  });

  test("of one of more isolates than a row holds is recognized as well", async () => {
    const of = (at: number, seq: number) => part(seq, 1, { isolate: `${(NOON - 1000).toString(36)}.${at}` });
    record(of(0, 1));
    await opened.settled();
    for (let at = 1; at < 800; at++) record(of(at, 1));
    await opened.settled();
    expect(Object.keys(opened.account().isolates).length).toBeLessThanOrEqual(500);
    opened.restart();
    for (const at of [0, 1, 400, 799]) record(of(at, 1), of(at, 2), of(at, 2));
    expect(total()).toBe(804);
  });
});

describe("a call with an Idempotency-Key", () => {
  const calls = (...entries: Entry[]) => ({ entries });

  test("is counted once in any part, under its alias too", async () => {
    const aliased = call("a", 2, { alias: "b".padStart(24, "0") });
    record(part(1, 0, calls(call("a", 2))), part(2, 0, calls(aliased, call("c"))));
    await opened.settled();
    opened.restart();
    record(part(3, 0, calls(call("b", 2))), part(4, 0, calls(aliased, call("c"))));
    expect(total()).toBe(3);
  });

  test("is remembered for 48 hours with a caller's key and one hour with an SDK's, however many there are", async () => {
    const all = Array.from({ length: 9_000 }, (_, index) => call((index * 977).toString(16)));
    const some = all.slice(0, 3);
    record(part(1, 0, calls(call("f", 1, { hours: 1 }), ...all)));
    expect(total()).toBe(9_001);
    now += 59 * 60_000;
    record(part(2, 0, calls(call("f", 1, { hours: 1 }), ...some)));
    expect(opened.query("SELECT count(*) AS rows FROM calls")[0]!["rows"]).toBeLessThanOrEqual(256);
    expect(total()).toBe(9_001);
    now += 61 * 60_000;
    record(part(3, 0, calls(call("f", 1, { hours: 1 }))));
    expect(total()).toBe(9_002);
    now = NOON + 47 * 3_600_000;
    record(part(4, 0, calls(...some)));
    expect(total()).toBe(9_002);
    now = NOON + 50 * 3_600_000;
    record(part(5, 0, calls(...some)));
    expect(total()).toBe(9_005);
    now += DAY_MS;
    await nextDay();
    expect(opened.query("SELECT count(*) AS rows FROM calls")[0]).toStrictEqual({ rows: 0 });
  });
});

describe("a part that must fit its limits", () => {
  const most = 100;

  function use(amount: number): Use {
    return quotaUse(STARTED, amount, most);
  }

  function enforce(seq: number, successful: number, uses = [use(successful)], changes: Partial<Part> = {}) {
    return opened.ledger.record(part(seq, successful, { uses, ...changes }), { enforce: true });
  }

  function used(amount: number) {
    return { [QUOTA]: amount };
  }

  test("is counted up to the exact limit, and refused as a whole beyond it", () => {
    expect(enforce(1, 60)).toMatchObject({ refusedBy: null, used: used(60), windowMs: 2_000 });
    expect(enforce(2, 41)).toMatchObject({ refusedBy: QUOTA, used: used(60) });
    expect(enforce(2, 40)).toMatchObject({ refusedBy: null, used: used(100) });
    expect(enforce(3, 0)).toMatchObject({ refusedBy: QUOTA, used: used(100) });
    expect(total()).toBe(100);
    expect(opened.ledger.quotaUsed(STARTED)).toBe(100);
  });

  test("and arrived before is counted once, also through the queue and with the limit used up", () => {
    const keyed = { entries: [{ ...call("a", 100), uses: [use(100)] }] };
    expect(enforce(1, 0, [], keyed)).toMatchObject({ refusedBy: null, used: used(100) });
    expect(enforce(1, 0, [], keyed)).toMatchObject({ refusedBy: null, used: used(100) });
    expect(enforce(2, 0, [], keyed)).toMatchObject({ refusedBy: null, used: used(100) });
    opened.ledger.record({ ...part(1), ...keyed });
    expect(total()).toBe(100);
  });

  test("fits all its limits or none", () => {
    const both = (amount: number) => [use(amount), testUse("2026-01-02", 1, 1)];
    expect(enforce(1, 1, both(1))).toMatchObject({ refusedBy: null });
    expect(enforce(2, 1, both(1))).toMatchObject({ refusedBy: TESTS, used: used(1) });
    expect(enforce(2, 1)).toMatchObject({ refusedBy: null, used: used(2) });
  });

  test("uses days and months that are forgotten after 40 days, and subscriptions that are not", async () => {
    enforce(1, 1, [use(1), capUse("key_1", "2026-01", 1, most), testUse("2026-01-02", 1, most)]);
    for (const [days, tests] of [
      [40, { "2026-01-02": 1 }],
      [41, {}],
    ] as const) {
      now = NOON + days * DAY_MS;
      await opened.ledger.alarm();
      expect(opened.account().tests).toStrictEqual(tests);
    }
    expect(opened.account()).toMatchObject({ quotas: { [STARTED]: 1 } });
    expect(opened.account().caps).toStrictEqual({});
  });

  test("of a capped key includes what it verified in the month before its cap was set, and while no isolate knew of the cap", () => {
    const cap = (amount: number, limit = 10) => [capUse("key_1", "2026-01", amount, limit)];
    record(part(1, 4), part(2, 0, entry(count(50, 9, { day: "2025-12-31" }))));
    expect(opened.ledger.keys("2026-01", ["key_1"]).used).toStrictEqual({ key_1: 4 });
    expect(enforce(3, 3, cap(3))).toMatchObject({ refusedBy: null, used: { [CAP]: 7 } });
    record(part(4, 2));
    expect(enforce(5, 2, cap(2))).toMatchObject({ refusedBy: CAP, used: { [CAP]: 9 } });
    expect(enforce(5, 2, cap(2, 20))).toMatchObject({ refusedBy: null, used: { [CAP]: 11 } });
    opened.restart();
    expect(opened.ledger.keys("2026-01", ["key_1"]).used).toStrictEqual({ key_1: 11 });
    expect(opened.ledger.keys("2026-02", ["key_1"]).used).toStrictEqual({ key_1: 0 });
  });

  test("has caps that are read with one query, however many were never used", () => {
    const keys = Array.from({ length: 40 }, (_, at) => `key_${at}`);
    record(part(1, 0, entry(...keys.slice(0, 3).map((key) => count(2, 0, { key, root: key })))));
    const before = opened.queries;
    const read = opened.ledger.keys("2026-01", keys);
    expect(Object.values(read.used)).toStrictEqual(keys.map((_, at) => (at < 3 ? 2 : 0)));
    // One more for the last uses.
    expect(opened.queries - before).toBe(2);
  });

  test("of a rolled key continues the count of its predecessor, in both", () => {
    const cap = [capUse("key_1", "2026-01", 2, 5)];
    const rolled = { entries: [{ counts: [count(2, 0, { key: "key_2", root: "key_1" })], uses: cap }] };
    expect(enforce(1, 2, cap)).toMatchObject({ used: { [CAP]: 2 } });
    expect(enforce(2, 0, [], rolled)).toMatchObject({ refusedBy: null, used: { [CAP]: 4 } });
    expect(enforce(3, 2, cap)).toMatchObject({ refusedBy: CAP, used: { [CAP]: 4 } });
    expect(opened.ledger.keys("2026-01", ["key_1"]).used).toStrictEqual({ key_1: 4 });
  });

  test("of the third key of a chain includes the month of the other two, and what they use later", () => {
    const of = (key: string, successful: number) => entry(count(successful, 0, { key, root: "key_1" }));
    record(part(1, 0, of("key_1", 2)), part(2, 0, of("key_2", 3)), part(3, 0, entry(count(50, 0, { key: "key_9" }))));
    expect(opened.ledger.keys("2026-01", ["key_1"]).used).toStrictEqual({ key_1: 5 });
    const third = { entries: [{ ...of("key_3", 1).entries[0]!, uses: [capUse("key_1", "2026-01", 1, 10)] }] };
    expect(enforce(4, 0, [], third)).toMatchObject({ refusedBy: null, used: { [CAP]: 6 } });
    record(part(5, 0, of("key_2", 4)));
    expect(enforce(6, 0, [], third)).toMatchObject({ refusedBy: CAP, used: { [CAP]: 10 } });
  });

  test("is always counted when its call has gotten its response, including what it uses", () => {
    const uses = [testUse("2026-01-02", 60, most)];
    for (const seq of [1, 2, 2]) record(part(seq, 60, { uses }));
    expect(enforce(3, 1, uses)).toMatchObject({ refusedBy: TESTS, used: { [TESTS]: 120 } });
    expect(total()).toBe(120);
  });

  test("of several calls counts each of them that is new", () => {
    const tests = (amount: number) => [testUse("2026-01-02", amount, most)];
    const keyed = (id: string) => ({ ...call(id, 5), uses: tests(5) });
    record(part(1, 0, { entries: [keyed("a")] }), part(2, 0, { entries: [keyed("a"), keyed("b")] }));
    expect(total()).toBe(10);
    expect(enforce(3, 1, tests(91))).toMatchObject({ refusedBy: TESTS, used: { [TESTS]: 10 } });
  });
});

describe("the owner of a quota", () => {
  const uses = [quotaUse(STARTED, 1, 1_000)];
  let seq = 0;

  async function use(successful: number): Promise<string[]> {
    record(part(++seq, successful, { uses }));
    await opened.settled();
    return emails.map(({ purpose }) => purpose);
  }

  test("is emailed by the quota that the plan has now", async () => {
    expect(await use(500)).toStrictEqual([]);
    record(part(++seq, 1, { uses: [quotaUse(STARTED, 1, 600)] }));
    await opened.settled();
    expect(emails.map(({ purpose }) => purpose)).toStrictEqual(["quota_80"]);
  });

  test("is emailed once at 80% and once at 100%", async () => {
    expect(await use(799)).toStrictEqual([]);
    expect(await use(1)).toStrictEqual(["quota_80"]);
    opened.restart();
    expect(await use(199)).toStrictEqual(["quota_80"]);
    expect(await use(5)).toStrictEqual(["quota_80", "quota_100"]);
    expect(await use(5)).toHaveLength(2);
    expect(emails[0]).toStrictEqual({ user_id: "usr_1", purpose: "quota_80" });
  });

  test("is emailed only at 100% when one part passes both", async () => {
    expect(await use(1_000)).toStrictEqual(["quota_100"]);
  });

  test("is emailed once for concurrent parts", async () => {
    for (let each = 0; each < 10; each++) record(part(++seq, 90, { uses }));
    await opened.settled();
    expect(emails).toHaveLength(1);
  });

  test("is emailed by the alarm if the queue rejected it", async () => {
    mailFails = true;
    expect(await use(800)).toStrictEqual([]);
    mailFails = false;
    await nextAlarm();
    expect(emails).toHaveLength(1);
  });

  test("is emailed again about a later subscription, and not about an earlier one", async () => {
    await use(1_000);
    const later = [quotaUse(NOON, 1, 1_000)];
    record(part(++seq, 0, { entries: [{ counts: [count(850, 0, { startedAt: NOON })], uses: later }] }));
    expect(emails.map(({ purpose }) => purpose)).toStrictEqual(["quota_100", "quota_80"]);
    await use(1);
    expect(emails).toHaveLength(2);
    expect(opened.ledger.quotaUsed(NOON)).toBe(850);
  });
});

test("reports have a period's days, countries, and keys", () => {
  record(part(1, 5, entry(count(5, 1), count(2, 0, { country: "US" }))));
  now += DAY_MS;
  record(part(2, 0, entry(count(1, 0, { day: utcDay(NOON) }))));
  now += DAY_MS;
  record(part(3, 0, entry(count(0, 4))));
  expect(opened.ledger.usage(EVER)).toStrictEqual({
    days: [
      { date: "2026-01-02", total: 9, successful: 8 },
      { date: "2026-01-04", total: 4, successful: 0 },
    ],
    countries: [
      { country_code: "BR", total: 11, successful: 6 },
      { country_code: "US", total: 2, successful: 2 },
    ],
    keys: [{ key_id: "key_1", mode: "live", total: 13, successful: 8 }],
  });
  expect(opened.ledger.usage({ mode: "test", ...EVER })).toStrictEqual({ days: [], countries: [], keys: [] });
  expect(opened.ledger.usage({ first: "2026-01-03", last: "2026-01-04" }).days).toHaveLength(1);
});

describe("once per day", () => {
  const NO_TESTS = { testSuccessful: 0, testFailed: 0 };

  test("D1 gets the totals of months that changed, and a failure is retried", async () => {
    record(part(1, 0, entry(count(5, 1), count(3, 0, { day: "2025-12-31" }))));
    d1Fails = true;
    await nextAlarm();
    expect(reported).toStrictEqual([]);
    expect(opened.alarm).toBe(now + 600_000);
    d1Fails = false;
    await nextAlarm();
    const months = [
      { month: "2026-01", liveSuccessful: 5, liveFailed: 1, ...NO_TESTS },
      { month: "2025-12", liveSuccessful: 3, liveFailed: 0, ...NO_TESTS },
    ];
    expect(reported).toStrictEqual([["usr_1", months]]);
    await nextAlarm();
    expect(reported).toHaveLength(1);
  });

  test("a ledger killed while writing totals to D1 writes them with the next alarm", async () => {
    record(part(1, 0, entry(count(5, 1))));
    d1Hangs = true;
    now = opened.alarm!;
    await opened.settled();
    void opened.ledger.alarm();
    d1Hangs = false;
    opened.restart();
    await opened.ledger.alarm();
    expect(reported).toStrictEqual([["usr_1", [{ month: "2026-01", liveSuccessful: 5, liveFailed: 1, ...NO_TESTS }]]]);
  });

  test("the last use is remembered for the thousand most recently used keys", async () => {
    for (let at = 0; at <= 1_000; at++) {
      now += 1;
      record(part(at + 1, 0, entry(count(1, 0, { key: `key_${at}` }))));
    }
    now += DAY_MS;
    await nextAlarm();
    const { lastUsed } = opened.ledger.keys("2026-01", []);
    expect(Object.keys(lastUsed)).toHaveLength(1_000);
    expect(lastUsed).not.toHaveProperty("key_0");
  });

  test("D1 hears of a month ten minutes after its first use, and of a tenth more, at most hourly", async () => {
    const numbers = () => (reported.at(-1)?.[1] as { liveSuccessful: number }[] | undefined)?.[0]?.liveSuccessful;
    record(part(1, 0, entry(count(100))));
    expect(opened.alarm).toBeLessThanOrEqual(now + 600_000);
    await nextAlarm();
    expect(numbers()).toBe(100);
    const first = now;
    // Nine more aren't a tenth.
    now += 60_000;
    record(part(2, 0, entry(count(9))));
    expect(opened.alarm).toBe(opened.account().alarm);
    record(part(3, 0, entry(count(1))));
    expect(opened.alarm).toBe(first + 3_600_000);
    record(part(4, 0, entry(count(500))));
    await nextAlarm();
    expect([now, numbers()]).toStrictEqual([first + 3_600_000, 610]);
    // Hours later, it hears of a tenth at once.
    now += 3 * 3_600_000;
    record(part(5, 0, entry(count(61))));
    expect(opened.alarm).toBe(now);
    await nextAlarm();
    expect(numbers()).toBe(671);
    expect(opened.alarm).toBe(opened.account().alarm);
  });

  test("a report that D1 rejects is repeated, without the daily work", async () => {
    record(part(1, 0, entry(count(100))));
    d1Fails = true;
    await nextAlarm();
    expect(opened.alarm).toBe(now + 600_000);
    d1Fails = false;
    await nextAlarm();
    expect(reported).toHaveLength(1);
  });

  test("days older than 13 months become months", async () => {
    const counts = [
      count(5, 1, { day: "2024-11-30" }),
      count(2, 0, { day: "2024-11-02" }),
      count(1, 0, { day: "2024-12-01" }),
    ];
    record(part(1, 0, entry(...counts)));
    await nextDay();
    expect(opened.query("SELECT day, successful, failed FROM usage").map((row) => Object.values(row))).toStrictEqual([
      ["2024-11", 7, 1],
      ["2024-12-01", 1, 0],
    ]);
    expect(total()).toBe(9);
  });

  test("an idle ledger sleeps, and wakes up with the next part", async () => {
    record(part(1));
    for (let day = 0; day < 20; day++) await nextDay();
    const asleep = opened.alarm!;
    expect(asleep).toBeLessThanOrEqual(now);
    now += DAY_MS;
    record(part(1, 1, { isolate: `${now.toString(36)}.c` }));
    expect(opened.account().alarm).toBeGreaterThan(now);
  });

  test("an alarm that the platform gave up on is set again", async () => {
    record(part(1));
    now = opened.alarm! + 3_600_001;
    record(part(2));
    expect(opened.alarm).toBeGreaterThan(now);
  });
});

test("D1 learns of a ledger once, and again after a restore to an earlier time", async () => {
  record(part(1));
  await opened.settled();
  expect(meteredAt).toBe(NOON);
  now += 1;
  record(part(2));
  await opened.settled();
  expect(meteredAt).toBe(NOON);
  meteredAt = null;
  await nextAlarm();
  expect(meteredAt).toBe(now);
});

describe("an erased ledger", () => {
  test("is empty, and ignores late counts for 30 days", async () => {
    record(part(1, 5));
    await opened.ledger.erase();
    for (const _ of [1, 2]) {
      record(part(2));
      expect(opened.ledger.record(part(3), { enforce: true })).toMatchObject({ refusedBy: null });
      expect(total()).toBe(0);
      expect(opened.ledger.keys("2026-01", [])).toStrictEqual({ lastUsed: {}, used: {} });
      await opened.settled();
      opened.restart();
    }
    expect(opened.alarm).toBe(NOON + 30 * DAY_MS);
    await nextAlarm();
    expect(opened.query("SELECT name FROM sqlite_master WHERE type = 'table'")).toStrictEqual([]);
  });

  test("can be used again after those, also if only reports read it", async () => {
    const reads = [
      () => total(),
      () => opened.ledger.summary(EVER).keys.length,
      () => opened.ledger.keyDays(EVER).length,
      () => opened.ledger.rowsAfter(null).length,
      () => opened.ledger.activity({}).calls.length,
      () => Object.keys(opened.ledger.keys("2026-01", []).lastUsed).length,
      () => opened.ledger.quotaUsed(STARTED),
    ];
    for (const read of reads) {
      await opened.ledger.erase();
      await nextAlarm();
      expect(read()).toBe(0);
    }
    record(part(1));
    expect(total()).toBe(1);
  });

  test("results when the account no longer exists in D1", async () => {
    record(part(1, 5));
    d1Knows = false;
    await nextAlarm();
    expect(total()).toBe(0);
    d1Knows = true;
    record(part(2));
    expect(total()).toBe(0);
  });
});

test("the last use of a key never moves backward", async () => {
  record(part(1), part(2, 1, { at: NOON - 5_000 }));
  expect(opened.ledger.keys("2026-01", []).lastUsed).toStrictEqual({ key_1: NOON });
});

test("a failure midway changes nothing", () => {
  record(part(1));
  const broken = part(2, 0, {
    entries: [
      { counts: [count(5)], uses: [] },
      { counts: null as unknown as Count[], uses: [] },
    ],
  });
  expect(() => record(broken)).toThrow();
  expect(total()).toBe(1);
  record(part(2), part(3));
  expect(total()).toBe(3);
});

test("accounts have separate ledgers", async () => {
  const ledgers = createLedgers({ now: () => now });
  await addUsage({ ledgers }, "usr_1", [{ success: 3 }], { at: now });
  await addUsage({ ledgers }, "usr_2", [{ success: 4 }], { at: now });
  expect((await ledgers.getByName("usr_2").usage(EVER)).days).toMatchObject([{ total: 4 }]);
});

test("its size is in D1 from 100 MB, updated when it changes", async () => {
  for (const [seq, bytes, written] of [
    [1, 99_999_999, []],
    [2, 100_000_000, [100_000_000]],
    [3, 100_000_000, [100_000_000]],
    [4, 200_000_000, [100_000_000, 200_000_000]],
    [5, 50, [100_000_000, 200_000_000, null]],
  ] as const) {
    size = bytes;
    record(part(seq));
    await nextAlarm();
    expect(sizes).toStrictEqual(written);
  }
});
