import { AsyncLocalStorage } from "node:async_hooks";
import type { UsageEvent, UsageMessage } from "../worker/usage/event.ts";
import { createUsageRecorder } from "../worker/usage/recorder.ts";
import type { RecordingRequest } from "../worker/usage/recorder.ts";
import { usageEvent } from "./usage-events.ts";

interface Request {
  killed: boolean;
  finished: boolean;
}

/** How queue and database answer, one call after the other. */
export interface Behaviour {
  /** Milliseconds until the queue has the message; "refuse" fails, "hang" never answers. */
  queue(): number | "refuse" | "hang";
  /** Whether the database fails. */
  storeFails?(): boolean;
}

/**
 * A recorder for tests, in an isolate whose time passes only when told and whose requests can be killed. As on the platform, nothing
 * that a killed request waits for ever settles, be it a timer or a send; what it had sent may have arrived.
 */
export function simulateIsolate(behaviour: Behaviour) {
  const context = new AsyncLocalStorage<Request>();
  const timers: { readonly at: number; readonly owner: Request | undefined; fire(): void }[] = [];
  const sent: UsageMessage[] = [];
  const stored: (readonly UsageEvent[])[] = [];
  let now = 0;

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      timers.push({ at: now + ms, owner: context.getStore(), fire: resolve });
    });
  }

  async function send(message: UsageMessage): Promise<never> {
    const answer = behaviour.queue();
    if (answer === "refuse") throw new Error("Queue send failed: Too Many Requests");
    if (answer === "hang") await new Promise(() => {});
    // It arrives half-way: a request killed after that has sent without learning of it.
    await sleep((answer as number) / 2);
    sent.push(structuredClone(message));
    await sleep((answer as number) / 2);
    return undefined as never;
  }

  const recordUsage = createUsageRecorder({
    sleep,
    now: () => now,
    store: async (_, events) => {
      await sleep(5);
      if (behaviour.storeFails?.()) throw new Error("D1_ERROR: Network connection lost");
      stored.push([...events]);
    },
  });

  /** Lets time pass, timer by timer. */
  async function pass(ms: number): Promise<void> {
    const until = now + ms;
    for (;;) {
      // All promises that can settle without time passing do.
      await new Promise((resolve) => setImmediate(resolve));
      timers.sort((a, b) => a.at - b.at);
      if (timers[0] === undefined || timers[0].at > until) break;
      const { at, owner, fire } = timers.shift()!;
      now = at;
      if (owner?.killed !== true) fire();
    }
    now = until;
  }

  /** A request that records these events. */
  function request(...ids: string[]): Request {
    const made: Request = { killed: false, finished: false };
    const work: Promise<unknown>[] = [];
    const lent: RecordingRequest = {
      queue: { send },
      db: {} as RecordingRequest["db"],
      waitUntil: (promise) => work.push(promise),
    };
    context.run(made, () =>
      recordUsage(
        lent,
        ids.map((id) => usageEvent({ id })),
      ),
    );
    void finish(made, work);
    return made;
  }

  async function finish(made: Request, work: Promise<unknown>[]): Promise<void> {
    await Promise.all(work);
    made.finished = true;
  }

  /** Kills a request when so many milliseconds have passed. */
  function killAfter(made: Request, ms: number): void {
    timers.push({ at: now + ms, owner: undefined, fire: () => (made.killed = true) });
  }

  return {
    request,
    pass,
    killAfter,
    sent,
    stored,
    /** The ids that have arrived anywhere, sorted, each once. */
    arrived: () =>
      [...new Set([...sent.flatMap(({ events }) => events), ...stored.flat()].map(({ id }) => id))].toSorted(),
  };
}
