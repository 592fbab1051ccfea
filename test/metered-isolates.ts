import { AsyncLocalStorage } from "node:async_hooks";
import { createMeter } from "../worker/ledger/meter.ts";
import type { Admission, MeterRequest } from "../worker/ledger/meter.ts";
import { quotaUse } from "../worker/ledger/part.ts";
import type { LedgerStub } from "../worker/ledger/namespace.ts";
import type { Entry, KeyedCall, Part, Sample, UsageMessage } from "../worker/ledger/part.ts";
import { createLedgers } from "./ledgers.ts";
import { countOf, NOON } from "./usage.ts";
import { createVirtualTime } from "./virtual-time.ts";

/** A request of an isolate. Once it is killed, nothing that it awaits ever settles. */
export interface MadeRequest {
  killed: boolean;
  /** Whether all its background work is done. */
  finished: boolean;
}

/** When the accounts' subscriptions started. */
export const STARTED = NOON - 86_400_000;

/** An entry of a call with this many successful numbers, against a quota if there is one. */
export function entryOf(numbers: number, options: { quota?: number; call?: KeyedCall } = {}): Entry {
  const { quota, call } = options;
  const uses = quota === undefined ? [] : [quotaUse(STARTED, numbers, quota)];
  return { counts: [countOf(numbers, 0, { startedAt: STARTED })], uses, ...(call && { call }) };
}

/** The call under an Idempotency-Key. */
export function callOf(name: string): KeyedCall {
  return { id: name.padStart(24, "0"), hours: 48 };
}

/** A call for the dashboard. */
export function sampleOf(at: number, changes: Partial<Sample> = {}): Sample {
  const call = { at, request_id: `req_${at}`, key_id: "key_1", operation: "verify", status: 200, code: null };
  const sent = { mode: "live" as const, numbers: 1, fields: ["number"] };
  return { ...call, ...sent, country: "BR", duration_ms: 3, data_center: "FRA", ...changes };
}

/** How ledgers and queue respond: a silent one does its work without responding, a slow one takes 0.6 s. */
type Fault = "none" | "down" | "hangs" | "silent" | "slow";

/** Real meters and ledgers in virtual time, with requests that can be killed. */
export function createMeteredIsolates() {
  const time = createVirtualTime(NOON);
  const context = new AsyncLocalStorage<MadeRequest>();
  const faults: { ledger: Fault; queue: Fault } = { ledger: "none", queue: "none" };
  const recorded: Part[] = [];
  const queued: Part[] = [];

  async function whileAlive<Value>(work: Promise<Value>): Promise<Value> {
    const request = context.getStore();
    const value = await work;
    if (request?.killed === true) await new Promise(() => {});
    return value;
  }

  async function suffer<Value>(part: keyof typeof faults, run: () => Value | Promise<Value>): Promise<Value> {
    const fault = faults[part];
    if (fault === "down") throw new Error(`The ${part} is down`);
    if (fault === "hangs") await new Promise(() => {});
    await time.sleep(fault === "slow" ? 590 : 10);
    const value = await run();
    if (fault === "silent") await new Promise(() => {});
    await time.sleep(10);
    return value;
  }

  const ledgers = createLedgers({ now: time.now }, (_, run) => whileAlive(suffer("ledger", run)));
  const reached = {
    getByName: (user: string): LedgerStub => {
      const ledger = ledgers.getByName(user);
      function record(part: Part, options?: { enforce?: boolean }) {
        recorded.push(part);
        return ledger.record(part, options);
      }
      return { record } as LedgerStub;
    },
  };

  function isolate() {
    const meter = createMeter({ now: time.now, sleep: (ms) => whileAlive(time.sleep(ms)) });

    /** Runs a request: what it does with the meter, and its background work. */
    function request<Value>(run: (borrowed: MeterRequest) => Value): MadeRequest & { readonly value: Value } {
      const made: MadeRequest = { killed: false, finished: false };
      const work: Promise<unknown>[] = [];
      const borrowed: MeterRequest = {
        ledgers: reached,
        queue: {
          send: (message: UsageMessage) =>
            whileAlive(suffer("queue", () => void ("part" in message && queued.push(message.part)))) as Promise<never>,
        },
        waitUntil: (promise) => void work.push(promise),
      };
      const value = context.run(made, () => run(borrowed));
      async function finish(): Promise<void> {
        await value;
        for (const each of work) await each;
        made.finished = true;
      }
      void finish();
      return Object.assign(made, { value });
    }

    /** Begins a call with limits. Its outcome comes as time passes. */
    function begin(entry: Entry, user = "usr_1"): Promise<Admission> {
      return request((borrowed) => meter.admit(borrowed, { user }, entry)).value;
    }

    return {
      request,
      begin,
      /** Counts a call behind its response. */
      add: (entry: Entry, user = "usr_1") => request((borrowed) => meter.add(borrowed, { user, near: "weur" }, entry)),
      /** Adds a call to the activity. */
      note: (sample: Sample, user = "usr_1") => request((borrowed) => meter.note(borrowed, { user }, sample)),
      /** The outcome of a call with limits. Time passes until it comes. */
      async admit(entry: Entry, user?: string) {
        const value = begin(entry, user);
        const reply = { settled: false };
        void value.then(() => (reply.settled = true));
        while (!reply.settled) await time.pass(10);
        return value;
      },
    };
  }

  return {
    time,
    faults,
    isolate,
    ledgers,
    /** The parts of every call to a ledger, and of every message that the queue has. */
    recorded,
    queued,
    /** How many numbers an account's ledger has counted. */
    counted(user = "usr_1"): number {
      const { days } = ledgers.of(user).ledger.usage({ first: "", last: "~" });
      return days.reduce((sum, { total }) => sum + total, 0);
    },
  };
}
