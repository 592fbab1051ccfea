import { createLru } from "../../platform/lru.ts";
import { within } from "../../platform/time-limit.ts";
import type { Sleep } from "../../platform/time-limit.ts";

/**
 * Pending questions that are remembered. A killed request's question never ends; forgetting one costs another question.
 */
const MAX_FLIGHTS = 1_000;
/** Followers wait slightly longer than the leader, so they see its timeout. */
const GRACE_MS = 50;
const MAX_JOINS = 2;

interface Flight<Value> {
  readonly answer: Promise<Value>;
  readonly deadline: number;
}

/** A result, and whether this request asked for it. */
export interface Landed<Value> {
  readonly value: Value;
  readonly asked: boolean;
}

/**
 * Concurrent requests for the same key share one question and its result, errors included. A follower has its own time
 * limit: the leader may be killed, and then the next one asks.
 */
export function createSingleFlight<Value>(options: {
  readonly timeout: number;
  readonly now: () => number;
  readonly wait: Sleep;
}) {
  const { timeout, now, wait } = options;
  const flights = createLru<Flight<Value>>(MAX_FLIGHTS);

  async function begin(key: string, ask: () => Promise<Value>): Promise<Landed<Value>> {
    const flight = { answer: within(ask(), timeout, wait), deadline: now() + timeout + GRACE_MS };
    flights.set(key, flight);
    try {
      return { value: await flight.answer, asked: true };
    } finally {
      if (flights.get(key) === flight) flights.delete(key);
    }
  }

  /**
   * @throws TimeLimitError after `timeout` milliseconds, or what `ask` throws.
   */
  return async function share(key: string, ask: () => Promise<Value>): Promise<Landed<Value>> {
    for (let joined = 0; joined < MAX_JOINS; joined++) {
      const flight = flights.get(key);
      const left = flight === undefined ? 0 : flight.deadline - now();
      if (flight === undefined || left <= 0) break;
      // Distinct from the leader's own timeout, which is a result too.
      const overdue = Symbol("overdue");
      const value = await Promise.race([flight.answer, wait(left).then(() => overdue)]);
      if (value !== overdue) return { value: value as Value, asked: false };
    }
    return begin(key, ask);
  };
}
