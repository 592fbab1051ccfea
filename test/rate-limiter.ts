import { seededRandom } from "./seeded.ts";
import { createVirtualTime } from "./virtual-time.ts";
import type { RateStore } from "../worker/limits/rate/exchange.ts";
import { createRateLimiter } from "../worker/limits/rate/limiter.ts";
import { decodeShard, shardKey, shardOf } from "../worker/limits/rate/shards.ts";

export const REQUESTS = { name: "requests", limit: 160, windowSeconds: 60 };
export const NUMBERS = { name: "numbers", limit: 1_600, windowSeconds: 60 };
/** A sixteenth of the limit: a client with this many is still quiet. */
export const QUIET = 10;
export const ISOLATE = "isolateA";

/** KV's behavior: fast, too late, rejecting, hanging, or throwing immediately. */
type Fault = "none" | "slow" | "429" | "hang" | "throw";

/**
 * A limiter over a KV that stores values immediately, or fails on request, in an isolate whose waiting requests can be
 * killed.
 */
export function setUpLimiter() {
  const time = createVirtualTime();
  const values = new Map<string, string>();
  const calls: { at: number; call: "get" | "put"; options: unknown }[] = [];
  const faults: { read: Fault; write: Fault } = { read: "none", write: "none" };
  const idsMade: string[] = [];
  let killed = false;

  async function applyFault(fault: Fault): Promise<void> {
    if (fault === "hang") await new Promise(() => {});
    if (fault === "429") throw new Error("KV PUT failed: 429 Too Many Requests");
    await time.sleep(fault === "slow" ? 15_000 : 50);
  }

  function note(call: "get" | "put", fault: Fault, options: unknown): void {
    calls.push({ at: time.now(), call, options });
    if (fault === "throw") throw new Error("KV is gone");
  }

  const kv: RateStore = {
    get(keys, options) {
      note("get", faults.read, options);
      return applyFault(faults.read).then(() => new Map(keys.map((key) => [key, values.get(key) ?? null])));
    },
    put(key, value, options) {
      note("put", faults.write, options);
      return applyFault(faults.write).then(() => void values.set(key, value));
    },
  };

  const limiter = createRateLimiter({
    kv,
    now: time.now,
    random: seededRandom(1),
    isolateId() {
      idsMade.push(ISOLATE);
      return ISOLATE;
    },
    async sleep(ms) {
      if (killed) await new Promise(() => {});
      await time.sleep(ms);
    },
  });

  const work: Promise<unknown>[] = [];
  const request = (subject = "usr_1:live", requests = REQUESTS) =>
    limiter.check({ subject, requests, numbers: NUMBERS }, (promise) => void work.push(promise)).requests;
  const times = (count: number, subject?: string) => Array.from({ length: count }, () => request(subject));
  /** A whole request with this many numbers. Returns what rejected it, or null. */
  const batch = (numbers: number, subject = "usr_1:live") => {
    const asked = { subject, requests: REQUESTS, numbers: NUMBERS };
    const waitUntil = (promise: Promise<unknown>) => void work.push(promise);
    const decisions = limiter.check(asked, waitUntil);
    if (!decisions.requests.allowed) return "requests";
    return decisions.numbers.allowed && limiter.count(asked, numbers, waitUntil).allowed ? null : "numbers";
  };
  const window = () => Math.floor(time.now() / 60_000);
  const key = (index = window(), isolate = ISOLATE) => shardKey("usr_1:live", index, shardOf(isolate, index));

  return {
    time,
    limiter,
    values,
    calls,
    faults,
    idsMade,
    work,
    request,
    times,
    batch,
    key,
    window,
    puts: () => calls.filter(({ call }) => call === "put"),
    gets: () => calls.filter(({ call }) => call === "get"),
    /** From now on sleeps never end, as when the platform ends `waitUntil`. */
    kill: (dead: boolean) => (killed = dead),
    /** This isolate's written requests for a window. */
    written: (index = window()) => decodeShard(values.get(key(index))).get(ISOLATE)?.requests,
  };
}
