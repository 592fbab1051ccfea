import { setImmediate as nextTurn } from "node:timers/promises";
import { vi } from "vitest";

/** The step size of virtual time, in milliseconds: the precision of measured waits. */
const STEP_MS = 10;
/** The most steps when just advancing time: more would take minutes of CPU time. */
const MOST_STEPS = 1_000;
/** Event loop turns in which everything settles that doesn't wait for a binding: bodies, signatures, promises. */
const TURNS = 8;

/** Pending calls to the real database and KV. Time is frozen during them, since their real speed is irrelevant. */
const outside = new Set<Promise<unknown>>();

/** Freezes this process's clock and timers at a time, in milliseconds since the Unix epoch. */
export function stopTime(at: number): void {
  vi.useFakeTimers({ now: at, toFake: ["Date", "setTimeout", "clearTimeout"] });
}

/** Freezes time while this work runs. */
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

/** Advances time by this many milliseconds. */
export async function pass(ms: number): Promise<void> {
  const end = Date.now() + ms;
  const step = Math.max(STEP_MS, ms / MOST_STEPS);
  await rest();
  while (Date.now() < end) {
    vi.advanceTimersByTime(Math.min(step, end - Date.now()));
    await rest();
  }
}

/** Skips a time in which nothing should happen: due timers fire late, as after a pause. */
export function skip(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/**
 * The outcome of some work, advancing time as needed.
 * @throws when it does not settle within this many milliseconds
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
