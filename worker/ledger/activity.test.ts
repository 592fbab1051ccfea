import { beforeEach, describe, expect, test } from "vitest";
import { openLedger, partOf } from "../../test/ledgers.ts";
import type { OpenedLedger } from "../../test/ledgers.ts";
import type { ActivityFilter } from "./activity.ts";
import { createSampling } from "./sampling.ts";
import type { LimitedMinute, Sample } from "./part.ts";

const NOON = Date.UTC(2026, 0, 2, 12);
const MINUTE = NOON / 60_000;

let now: number;
let opened: OpenedLedger;

beforeEach(() => {
  now = NOON;
  opened = openLedger({ now: () => now });
});

function call(at: number, changes: { id?: string; key?: string; status?: number; code?: string | null } = {}): Sample {
  const { id = `req_${at}`, key = "key_1", status = 200, code = null } = changes;
  return [at, id, key, "verify", status, code, "BR", 1, 3, "FRA"];
}

async function record(activity: Sample[], limited: LimitedMinute[] = []): Promise<void> {
  await opened.ledger.record([partOf("usr_1", [], { at: now, activity, limited })]);
}

function ids(filter: ActivityFilter = {}): string[] {
  return opened.ledger.activity(filter).calls.map(([, id]) => id);
}

describe("the ledger's recent calls", () => {
  test("are empty at first", () => {
    expect(opened.ledger.activity({})).toStrictEqual({ calls: [], limited: [], next: null });
  });

  test("are shown newest first, in whatever order they arrive, each once", async () => {
    const part = partOf("usr_1", [], { at: now, activity: [call(NOON - 1_000), call(NOON - 5_000)] });
    await opened.ledger.record([part, part]);
    await record([call(NOON - 3_000)]);
    opened.restart();
    await opened.ledger.record([part]);
    expect(ids()).toStrictEqual([NOON - 1_000, NOON - 3_000, NOON - 5_000].map((at) => `req_${at}`));
  });

  test("from many isolates are one success and one failure per second", async () => {
    const many = Array.from({ length: 40 }, (_, at) => call(NOON + at * 50, { status: at % 2 === 0 ? 200 : 402 }));
    for (const each of many) await record([each]);
    expect(ids({ status: "2xx" })).toHaveLength(2);
    expect(ids({ status: "402" })).toHaveLength(2);
  });

  test("are 500 of each kind, neither evicts the other, and cost one row per 50", async () => {
    const each = (first: number, count: number, changes: { status?: number; code?: string }) =>
      Array.from({ length: count }, (_, more) => call(NOON + (first + more) * 1_000, changes));
    const rejected = { status: 402, code: "QUOTA_EXCEEDED" };
    await record(each(0, 49, rejected));
    for (let at = 100; at < 1_600; at += 50) await record(each(at, 50, {}));
    opened.restart();
    expect(ids({ status: "4xx", limit: Infinity })).toHaveLength(49);
    expect(ids({ status: "2xx", limit: Infinity })).toHaveLength(500);
    expect(ids()[0]).toBe(`req_${NOON + 1_599_000}`);
    for (let at = 1_600; at < 3_100; at += 50) await record(each(at, 50, rejected));
    now += 3_100_000;
    opened.restart();
    expect(ids({ code: "QUOTA_EXCEEDED", limit: Infinity })).toHaveLength(500);
    expect(ids({ status: "2xx", limit: Infinity })).toHaveLength(500);
    expect(opened.query("SELECT count(*) AS rows FROM activity")[0]).toStrictEqual({ rows: 20 });
  });

  test("are paginated without gaps when new ones arrive in between", async () => {
    await record(Array.from({ length: 120 }, (_, at) => call(NOON + at * 1_000)));
    now += 200_000;
    const first = opened.ledger.activity({});
    await record([call(NOON + 150_000)]);
    const second = opened.ledger.activity({ before: first.next! });
    const third = opened.ledger.activity({ before: second.next! });
    expect([first, second, third].map(({ calls }) => calls.length)).toStrictEqual([50, 50, 20]);
    expect(third.next).toBeNull();
    expect(new Set([first, second, third].flatMap(({ calls }) => calls.map(([, id]) => id))).size).toBe(120);
  });

  test("are filtered by key, status, code, request ID, and time", async () => {
    await record([
      call(NOON - 4_000, { id: "req_a" }),
      call(NOON - 3_000, { id: "req_b", key: "key_2", status: 402, code: "QUOTA_EXCEEDED" }),
      call(NOON - 2_000, { id: "req_c", status: 422, code: "IDEMPOTENCY_MISMATCH" }),
      call(NOON - 1_000, { id: "req_d", status: 503, code: "TEMPORARILY_UNAVAILABLE" }),
    ]);
    expect(ids({ keyId: "key_2" })).toStrictEqual(["req_b"]);
    expect(ids({ status: "4xx" })).toStrictEqual(["req_c", "req_b"]);
    expect(ids({ status: "503" })).toStrictEqual(["req_d"]);
    expect(ids({ code: "QUOTA_EXCEEDED" })).toStrictEqual(["req_b"]);
    expect(ids({ requestId: "req_a" })).toStrictEqual(["req_a"]);
    expect(ids({ requestId: "req_" })).toStrictEqual([]);
    expect(ids({ from: NOON - 3_000, to: NOON - 2_000 })).toStrictEqual(["req_c", "req_b"]);
  });

  test("over a rate limit are counted per minute, for the last 120 minutes", async () => {
    await record([], [[MINUTE, 3]]);
    await record(
      [],
      [
        [MINUTE, 2],
        [MINUTE - 1, 4],
      ],
    );
    expect(opened.ledger.activity({}).limited).toStrictEqual([
      [MINUTE, 5],
      [MINUTE - 1, 4],
    ]);
    expect(opened.ledger.activity({ from: NOON }).limited).toStrictEqual([[MINUTE, 5]]);
    await record(
      [],
      Array.from({ length: 200 }, (_, at) => [MINUTE + at, 1]),
    );
    expect(opened.ledger.activity({}).limited).toHaveLength(120);
  });

  test("disappear after 30 days, and then the ledger sleeps", async () => {
    await record(
      Array.from({ length: 150 }, (_, at) => call(NOON + at * 1_000)),
      [[MINUTE, 1]],
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
    await record([call(NOON)]);
    await opened.ledger.erase();
    await record([call(NOON + 1_000)]);
    expect(ids()).toStrictEqual([]);
  });
});

describe("an isolate", () => {
  const noted: { user: string; activity: readonly Sample[]; limited: readonly LimitedMinute[] }[] = [];
  let activity: ReturnType<typeof createSampling>;

  beforeEach(() => {
    noted.length = 0;
    activity = createSampling({
      note: (_, { user }, seen) => void noted.push({ user, ...structuredClone(seen) }),
    });
  });

  function ends(status: number, at: number, user = "usr_1"): boolean {
    const isDue = activity.isDue(user, status, at);
    if (isDue) activity.note({} as never, { user }, call(at, { status }));
    return isDue;
  }

  test("records one success and one failure per second and account", () => {
    const due = [200, 200, 402, 400, 503, 200].map((status, at) => ends(status, NOON + at));
    expect(due).toStrictEqual([true, false, true, false, false, false]);
    expect(ends(200, NOON + 5, "usr_2")).toBe(true);
    expect(ends(200, NOON + 1_000)).toBe(true);
  });

  test("records the first call of a minute over a rate limit, and sends the count of the rest with the next part", () => {
    for (let at = 0; at < 500; at++) ends(429, NOON + at);
    expect(noted).toStrictEqual([{ user: "usr_1", activity: [], limited: [[MINUTE, 1]] }]);
    ends(200, NOON + 2_000);
    expect(noted[1]).toMatchObject({ activity: [call(NOON + 2_000)], limited: [[MINUTE, 499]] });
    ends(429, NOON + 3_000);
    ends(429, NOON + 60_000);
    expect(noted[2]).toMatchObject({
      activity: [],
      limited: [
        [MINUTE, 1],
        [MINUTE + 1, 1],
      ],
    });
  });
});
