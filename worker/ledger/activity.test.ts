import { beforeEach, describe, expect, test } from "vitest";
import { openLedger } from "../../test/ledgers.ts";
import { sampleOf } from "../../test/metered-isolates.ts";
import { partOf } from "../../test/usage.ts";
import type { OpenedLedger } from "../../test/ledgers.ts";
import type { ActivityFilter } from "./activity.ts";
import type { Part, Sample } from "./part.ts";

const NOON = Date.UTC(2026, 0, 2, 12);
const MINUTE = NOON / 60_000;

let now: number;
let opened: OpenedLedger;

beforeEach(() => {
  now = NOON;
  opened = openLedger({ now: () => now });
});

interface Changes extends Partial<Pick<Sample, "status" | "code" | "mode" | "duration_ms">> {
  readonly id?: string;
  readonly key?: string;
}

function call(at: number, { id = `req_${at}`, key = "key_1", ...changes }: Changes = {}): Sample {
  return sampleOf(at, { request_id: id, key_id: key, ...changes });
}

function record(activity: Sample[], limited: Part["limited"] = []): void {
  opened.ledger.record(partOf("usr_1", [], { at: now, activity, limited }));
}

function ids(filter: ActivityFilter = {}): string[] {
  return opened.ledger.activity(filter).calls.map(({ request_id: id }) => id);
}

describe("the ledger's recent calls", () => {
  test("are empty at first", () => {
    expect(opened.ledger.activity({})).toStrictEqual({ calls: [], limited: [], next: null });
  });

  test("are shown newest first, in whatever order they arrive, each once", async () => {
    const part = partOf("usr_1", [], { at: now, activity: [call(NOON - 1_000), call(NOON - 5_000)] });
    for (const _ of [1, 2]) opened.ledger.record(part);
    record([call(NOON - 3_000)]);
    opened.restart();
    opened.ledger.record(part);
    expect(ids()).toStrictEqual([NOON - 1_000, NOON - 3_000, NOON - 5_000].map((at) => `req_${at}`));
  });

  test("from many isolates are one success and one failure per second", async () => {
    const many = Array.from({ length: 40 }, (_, at) => call(NOON + at * 50, { status: at % 2 === 0 ? 200 : 402 }));
    for (const each of many) record([each]);
    expect(ids({ status: "2xx" })).toHaveLength(2);
    expect(ids({ status: "402" })).toHaveLength(2);
  });

  test("are 500 of each kind, neither evicts the other, and cost one row per 50", async () => {
    const each = (first: number, count: number, changes: { status?: number; code?: string }) =>
      Array.from({ length: count }, (_, more) => call(NOON + (first + more) * 1_000, changes));
    const rejected = { status: 402, code: "QUOTA_EXCEEDED" };
    record(each(0, 49, rejected));
    for (let at = 100; at < 1_600; at += 50) record(each(at, 50, {}));
    opened.restart();
    expect(ids({ status: "4xx", limit: Infinity })).toHaveLength(49);
    expect(ids({ status: "2xx", limit: Infinity })).toHaveLength(500);
    expect(ids()[0]).toBe(`req_${NOON + 1_599_000}`);
    for (let at = 1_600; at < 3_100; at += 50) record(each(at, 50, rejected));
    now += 3_100_000;
    opened.restart();
    expect(ids({ code: "QUOTA_EXCEEDED", limit: Infinity })).toHaveLength(500);
    expect(ids({ status: "2xx", limit: Infinity })).toHaveLength(500);
    expect(opened.query("SELECT count(*) AS rows FROM activity")[0]).toStrictEqual({ rows: 20 });
  });

  test("are paginated without gaps when new ones arrive in between", async () => {
    record(Array.from({ length: 120 }, (_, at) => call(NOON + at * 1_000)));
    now += 200_000;
    const first = opened.ledger.activity({});
    record([call(NOON + 150_000)]);
    const second = opened.ledger.activity({ before: first.next! });
    const third = opened.ledger.activity({ before: second.next! });
    expect([first, second, third].map(({ calls }) => calls.length)).toStrictEqual([50, 50, 20]);
    expect(third.next).toBeNull();
    expect(new Set([first, second, third].flatMap(({ calls }) => calls.map(({ request_id: id }) => id))).size).toBe(
      120,
    );
  });

  test("are filtered by key, status, code, request ID, and time", async () => {
    record([
      call(NOON - 4_000, { id: "req_a" }),
      call(NOON - 3_000, { id: "req_b", key: "key_2", status: 402, code: "QUOTA_EXCEEDED" }),
      call(NOON - 2_000, { id: "req_c", status: 422, code: "IDEMPOTENCY_MISMATCH" }),
      call(NOON - 1_000, { id: "req_d", status: 503, code: "TEMPORARILY_UNAVAILABLE" }),
    ]);
    expect(ids({ key_id: "key_2" })).toStrictEqual(["req_b"]);
    expect(ids({ status: "4xx" })).toStrictEqual(["req_c", "req_b"]);
    expect(ids({ status: "503" })).toStrictEqual(["req_d"]);
    expect(ids({ code: "QUOTA_EXCEEDED" })).toStrictEqual(["req_b"]);
    expect(ids({ request_id: "req_a" })).toStrictEqual(["req_a"]);
    expect(ids({ request_id: "req_" })).toStrictEqual([]);
    expect(ids({ from: NOON - 3_000, to: NOON - 2_000 })).toStrictEqual(["req_c", "req_b"]);
  });

  test("say how fast 95% were, which error was the most frequent, and what was last, by mode", () => {
    const durations = Array.from({ length: 20 }, (_, at) => call(NOON - at * 1_000, { duration_ms: 20 - at }));
    const errors = ["INVALID_JSON", "VALIDATION_FAILED", "VALIDATION_FAILED", "REJECTED_NETWORK", "REJECTED_NETWORK"];
    const failed = errors.map((code, at) => call(NOON - at * 1_000 - 1, { status: 400, code, mode: "test" }));
    record([...durations, ...failed, call(NOON - 31 * 86_400_000, { code: "INVALID_JSON", mode: "test" })]);
    const { calls: live } = opened.ledger.summary({ mode: "live", first: "" });
    expect(live).toMatchObject({ sampled: 20, p95_ms: 19, top_error: null });
    expect(live.latest.map(({ at }) => NOON - at)).toStrictEqual([0, 1_000, 2_000, 3_000, 4_000]);
    // The sandbox's scenarios are nothing to fix.
    const { calls: tested } = opened.ledger.summary({ mode: "test", first: "" });
    expect(tested).toMatchObject({ sampled: 5, p95_ms: 3, top_error: { code: "VALIDATION_FAILED", count: 2 } });
    expect(opened.ledger.summary({ first: "" }).calls.sampled).toBe(25);
  });

  test("over a rate limit are counted per minute, for the last 120 minutes", async () => {
    const limited = (minute: number, calls: number) => ({ minute, calls });
    record([], [limited(MINUTE, 3)]);
    record([], [limited(MINUTE, 2), limited(MINUTE - 1, 4)]);
    expect(opened.ledger.activity({}).limited).toStrictEqual([limited(MINUTE, 5), limited(MINUTE - 1, 4)]);
    expect(opened.ledger.activity({ from: NOON }).limited).toStrictEqual([limited(MINUTE, 5)]);
    record(
      [],
      Array.from({ length: 200 }, (_, at) => limited(MINUTE + at, 1)),
    );
    expect(opened.ledger.activity({}).limited).toHaveLength(120);
  });

  test("disappear after 30 days, and then the ledger sleeps", async () => {
    record(
      Array.from({ length: 150 }, (_, at) => call(NOON + at * 1_000)),
      [{ minute: MINUTE, calls: 1 }],
    );
    expect(opened.ledger.activity({ limit: Infinity }).calls).toHaveLength(150);
    now = NOON;
    for (let day = 0; day < 33 && opened.alarm! > now; day++) {
      now = opened.alarm!;
      await opened.ledger.alarm();
    }
    expect(opened.ledger.activity({})).toStrictEqual({ calls: [], limited: [], next: null });
    expect(opened.query("SELECT count(*) AS rows FROM activity")[0]).toStrictEqual({ rows: 0 });
    expect(opened.alarm).toBeLessThanOrEqual(now);
  });

  test("are deleted with the account", async () => {
    record([call(NOON)]);
    await opened.ledger.erase();
    record([call(NOON + 1_000)]);
    expect(ids()).toStrictEqual([]);
  });
});
