import { eq } from "drizzle-orm";
import { afterEach, beforeEach, onTestFailed, vi } from "vitest";
import { usageDaily } from "../../schema.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { Settings } from "../../worker/platform/config.ts";
import type { Bindings } from "../../worker/env.ts";
import type { MailMessage } from "../../worker/mail/messages.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { consumeUsage } from "../../worker/usage/consumer.ts";
import type { UsageEvent, UsageMessage } from "../../worker/usage/event.ts";
import { createSignedIn } from "../factories.ts";
import type { AccountOptions } from "../factories.ts";
import { startWorker } from "../harness.ts";
import type { KvStandIn } from "../kv-stand-in.ts";
import { deliver } from "../queue-batch.ts";
import { NOON } from "../usage-events.ts";
import { guardBindings, openGate } from "./bindings.ts";
import type { Call, EdgeStore, Faults, Gate } from "./bindings.ts";
import { stopTime } from "./clock.ts";
import { openIsolate } from "./isolate.ts";
import type { Isolate } from "./isolate.ts";

/** An isolate of a network, and what left it. */
export interface NetworkIsolate extends Isolate {
  /** Every call of a binding since this list was last emptied, in order. */
  readonly calls: Call[];
  /** From now on no call of a binding ever returns, or has any effect: the isolate is cut off, or killed. */
  cutOff(): void;
}

export interface Caller {
  readonly userId: string;
  readonly email: string;
  /** Signs in to the account. */
  readonly token: string;
  readonly key: string;
  readonly keyId: string;
}

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
 * Isolates of a test file, with what is behind them: the real database and KV of a worker, a queue and a limiter that stand in for
 * the platform's. In a test time passes only as far as requests have to wait; it begins at noon.
 */
export function startNetwork() {
  const worker = startWorker();
  const faults: Faults = { d1: "none", kv: "none", queue: "none", backstop: () => false };
  let messages: UsageMessage[] = [];
  const mails: MailMessage[] = [];
  const logs: string[] = [];

  function repair(): void {
    Object.assign(faults, { d1: "none", kv: "none", queue: "none", backstop: () => false });
  }

  beforeEach(() => {
    repair();
    messages = [];
    mails.length = logs.length = 0;
    stopTime(NOON);
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
      { gate, kv, faults },
      {
        usage: (body) => void messages.push(body as UsageMessage),
        mail: (body) => void mails.push(body as MailMessage),
      },
    );
  }

  /** A fresh isolate; with a KV stand-in, in a location of it; with settings, under those. */
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

  /** An account with a key, neither of which any isolate has seen. */
  async function caller(mode: KeyMode = "live", options: AccountOptions = {}): Promise<Caller> {
    const { id: userId, email, token } = await createSignedIn(worker.db, options);
    const { apiKey: key, id: keyId } = await anotherKey(userId, mode);
    return { userId, email, token, key, keyId };
  }

  function anotherKey(userId: string, mode: KeyMode) {
    return insertApiKey({ db: worker.db, now: Date.now(), userId, mode, name: "test" });
  }

  /** What the consumer and the schedule have, which run in no isolate of a test. */
  function behind(kv: EdgeStore = worker.env.EDGE): Bindings {
    return bindings(
      openGate([], faults, () => false),
      kv,
    );
  }

  /** Hands over to the consumer what the queue has, so many times. */
  async function consume(onCharged?: (userIds: readonly string[]) => Promise<void>, times = 1): Promise<void> {
    const letters = messages.map((body, index) => ({ id: `msg_${index}`, body }));
    messages = [];
    for (let delivered = 0; delivered < times && letters.length > 0; delivered++) {
      const { batch } = deliver("checkline-usage", letters);
      await consumeUsage(batch, behind(), Date.now(), onCharged);
    }
  }

  /** What is counted of an account, in all. */
  async function counted(userId: string): Promise<number> {
    const rows = await worker.db.select().from(usageDaily).where(eq(usageDaily.userId, userId));
    return rows.reduce((total, { count }) => total + count, 0);
  }

  return {
    worker,
    faults,
    repair,
    isolate,
    caller,
    anotherKey,
    behind,
    consume,
    counted,
    mails,
    /** The lines of the log. */
    logs,
    /** The events that the queue holds. */
    queued: (): UsageEvent[] => messages.flatMap(({ events }) => events),
  };
}
