import { MAX_BATCH_BODY_BYTES, MAX_BATCH_SIZE, MAX_NUMBER_LENGTH } from "../../../../contract/limits.ts";
import type { SandboxResult, VerificationResult } from "../../../../contract/verification.ts";
import type { BatchCall, BatchItem, BatchOutcome } from "./call-batch.ts";
import { isTooLong } from "./read-list.ts";

/** Bytes for the JSON around the numbers: their name, the country, the brackets. */
const AROUND_BYTES = 256;

function bytesOf(number: string): number {
  // The quotes, the comma and escaped characters are part of it.
  return new TextEncoder().encode(JSON.stringify(number)).length + 1;
}

/**
 * The first of the places whose numbers fit into one call: as many as `most`, and no more bytes than a batch may have. At least one.
 * @param places indexes into `numbers` that are still to be asked
 */
function nextChunk(numbers: readonly string[], places: readonly number[], most = MAX_BATCH_SIZE): number[] {
  const chunk: number[] = [];
  let bytes = AROUND_BYTES;
  for (const place of places.slice(0, most)) {
    bytes += bytesOf(numbers[place] ?? "");
    if (chunk.length > 0 && bytes > MAX_BATCH_BODY_BYTES) break;
    chunk.push(place);
  }
  return chunk;
}

/** What is known about a number. `failed` has no verdict: the sandbox refused it, or it was not sent. */
export type Verdict =
  | { readonly kind: "valid" | "invalid"; readonly result: VerificationResult | SandboxResult }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** The state of a check. `until` is on the injected clock, in milliseconds. */
export type Phase =
  | { readonly name: "running" }
  | { readonly name: "waiting"; readonly reason: "rate-limit" | "connection" | "service"; readonly until: number }
  /** Pausing: the call that is on its way is waited for. */
  | { readonly name: "pausing" }
  | { readonly name: "paused"; readonly reason: "asked" }
  | { readonly name: "paused"; readonly reason: "connection" | "service"; readonly message: string }
  | { readonly name: "stopped"; readonly reason: "quota" | "refused"; readonly message: string }
  | { readonly name: "cancelled" }
  | { readonly name: "done" };

export interface Snapshot {
  readonly phase: Phase;
  /** A verdict for each number, null where there is none yet. */
  readonly verdicts: readonly (Verdict | null)[];
  readonly answered: number;
}

interface RunInput {
  /** Each text once. */
  readonly numbers: readonly string[];
  readonly country: string | undefined;
  readonly key: string;
  /** Begins the Idempotency-Keys; another for each check. */
  readonly id: string;
}

interface RunTools {
  readonly send: (call: BatchCall, signal: AbortSignal) => Promise<BatchOutcome>;
  readonly now: () => number;
  /** Resolves after the milliseconds; rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Run {
  snapshot(): Snapshot;
  /** Calls back after every change. Returns the unsubscription. */
  subscribe(listener: () => void): () => void;
  /** Starts, or resumes after a pause or a stop, with another key if one is given. */
  start(key?: string): void;
  pause(): void;
  /** Ends for good. What is known stays. */
  cancel(): void;
}

/** Seconds before each repetition of a call without a usable response. */
const RETRY_AFTER = [1, 2, 4, 8] as const;

const UNREACHABLE = "The service could not be reached.";

function verdictOf(item: BatchItem): Verdict {
  if ("code" in item) return { kind: "failed", code: item.code, message: item.error };
  return { kind: item.valid ? "valid" : "invalid", result: item };
}

const TOO_LONG: Verdict = {
  kind: "failed",
  code: "NOT_SENT",
  message: `Longer than ${MAX_NUMBER_LENGTH} characters, so it was not sent.`,
};

export function isActive({ name }: Phase): boolean {
  return name === "running" || name === "waiting" || name === "pausing";
}

/** Whether `start` would resume it. */
export function isResumable({ name }: Phase): boolean {
  return name === "paused" || name === "stopped";
}

/** A check of many numbers, one call at a time. Nothing happens before `start`. */
export function createRun(input: RunInput, { send, now, sleep }: RunTools): Run {
  const listeners = new Set<() => void>();
  const verdicts: (Verdict | null)[] = input.numbers.map((number) => (isTooLong(number) ? TOO_LONG : null));
  let open = [...verdicts.keys()].filter((place) => verdicts[place] === null);
  let current: Snapshot = snapshotOf({ name: "paused", reason: "asked" });
  let { key } = input;
  let most = MAX_BATCH_SIZE;
  let serial = 0;
  /** The call that is to be made or repeated. */
  let chunk: { readonly places: readonly number[]; readonly idempotencyKey: string } | null = null;
  let failures = 0;
  /** Ends waiting and begins no further call: a pause, or the end. */
  let ending = new AbortController();
  /** Ends the call that is on its way too. */
  const cancelled = new AbortController();
  let atWork = false;

  function snapshotOf(phase: Phase): Snapshot {
    return { phase, verdicts: [...verdicts], answered: input.numbers.length - open.length };
  }
  function enter(phase: Phase): void {
    current = snapshotOf(phase);
    for (const listener of listeners) listener();
  }

  /** Waits in sight of everybody. False when it was ended before. */
  async function wait(reason: "rate-limit" | "connection" | "service", seconds: number): Promise<boolean> {
    enter({ name: "waiting", reason, until: now() + seconds * 1000 });
    try {
      await sleep(seconds * 1000, ending.signal);
      return true;
    } catch {
      return false;
    }
  }

  function nextCall(): { readonly places: readonly number[]; readonly idempotencyKey: string } {
    serial += 1;
    return { places: nextChunk(input.numbers, open, most), idempotencyKey: `bulk-${input.id}-${serial}` };
  }

  function record(places: readonly number[], results: readonly BatchItem[]): void {
    places.forEach((place, at) => {
      verdicts[place] = verdictOf(results[at]!);
    });
    open = open.slice(places.length);
    chunk = null;
    failures = 0;
  }

  /** Without a usable response: whether to make the same call again. */
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
  async function handle(outcome: BatchOutcome, places: readonly number[]): Promise<boolean> {
    switch (outcome.kind) {
      case "answered":
        record(places, outcome.results);
        if (outcome.limit?.left !== 0 || open.length === 0 || ending.signal.aborted) return true;
        return wait("rate-limit", outcome.limit.seconds);
      case "rate-limited":
        return wait("rate-limit", outcome.seconds);
      case "quota":
        chunk = null;
        if (places.length > 1) {
          // The quota must have room for every number of a call: smaller ones use up what is left of it.
          most = Math.floor(places.length / 2);
          return true;
        }
        enter({ name: "stopped", reason: "quota", message: outcome.message });
        return false;
      case "refused":
        chunk = null;
        enter({ name: "stopped", reason: "refused", message: outcome.message });
        return false;
      case "unavailable":
        return mayRepeat("service", outcome.message, outcome.seconds);
      case "unreachable":
        return mayRepeat("connection", UNREACHABLE, null);
    }
  }

  async function work(): Promise<void> {
    while (open.length > 0 && !ending.signal.aborted) {
      enter({ name: "running" });
      chunk ??= nextCall();
      const { places, idempotencyKey } = chunk;
      const numbers = places.map((place) => input.numbers[place]!);
      const outcome = await send({ numbers, country: input.country, key, idempotencyKey }, cancelled.signal);
      if (!(await handle(outcome, places))) break;
    }
    if (open.length === 0) enter({ name: "done" });
    // A refusal that came in the meantime says more than the pause.
    else if (isActive(current.phase)) enter({ name: "paused", reason: "asked" });
  }

  return {
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(next) {
      if (atWork || !isResumable(current.phase)) return;
      key = next ?? key;
      most = MAX_BATCH_SIZE;
      failures = 0;
      ending = new AbortController();
      atWork = true;
      work()
        .catch((error: unknown) => {
          if (!cancelled.signal.aborted) enter({ name: "paused", reason: "service", message: String(error) });
        })
        .finally(() => {
          atWork = false;
          if (cancelled.signal.aborted && open.length > 0) enter({ name: "cancelled" });
        });
    },
    pause() {
      if (!isActive(current.phase)) return;
      if (current.phase.name === "running") enter({ name: "pausing" });
      ending.abort();
    },
    cancel() {
      if (!isActive(current.phase) && !isResumable(current.phase)) return;
      cancelled.abort();
      ending.abort();
      if (!atWork) enter({ name: "cancelled" });
    },
  };
}
