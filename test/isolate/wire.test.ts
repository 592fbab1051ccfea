import * as v from "valibot";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { version } from "../../package.json";
import type { Ledger, Recorded } from "../../worker/ledger/ledger.ts";
import { createMeter } from "../../worker/ledger/meter.ts";
import type { LedgerNamespace } from "../../worker/ledger/namespace.ts";
import { capUse, quotaUse, testUse, UsageMessageSchema } from "../../worker/ledger/part.ts";
import type { Entry, Part, UsageMessage } from "../../worker/ledger/part.ts";
import { openLedger } from "../ledgers.ts";
import { countOf, NOON, partOf } from "../usage.ts";
import type { StoredTable } from "../ledgers.ts";
import { sampleOf } from "../metered-isolates.ts";
import { send } from "../requests.ts";
import { createVirtualTime } from "../virtual-time.ts";
import { openIsolate } from "./isolate.ts";
import { startNetwork } from "./network.ts";
import type { Caller } from "./network.ts";
import { readAll } from "./reads.ts";

const FOLDER = join(import.meta.dirname, "../../worker/ledger/wire");

interface RecordedCall {
  readonly method: string;
  readonly args: unknown[];
  readonly reply?: unknown;
}

/** What a ledger stored, and what it was then asked and replied: a line for each table and call. */
const RECORDINGS = readdirSync(FOLDER).map((file) => {
  const lines = readFileSync(join(FOLDER, file), "utf8").trim().split("\n");
  const all = lines.map((line) => JSON.parse(line) as StoredTable | RecordedCall);
  const calls = all.filter((line) => "method" in line);
  return { release: file.replace(".jsonl", ""), tables: all.filter((line) => "table" in line), calls };
});

const PERIOD = { mode: "live", key: "key_1", first: "2026-01-01", last: "2026-01-02" } as const;
const COUNTS = ["BR", "US"].map((country) => countOf(2, 1, { day: "2026-01-02", country }));

function part(isolate: number, seq: number, changes: Partial<Part> = {}): Part {
  return partOf("usr_1", COUNTS, { isolate: `${(NOON - 1000).toString(36)}.i${isolate}`, seq, at: NOON, ...changes });
}

/** A call with an Idempotency-Key. */
function keyed(name: number, counts: Entry["counts"] = []): Entry {
  const start = [...String(name).padStart(4, "0")].toReversed().join("");
  return { call: { id: start.padEnd(24, "a"), alias: start.padEnd(24, "b"), hours: 48 }, counts, uses: [] };
}

/** Cuts lists, and maps of more entries than an account's row has fields, to the first two. */
function cut(_: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2) as unknown[];
  if (typeof value !== "object" || value === null || Object.keys(value).length < 40) return value;
  return Object.fromEntries(Object.entries(value).slice(0, 2));
}

/** The storage of an account with more isolates, calls, and activity than its row holds, and a few of each. */
function tablesOf(): StoredTable[] {
  const opened = openLedger({ now: () => NOON });
  const activity = Array.from({ length: 51 }, (_, at) => sampleOf(NOON - at * 1_000, { status: at < 50 ? 200 : 500 }));
  for (let at = 0; at <= 500; at++) opened.ledger.record(part(at, 1));
  opened.ledger.record(part(0, 2, { entries: Array.from({ length: 4_001 }, (_, at) => keyed(at)), activity }));
  const tables = opened.stored().map(({ rows, ...table }) => ({ ...table, rows: rows.slice(0, 2) }));
  const text = JSON.stringify(tables, (name, value: unknown) =>
    name === "body" || name === "samples" ? JSON.stringify(JSON.parse(value as string, cut)) : value,
  );
  return JSON.parse(text) as StoredTable[];
}

async function call(ledger: Ledger, method: string, args: unknown[]): Promise<RecordedCall> {
  const reply = await (ledger[method as keyof Ledger] as (...values: unknown[]) => unknown)(...structuredClone(args));
  return { method, args, reply };
}

test("the wire of this release is as recorded", async () => {
  const tables = tablesOf();
  const { ledger } = openLedger({ now: () => NOON, tables });
  const stored = String(tables.find(({ table }) => table === "calls")!.rows[0]!["ids"]).slice(0, 24);
  const repeated = { call: { id: stored, hours: 48 }, counts: COUNTS, uses: [] };
  const uses = [quotaUse(1, 4, 9_000), capUse("key_1", "2026-01", 4, 9_000), testUse("2026-01-02", 4, 9_000)];
  const limited = [{ minute: NOON / 60_000, calls: 2 }];
  const entries = [{ counts: COUNTS, uses }, keyed(9_000, COUNTS), repeated];
  const all = part(1, 2, { near: "weur", entries, activity: [sampleOf(NOON)], limited });
  const row = { period: PERIOD.last, key_id: "key_1", mode: "live", country_code: "BR", successful: 0, failed: 0 };
  const asked: [string, ...unknown[]][] = [
    ["record", part(1, 1)],
    ["record", all],
    ["record", all],
    ["record", part(1, 3, { entries: [{ counts: COUNTS, uses }] }), { enforce: true }],
    ["record", part(1, 4, { entries: [{ counts: COUNTS, uses: [quotaUse(1, 4, 5)] }] }), { enforce: true }],
    ["usage", PERIOD],
    ["summary", { mode: "live", first: PERIOD.first }],
    ["keyDays", PERIOD],
    ["rowsAfter", null],
    ["rowsAfter", row],
    ["rowsAfter", { ...row, country_code: "US" }],
    ["activity", {}],
    ["activity", { key_id: "k", request_id: "r", status: "2xx", code: "A", from: 0, to: 1, before: "~", limit: 5 }],
    ["quotaUsed", 1],
    ["keys", "2026-01", ["key_1", "key_2"]],
    ["erase"],
  ];
  const calls: RecordedCall[] = [];
  for (const [method, ...args] of asked) calls.push(await call(ledger, method, args));
  const lines = [...tables, ...calls].map((line) => `${JSON.stringify(line)}\n`);
  await expect(lines.join("")).toMatchFileSnapshot(join(FOLDER, `${version}.jsonl`));
});

/** A value as another release sees it: with the fields that any of its own has, except in maps by limit, key, or chain. */
function asKnown<Seen>(value: Seen, known: readonly unknown[], dropped: Set<string>): Seen {
  if (Array.isArray(value)) return value.map((each: unknown) => asKnown(each, known.flat(), dropped)) as Seen;
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
    const own = known.flatMap((each) => (Object.hasOwn(Object(each) as object, name) ? [(each as never)[name]] : []));
    if (own.length === 0 && field !== undefined) dropped.add(name);
    if (own.length === 0) return [];
    return [[name, /^(lastU|u)sed$/.test(name) ? field : asKnown(field, own, dropped)] as const];
  });
  return Object.fromEntries(fields) as Seen;
}

type Ask = (...args: unknown[]) => Promise<unknown>;

describe.each(RECORDINGS)("the wire of $release", ({ release, tables, calls }) => {
  const network = startNetwork();
  let caller: Caller;

  beforeEach(async () => {
    caller = await network.caller("live");
    await network.worker.env.DB.exec("UPDATE api_keys SET monthly_cap = 1000");
    await network.use(caller.userId, 5);
  });

  /** Makes every call that reaches a ledger. @returns the statuses */
  async function serve(respond: (ask: Ask, method: string, ...args: unknown[]) => Promise<unknown>) {
    const { LEDGER, ...env } = network.behind();
    const getByName: LedgerNamespace["getByName"] = (user) =>
      new Proxy(LEDGER.getByName(user), {
        get: (target, method: string) => respond.bind(null, Reflect.get(target, method) as Ask, method),
      });
    const isolate = openIsolate({ ...env, LEDGER: { getByName } });
    const statuses = Object.values(await readAll(isolate, caller));
    const csv = send("GET", caller.token, undefined, { Accept: "text/csv" });
    statuses.push((await isolate.fetch("/api/v1/account/reports/usage?by=key", csv)).status);
    await isolate.settled();
    expect(network.queued()).toBe(0);
    statuses.push((await isolate.fetch("/api/v1/account", send("DELETE", caller.token))).status);
    return new Set(statuses);
  }

  test("is accepted by this ledger, with what it stored", async () => {
    const { ledger } = openLedger({ now: () => NOON, tables });
    for (const recorded of calls) {
      expect(await call(ledger, recorded.method, recorded.args)).toMatchObject(recorded);
    }
  });

  test("is accepted by this meter", async () => {
    for (const { args, reply } of calls.filter(({ method }) => method === "record")) {
      v.parse(UsageMessageSchema, { part: args[0] });
      const [{ entries }, options] = args as [Part, object?];
      const queued: UsageMessage[] = [];
      const ledgers = { getByName: () => ({ record: async () => reply }) } as unknown as LedgerNamespace;
      const queue = { send: async (message: UsageMessage) => void queued.push(message) } as never;
      const request = { ledgers, queue, waitUntil: () => {} };
      const time = createVirtualTime(NOON);
      const meter = createMeter(time);
      for (const entry of entries) meter.add(request, { user: "usr_1" }, entry);
      await time.pass(5_000);
      expect(queued).toStrictEqual([]);
      if (options === undefined) continue;
      const outcome = (reply as Recorded).refusedBy === null ? "admitted" : "refused";
      expect(await meter.admit(request, { user: "usr_1" }, entries[0]!)).toMatchObject({ outcome });
    }
  });

  test("is accepted by this worker's reports, quotas, and lists of keys", async () => {
    const replies = Map.groupBy(calls, ({ method }) => method);
    const statuses = await serve(async (ask, method, ...args) => {
      if (method === "record" || method === "erase") return ask(...args);
      const left = replies.get(method)!;
      return (left.length > 1 ? left.shift()! : left[0]!).reply;
    });
    expect(statuses).toStrictEqual(new Set([200, 204]));
  });

  test("is enough for every operation: such a ledger rejects other methods, and drops other fields", async () => {
    const reached = new Set<string>();
    const dropped = new Set<string>();
    const statuses = await serve(async (ask, method, ...args) => {
      reached.add(method);
      const known = calls.filter((each) => each.method === method);
      if (known.length === 0) throw new TypeError(`The RPC receiver does not implement the method "${method}".`);
      const { args: given } = asKnown({ args }, known, dropped);
      return asKnown({ reply: await ask(...given) }, known, dropped).reply;
    });
    expect(statuses).toStrictEqual(new Set([200, 204]));
    expect(new Set(calls.map(({ method }) => method))).toStrictEqual(reached);
    if (release === version) expect([...dropped]).toStrictEqual([]);
  });
});
