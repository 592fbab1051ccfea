import { MAX_BATCH_BODY_BYTES, MAX_BATCH_SIZE } from "../contract/limits.ts";
import type { Acceptance, BatchItem } from "../contract/verification.ts";

/** Bytes for the JSON around the numbers: field names, the conditions, the brackets. */
const AROUND_BYTES = 256;

function bytesOf(number: BatchItem): number {
  // Includes the quotes, the comma, and escaped characters.
  return new TextEncoder().encode(JSON.stringify(number)).length + 1;
}

/** The numbers of the next call of a batch: up to `most`, within its size limit in bytes. At least one, if there is one. */
export function nextChunk(numbers: readonly BatchItem[], first: number, most: number): readonly BatchItem[] {
  const chunk: BatchItem[] = [];
  let bytes = AROUND_BYTES;
  for (const number of numbers.slice(first, first + most)) {
    bytes += bytesOf(number);
    if (chunk.length > 0 && bytes > MAX_BATCH_BODY_BYTES) break;
    chunk.push(number);
  }
  return chunk;
}

/** One call of the service. */
export interface Call {
  readonly numbers: readonly BatchItem[];
  readonly conditions: Acceptance;
  /** The same for every retry of a call, so that it is counted once. */
  readonly idempotencyKey: string;
}

/** How a call ended. Waits are in seconds; messages are the service's own. */
export type Outcome =
  | {
      /** Every number has a result. */
      readonly kind: "answered";
      /** Requests left for the account, and seconds until more are available. Null if the response doesn't say. */
      readonly limit: { readonly left: number; readonly seconds: number } | null;
    }
  | { readonly kind: "rate-limited"; readonly seconds: number }
  | { readonly kind: "quota"; readonly message: string }
  /** Retrying won't help: the problem is the session, the account, or the request. */
  | { readonly kind: "rejected"; readonly message: string }
  | { readonly kind: "unavailable"; readonly message: string; readonly seconds: number | null }
  | { readonly kind: "unreachable" };

/** The state of a check. `until` is on the injected clock, in milliseconds. */
export type Phase =
  | { readonly name: "running" }
  | { readonly name: "waiting"; readonly reason: "rate-limit" | "connection" | "service"; readonly until: number }
  /** Pausing: waiting for the pending call. */
  | { readonly name: "pausing" }
  | { readonly name: "paused"; readonly reason: "user" | "reload" }
  | { readonly name: "paused"; readonly reason: "connection" | "service"; readonly message: string }
  | { readonly name: "stopped"; readonly reason: "quota" | "rejected"; readonly message: string }
  | { readonly name: "canceled" }
  | { readonly name: "done" };

export interface Snapshot {
  readonly phase: Phase;
  /** How many numbers have a result: always the first ones. */
  readonly checked: number;
}

interface RunInput {
  /** How many numbers there are, and how many of them have a result already. */
  readonly total: number;
  readonly checked: number;
  /** Which numbers are accepted. */
  readonly conditions: Acceptance;
  /** The prefix of the Idempotency-Keys; different for each check. */
  readonly id: string;
}

interface RunTools<Result> {
  /** The numbers from a position on, at most so many. */
  readonly next: (first: number, most: number) => readonly BatchItem[];
  /** Yields results in order, as they arrive. */
  readonly send: (call: Call, signal: AbortSignal) => AsyncGenerator<readonly Result[], Outcome>;
  /** Stores the results of the next numbers. */
  readonly store: (results: readonly Result[]) => Promise<void>;
  readonly now: () => number;
  /** Resolves after the milliseconds; rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Run {
  snapshot(): Snapshot;
  /** Calls back after every change. Returns the unsubscription. */
  subscribe(listener: () => void): () => void;
  /** Starts, or resumes after a pause or a stop. */
  start(): void;
  pause(): void;
  /** There are more numbers now: what was done can be started again. */
  grow(total: number): void;
  /** Ends for good. Results so far stay. */
  cancel(): void;
}

/** Seconds before each retry of a call without a usable response. */
const RETRY_AFTER = [1, 2, 4, 8] as const;

const UNREACHABLE = "We can’t reach the server.";

export function isActive({ name }: Phase): boolean {
  return name === "running" || name === "waiting" || name === "pausing";
}

/** Whether `start` would resume it. */
export function isResumable({ name }: Phase): boolean {
  return name === "paused" || name === "stopped";
}

function firstPhase({ total, checked }: RunInput): Phase {
  if (checked >= total) return { name: "done" };
  return { name: "paused", reason: checked > 0 ? "reload" : "user" };
}

/** A check of many numbers, one call at a time. Nothing happens before `start`. */
export function createRun<Result>(input: RunInput, { next, send, store, now, sleep }: RunTools<Result>): Run {
  const { conditions, id } = input;
  const listeners = new Set<() => void>();
  let { total, checked } = input;
  let current: Snapshot = { phase: firstPhase(input), checked };
  let most = MAX_BATCH_SIZE;
  let failures = 0;
  /** Ends waiting and starts no further call: a pause, or the end. */
  let ending = new AbortController();
  /** Aborts the pending call too. */
  const canceled = new AbortController();
  let atWork = false;

  function enter(phase: Phase): void {
    current = { phase, checked };
    for (const listener of listeners) listener();
  }

  /** Waits visibly. False if it was ended early. */
  async function wait(reason: "rate-limit" | "connection" | "service", seconds: number): Promise<boolean> {
    enter({ name: "waiting", reason, until: now() + seconds * 1000 });
    try {
      await sleep(seconds * 1000, ending.signal);
      return true;
    } catch {
      return false;
    }
  }

  /** Without a usable response: whether to repeat the call. */
  async function mayRepeat(reason: "connection" | "service", message: string, seconds: number | null) {
    const pause = RETRY_AFTER[failures];
    if (pause === undefined) {
      failures = 0;
      enter({ name: "paused", reason, message });
      return false;
    }
    failures += 1;
    return wait(reason, seconds ?? pause);
  }

  /** Whether to continue after an outcome. If not, the phase says why, or the signal does. */
  async function handle(outcome: Outcome, sent: number): Promise<boolean> {
    switch (outcome.kind) {
      case "answered":
        failures = 0;
        if (outcome.limit?.left !== 0 || checked === total || ending.signal.aborted) return true;
        return wait("rate-limit", outcome.limit.seconds);
      case "rate-limited":
        return wait("rate-limit", outcome.seconds);
      case "quota":
        if (sent > 1) {
          // The quota must have room for every number of a call: smaller calls use up the rest.
          most = Math.floor(sent / 2);
          return true;
        }
        enter({ name: "stopped", reason: "quota", message: outcome.message });
        return false;
      case "rejected":
        enter({ name: "stopped", reason: "rejected", message: outcome.message });
        return false;
      case "unavailable":
        return mayRepeat("service", outcome.message, outcome.seconds);
      case "unreachable":
        return mayRepeat("connection", UNREACHABLE, null);
    }
  }

  /** Sends a call, and stores its results as they arrive. */
  async function call(numbers: readonly BatchItem[]): Promise<Outcome> {
    // By position and size: the same call repeated, even after a reload, is the same call to the service.
    const idempotencyKey = `bulk-${id}-${checked}-${numbers.length}`;
    const sending = send({ numbers, conditions, idempotencyKey }, canceled.signal);
    for (;;) {
      const { done, value } = await sending.next();
      if (done === true) return value;
      await store(value);
      checked += value.length;
    }
  }

  async function work(): Promise<void> {
    while (checked < total && !ending.signal.aborted) {
      enter({ name: "running" });
      const numbers = next(checked, most);
      if (!(await handle(await call(numbers), numbers.length))) break;
    }
    if (checked === total) enter({ name: "done" });
    // A rejection in the meantime is more informative than the pause.
    else if (isActive(current.phase)) enter({ name: "paused", reason: "user" });
  }

  return {
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      if (atWork || !isResumable(current.phase)) return;
      most = MAX_BATCH_SIZE;
      failures = 0;
      ending = new AbortController();
      atWork = true;
      work()
        .catch((error: unknown) => {
          if (canceled.signal.aborted) return;
          enter({ name: "paused", reason: "service", message: error instanceof Error ? error.message : String(error) });
        })
        .finally(() => {
          atWork = false;
          if (canceled.signal.aborted && checked < total) enter({ name: "canceled" });
        });
    },
    pause() {
      if (!isActive(current.phase)) return;
      if (current.phase.name === "running") enter({ name: "pausing" });
      ending.abort();
    },
    grow(more) {
      total = more;
      if (current.phase.name === "done" && checked < total) enter({ name: "paused", reason: "user" });
    },
    cancel() {
      if (!isActive(current.phase) && !isResumable(current.phase)) return;
      canceled.abort();
      ending.abort();
      if (!atWork) enter({ name: "canceled" });
    },
  };
}
