import { AsyncLocalStorage } from "node:async_hooks";
import type { LedgerNamespace, LedgerStub } from "../worker/ledger/namespace.ts";
import type { Part, UsageMessage } from "../worker/ledger/part.ts";
import { createUsageRecorder } from "../worker/ledger/recorder.ts";
import type { RecordingRequest } from "../worker/ledger/recorder.ts";

interface Request {
  killed: boolean;
  finished: boolean;
}

/** How queue and ledgers respond, call by call. */
export interface Behavior {
  /** Milliseconds until the queue has the message; "reject" fails, "hang" never responds. */
  queue(): number | "reject" | "hang";
  /** Whether the ledger fails. */
  ledgerFails?(): boolean;
}

/**
 * A recorder for tests, in an isolate with virtual time whose requests can be killed. As on the platform, nothing that
 * a killed request awaits ever settles, whether a timer or a send; what it sent may have arrived.
 */
export function simulateIsolate(behavior: Behavior) {
  const context = new AsyncLocalStorage<Request>();
  const timers: { readonly at: number; readonly owner: Request | undefined; fire(): void }[] = [];
  const sent: (readonly Part[])[] = [];
  const recorded: Part[] = [];
  let now = 0;

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      timers.push({ at: now + ms, owner: context.getStore(), fire: resolve });
    });
  }

  async function send(message: UsageMessage): Promise<never> {
    const outcome = behavior.queue();
    if (outcome === "reject") throw new Error("Queue send failed: Too Many Requests");
    if (outcome === "hang") await new Promise(() => {});
    // It arrives halfway: a request killed after that has sent without learning of it.
    await sleep((outcome as number) / 2);
    if ("parts" in message) sent.push(structuredClone(message.parts));
    await sleep((outcome as number) / 2);
    return undefined as never;
  }

  async function record(given: readonly Part[]): Promise<number> {
    await sleep(5);
    if (behavior.ledgerFails?.()) throw new Error("Durable Object is overloaded.");
    recorded.push(...structuredClone(given));
    return 0;
  }

  const ledgers: LedgerNamespace = { getByName: () => ({ record }) as unknown as LedgerStub };
  const recorder = createUsageRecorder({ sleep, now: () => now });

  /** Advances time, timer by timer. */
  async function pass(ms: number): Promise<void> {
    const until = now + ms;
    for (;;) {
      // Settles all promises that don't wait for time.
      await new Promise((resolve) => setImmediate(resolve));
      timers.sort((a, b) => a.at - b.at);
      if (timers[0] === undefined || timers[0].at > until) break;
      const { at, owner, fire } = timers.shift()!;
      now = at;
      if (owner?.killed !== true) fire();
    }
    now = until;
  }

  /** A request that records a call under each of these ids, for the account "usr_1" by default. */
  function request(ids: readonly string[], user = "usr_1"): Request {
    const made: Request = { killed: false, finished: false };
    const work: Promise<unknown>[] = [];
    const lent: RecordingRequest = {
      queue: { send: send as RecordingRequest["queue"]["send"] },
      ledgers,
      waitUntil: (promise) => work.push(promise),
    };
    context.run(made, () => {
      for (const id of ids) {
        recorder.record(lent, {
          user,
          counts: [[1, "key_1", "live", "1970-01-01", "BR", 1, 0]],
          call: id === "" ? null : { id, hours: 1 },
        });
      }
    });
    void finish(made, work);
    return made;
  }

  async function finish(made: Request, work: Promise<unknown>[]): Promise<void> {
    await Promise.all(work);
    made.finished = true;
  }

  /** Kills a request after this many milliseconds. */
  function killAfter(made: Request, ms: number): void {
    timers.push({ at: now + ms, owner: undefined, fire: () => (made.killed = true) });
  }

  /** Every part that has arrived anywhere, once. */
  function parts(): Part[] {
    const all = new Map(
      [...sent.flat(), ...recorded].map((part) => [`${part.user} ${part.isolate} ${part.seq}`, part]),
    );
    return [...all.values()];
  }

  return {
    request,
    pass,
    killAfter,
    sent,
    recorded,
    parts,
    /** The ids that have arrived anywhere, sorted: one that is in two parts appears twice. */
    arrived: () =>
      parts()
        .flatMap(({ calls }) => calls.map(({ id }) => id))
        .toSorted(),
  };
}
