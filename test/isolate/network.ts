import { afterEach, beforeEach, onTestFailed, vi } from "vitest";
import type { KeyMode } from "../../contract/limits.ts";
import type { Settings } from "../../worker/platform/config.ts";
import type { Bindings } from "../../worker/env.ts";
import { openDatabase } from "../../worker/platform/db.ts";
import type { MailMessage } from "../../worker/mail/email.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { publishKeys } from "../../worker/key-cache/publish.ts";
import { consumeUsage } from "../../worker/ledger/consumer.ts";
import { numbersIn } from "../../worker/ledger/part.ts";
import type { Part, UsageMessage } from "../../worker/ledger/part.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { createSignedIn } from "../factories.ts";
import type { AccountOptions } from "../factories.ts";
import { startWorker } from "../harness.ts";
import type { KvStandIn } from "../kv-stand-in.ts";
import { deliver } from "../queue-batch.ts";
import { createLedgers } from "../ledgers.ts";
import { NOON } from "../usage.ts";
import type { Ledgers } from "../ledgers.ts";
import { setUsage } from "../notices.ts";
import { guardBindings, guardD1, openGate } from "./bindings.ts";
import type { Call, EdgeStore, Faults, Gate } from "./bindings.ts";
import { stopTime, until } from "./clock.ts";
import { openIsolate } from "./isolate.ts";
import type { Isolate } from "./isolate.ts";

/** An isolate of a network, and the calls that left it. */
export interface NetworkIsolate extends Isolate {
  /** Every binding call since this list was last emptied, in order. */
  readonly calls: Call[];
  /** From now on no binding call ever returns or has any effect: the isolate is cut off, or killed. */
  cutOff(): void;
}

export interface Caller {
  readonly userId: string;
  readonly email: string;
  /** Logs in to the account. */
  readonly token: string;
  readonly key: string;
  readonly keyId: string;
}

const NO_FAULTS: Faults = {
  d1: "none",
  kv: "none",
  queue: "none",
  ledger: "none",
  backstop: () => false,
  beforeD1: async () => {},
};

/** A location of the KV stand-in, with the bulk reads that it lacks. */
export function edgeAt(kv: KvStandIn, location: string): EdgeStore {
  const at = kv.at(location);
  async function get(names: string | readonly string[], options: { cacheTtl: number }) {
    if (typeof names === "string") return at.get(names, options);
    const values = await Promise.all(names.map((name) => at.get(name, options)));
    return new Map(names.map((name, index) => [name, values[index]]));
  }
  return { ...at, get } as unknown as EdgeStore;
}

/**
 * A test file's isolates with their backends: a worker's real database and KV, and stand-ins for the platform's queue
 * and limiter. In a test, time advances only as far as requests have to wait; it starts at noon.
 */
export function startNetwork() {
  const worker = startWorker();
  const faults: Faults = { ...NO_FAULTS };
  let messages: UsageMessage[] = [];
  let ledgers: Ledgers;
  const emails: MailMessage[] = [];
  const logs: string[] = [];

  function repair(): void {
    Object.assign(faults, NO_FAULTS);
  }

  beforeEach(() => {
    repair();
    messages = [];
    emails.length = logs.length = 0;
    stopTime(NOON);
    ledgers = createLedgers({
      now: () => Date.now(),
      mail: async (message) => void emails.push(message),
      db: guardD1(
        worker.env.DB,
        openGate([], faults, () => false),
      ),
    });
    for (const level of ["log", "warn", "error"] as const) {
      vi.spyOn(console, level).mockImplementation((line) => void logs.push(String(line)));
    }
    onTestFailed(() => {
      process.stderr.write(`${logs.join("\n")}\n`);
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  function bindings(gate: Gate, kv: EdgeStore): Bindings {
    return guardBindings(
      worker.env,
      { gate, kv, faults, ledgers },
      {
        usage: (body) => void messages.push(body as UsageMessage),
        mail: (body) => void emails.push(body as MailMessage),
      },
    );
  }

  /** A fresh isolate; optionally in a location of a KV stand-in, and with settings. */
  async function isolate(
    options: { readonly kv?: KvStandIn; readonly location?: string; readonly settings?: Settings } = {},
  ): Promise<NetworkIsolate> {
    const { kv, location = "here", settings } = options;
    const calls: Call[] = [];
    let shut = false;
    const gate = openGate(calls, faults, () => shut);
    const edge = kv === undefined ? worker.env.EDGE : edgeAt(kv, location);
    const opened = openIsolate({ ...bindings(gate, edge), ...settings });
    return { ...opened, calls, cutOff: () => (shut = true) };
  }

  /** An account with a key, both unknown to every isolate. */
  async function caller(mode: KeyMode = "live", options: AccountOptions = {}): Promise<Caller> {
    const { id: userId, email, token } = await createSignedIn(worker.db, options);
    const { apiKey: key, id: keyId } = await anotherKey(userId, mode);
    return { userId, email, token, key, keyId };
  }

  function anotherKey(userId: string, mode: KeyMode) {
    return insertApiKey({ db: worker.db, now: Date.now(), userId, mode, name: "test" });
  }

  /** Publishes an account's keys to KV. */
  function publish({ userId }: Pick<Caller, "userId">, kv: EdgeStore = worker.env.EDGE): Promise<void> {
    return publishKeys({ edge: kv, db: worker.db, now: Date.now() }, { userId });
  }

  /** The bindings of the consumer and the schedule, which run in no isolate of a test. */
  function behind(kv: EdgeStore = worker.env.EDGE): Bindings {
    return bindings(
      openGate([], faults, () => false),
      kv,
    );
  }

  /** Delivers the queue's messages to the consumer, this many times. */
  async function consume(times = 1): Promise<void> {
    const queued = messages.map((body, index) => ({ id: `msg_${index}`, body }));
    messages = [];
    const { DB, LEDGER } = behind();
    const consuming = { db: openDatabase(DB), ledgers: LEDGER, now: Date.now(), maxAge: 13 * DAY_MS };
    for (let delivered = 0; delivered < times && queued.length > 0; delivered++) {
      await until(consumeUsage(deliver("checkline-usage", queued).batch, consuming));
    }
  }

  /** An account's total count. */
  async function counted(userId: string): Promise<number> {
    const { days } = ledgers.of(userId).ledger.usage({ first: "", last: "~" });
    return days.reduce((sum, { total }) => sum + total, 0);
  }

  /** The parts in the queue. */
  function parts(): Part[] {
    return messages.flatMap((message) => ("part" in message ? [message.part] : []));
  }

  return {
    worker,
    faults,
    repair,
    isolate,
    caller,
    anotherKey,
    publish,
    behind,
    consume,
    counted,
    emails,
    /** The lines of the log. */
    logs,
    /** How many numbers the queue holds, in total and by account. */
    queued: () => parts().reduce((sum, part) => sum + numbersIn(part), 0),
    parts,
    /** Uses up part of an account's quota. */
    use: (userId: string, used: number) => setUsage({ db: worker.db, env: { LEDGER: ledgers } }, userId, used),
    ledgerOf: (userId: string) => ledgers.of(userId),
  };
}
