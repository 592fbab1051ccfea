import type { D1Database, D1PreparedStatement, KVNamespace, Queue, RateLimit } from "@cloudflare/workers-types";
import type { Bindings } from "../../worker/env.ts";
import type { LedgerNamespace } from "../../worker/ledger/namespace.ts";
import { outsideTime } from "./clock.ts";

/** A call that left an isolate. */
export type Call =
  | "d1"
  | "kv.get"
  | "kv.put"
  | "kv.delete"
  | "queue.send"
  | "mail.send"
  | "backstop"
  | "account backstop"
  | "ledger";

/** The current faults of the parts behind all isolates; a test sets and resets them. */
export interface Faults {
  d1: "none" | "down" | "slow" | "overloaded" | "hangs" | "takes no writes";
  kv: "none" | "down" | "429" | "429 for writes" | "hangs";
  /** A silent queue accepts a message without confirming it. */
  queue: "none" | "rejects" | "hangs" | "silent";
  /** A silent ledger does its work without responding. */
  ledger: "none" | "down" | "hangs" | "silent";
  /** Callers rejected by the platform's own limiters. */
  backstop(key: string): boolean;
  /** What happens right before each statement or batch that the database gets. */
  beforeD1(): Promise<void>;
}

/** Intercepts every call of an isolate: may fail or delay it. `writes` is for queries. */
export type Gate = <Value>(name: Call, run: () => Promise<Value>, writes?: boolean) => Promise<Value>;

/** A slow database's latency, in milliseconds. */
const SLOW_MS = 2_000;

const FAILURES: Readonly<Record<string, string>> = {
  "d1 down": "D1_ERROR: Network connection lost.",
  "d1 overloaded": "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "d1 full": "D1_ERROR: database or disk is full",
  "kv down": "KV failed: 500 Internal Server Error",
  "kv 429": "KV failed: 429 Too Many Requests",
  "queue rejects": "Queue send failed: Too Many Requests",
  "ledger down": "Durable Object reset because its code was updated.",
};

/** Fails, delays, or hangs, according to a part's fault. */
async function applyFault(part: "d1" | "kv" | "queue" | "ledger", faults: Faults): Promise<void> {
  const fault = faults[part];
  if (fault === "hangs") await new Promise(() => {});
  if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  const failure = FAILURES[`${part} ${fault}`];
  if (failure !== undefined) throw new Error(failure);
}

type Execution = "all" | "raw" | "first" | "run";

/** A database whose queries all pass the gate. */
export function guardD1(d1: D1Database, gate: Gate): D1Database {
  const makers = new WeakMap<object, () => D1PreparedStatement>();

  const writing = new WeakSet<object>();

  function guardStatement(make: () => D1PreparedStatement, writes: boolean): D1PreparedStatement {
    function execution(name: Execution) {
      return (...options: never[]) =>
        gate("d1", () => (make()[name] as (...given: never[]) => Promise<unknown>)(...options), writes);
    }
    const guarded = {
      bind: (...values: unknown[]) => guardStatement(() => make().bind(...values), writes),
      all: execution("all"),
      raw: execution("raw"),
      first: execution("first"),
      run: execution("run"),
    } as D1PreparedStatement;
    makers.set(guarded, make);
    if (writes) writing.add(guarded);
    return guarded;
  }

  const guarded: Pick<D1Database, "prepare" | "batch"> = {
    prepare: (query) => guardStatement(() => d1.prepare(query), !/^\s*select/i.test(query)),
    batch: (statements) =>
      gate(
        "d1",
        () => d1.batch(statements.map((statement) => makers.get(statement)!())),
        statements.some((statement) => writing.has(statement)),
      ),
  };
  return guarded as D1Database;
}

/** The part of a KV namespace that the worker uses. */
export type EdgeStore = Pick<KVNamespace, "get" | "put" | "delete" | "list">;

/** A KV namespace whose calls all pass the gate. */
function guardKv(kv: EdgeStore, gate: Gate): KVNamespace {
  const read = kv.get.bind(kv) as (...given: unknown[]) => Promise<unknown>;
  const guarded = {
    get: (...given: unknown[]) => gate("kv.get", () => read(...given)),
    put: (...given: Parameters<EdgeStore["put"]>) => gate("kv.put", () => kv.put(...given)),
    delete: (name: string) => gate("kv.delete", () => kv.delete(name)),
    list: (options: Parameters<EdgeStore["list"]>[0]) => gate("kv.get", () => kv.list(options)),
  };
  return guarded as unknown as KVNamespace;
}

/** A queue that passes on what it accepts. */
function guardQueue<Body>(name: Call, gate: Gate, take: (body: Body) => void): Queue<Body> {
  const guarded = {
    send: (body: Body) =>
      gate(name, async () => {
        take(structuredClone(body));
      }),
    metrics: async () => ({ backlogCount: 0, backlogBytes: 0 }),
  };
  return guarded as unknown as Queue<Body>;
}

/** Ledgers whose calls all pass the gate. */
function guardLedgers(ledgers: LedgerNamespace, gate: Gate): LedgerNamespace {
  return {
    getByName: (user) =>
      new Proxy(ledgers.getByName(user), {
        get(target, name) {
          const call = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
          return (...given: unknown[]) => gate("ledger", () => call(...given));
        },
      }),
  };
}

/** One of a location's platform limiters. */
function guardBackstop(name: Call, gate: Gate, faults: Faults): RateLimit {
  return { limit: ({ key }) => gate(name, async () => ({ success: !faults.backstop(key) })) };
}

/** The bindings of one isolate behind a gate. */
export function guardBindings(
  real: Bindings,
  parts: { readonly gate: Gate; readonly kv: EdgeStore; readonly faults: Faults; readonly ledgers: LedgerNamespace },
  take: { usage(body: unknown): void; mail(body: unknown): void },
): Bindings {
  const { gate, kv, faults, ledgers } = parts;
  return {
    ...real,
    DB: guardD1(real.DB, gate),
    EDGE: guardKv(kv, gate),
    USAGE: guardQueue("queue.send", gate, take.usage),
    MAIL: guardQueue("mail.send", gate, take.mail),
    LEDGER: guardLedgers(ledgers, gate),
    ADDRESS_BACKSTOP: guardBackstop("backstop", gate, faults),
    ACCOUNT_BACKSTOP: guardBackstop("account backstop", gate, faults),
  };
}

/** A gate that records each call, applies faults, and blocks forever once shut. */
export function openGate(calls: Call[], faults: Faults, isShut: () => boolean): Gate {
  const parts: Partial<Record<Call, "d1" | "kv" | "queue" | "ledger">> = {
    d1: "d1",
    "kv.get": "kv",
    "kv.put": "kv",
    "kv.delete": "kv",
    "queue.send": "queue",
    ledger: "ledger",
  };
  const faultOf = (part: "d1" | "kv" | "queue" | "ledger" | undefined) => part && faults[part];
  return async function gate(name, run, writes = false) {
    calls.push(name);
    const part = parts[name];
    if (part !== undefined) await applyFault(part, faults);
    if (part === "d1") await outsideTime(faults.beforeD1());
    if (writes && faults.d1 === "takes no writes") throw new Error(FAILURES["d1 full"]);
    if (name === "kv.put" && faults.kv === "429 for writes") throw new Error(FAILURES["kv 429"]);
    if (isShut()) await new Promise(() => {});
    // A ledger is in this process: only its outside work takes no time.
    const value = await (name === "ledger" ? run() : outsideTime(run()));
    // No response arrives, for example because its request was killed in the meantime.
    if (isShut() || faultOf(part) === "silent") await new Promise(() => {});
    return value;
  };
}
