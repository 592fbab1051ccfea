import { setImmediate as nextTurn } from "node:timers/promises";
import { vi } from "vitest";

/** Time passes in steps of so many milliseconds: how exact the waiting of a request is measured. */
const STEP_MS = 10;
/** The most steps of a time that just passes: more would take minutes of processor time. */
const MOST_STEPS = 1_000;
/** Turns of the event loop in which everything settles that waits for no binding: bodies, signatures, promises. */
const TURNS = 8;

/** Calls of the real database and the real KV that are under way. Time stands still for them, as their real speed is of no account. */
const outside = new Set<Promise<unknown>>();

/** Stops the clock and the timers of this process at a time, in milliseconds since the Unix epoch. */
export function stopTime(at: number): void {
  vi.useFakeTimers({ now: at, toFake: ["Date", "setTimeout", "clearTimeout"] });
}

/** Lets no time pass while this work is under way. */
export async function outsideTime<Value>(work: Promise<Value>): Promise<Value> {
  outside.add(work);
  try {
    return await work;
  } finally {
    outside.delete(work);
  }
}

async function rest(): Promise<void> {
  do {
    await Promise.allSettled(outside);
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  } while (outside.size > 0);
}

/** Lets so many milliseconds pass. */
export async function pass(ms: number): Promise<void> {
  const end = Date.now() + ms;
  const step = Math.max(STEP_MS, ms / MOST_STEPS);
  await rest();
  while (Date.now() < end) {
    vi.advanceTimersByTime(Math.min(step, end - Date.now()));
    await rest();
  }
}

/** Skips a time in which nothing is to happen: timers that were due come late, as after a pause. */
export function skip(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/**
 * The outcome of some work, with as much time passing as it takes.
 * @throws when it does not settle within so many milliseconds
 */
export async function until<Value>(work: Promise<Value>, ms = 120_000): Promise<Value> {
  const outcome = { settled: false };
  const note = () => {
    outcome.settled = true;
  };
  work.then(note, note);
  const end = Date.now() + ms;
  await rest();
  while (!outcome.settled) {
    if (Date.now() >= end) throw new Error(`Nothing came within ${ms} ms`);
    await pass(STEP_MS);
  }
  return work;
}
