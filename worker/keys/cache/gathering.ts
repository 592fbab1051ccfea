import { within } from "../../platform/time-limit.ts";
import type { Sleep } from "../../platform/time-limit.ts";
import type { Landed } from "./single-flight.ts";

/** How long to gather questions, in milliseconds. */
export const GATHER_MS = 5_000;
/** The most questions sent together. */
const MAX_GATHERED = 1_000;
/** Followers wait slightly longer, so they see the leader's timeout. */
const GRACE_MS = 50;

interface Gathered<Value> {
  readonly keys: Set<string>;
  readonly closesAt: number;
  readonly values: Promise<ReadonlyMap<string, Value>>;
}

/**
 * Batches background questions of many requests into one. The first request asks for everyone who joins before the time
 * is up. If it is killed, its batch is lost: followers time out, and the next question starts a new batch.
 */
export function createGathering<Value>(options: {
  readonly timeout: number;
  readonly now: () => number;
  readonly wait: Sleep;
}) {
  const { timeout, now, wait } = options;
  let open: Gathered<Value> | null = null;

  function begin(ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>): Gathered<Value> {
    const keys = new Set<string>();
    async function askLater(): Promise<ReadonlyMap<string, Value>> {
      await wait(GATHER_MS);
      if (open?.keys === keys) open = null;
      return within(ask([...keys]), timeout, wait);
    }
    return { keys, closesAt: now() + GATHER_MS, values: askLater() };
  }

  /**
   * @returns the value of a key, and whether this was the first request of the batch for it
   * @throws TimeLimitError, or what `ask` throws
   */
  return async function gather(
    key: string,
    ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Landed<Value>> {
    if (open === null || now() >= open.closesAt || open.keys.size >= MAX_GATHERED) open = begin(ask);
    const { keys, closesAt, values } = open;
    const asked = !keys.has(key);
    keys.add(key);
    const found = await within(values, closesAt - now() + timeout + GRACE_MS, wait);
    return { value: found.get(key)!, asked };
  };
}
