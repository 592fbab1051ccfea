import { createVirtualTime } from "./virtual-time.ts";
import type { VirtualTime } from "./virtual-time.ts";
import { createRateLimiter } from "../worker/limits/rate/limiter.ts";
import type { RateLimiter } from "../worker/limits/rate/limiter.ts";
import { LOCATION_CALLS_PER_MINUTE } from "../worker/limits/rate/location.ts";
import type { LocationLimiter } from "../worker/limits/rate/location.ts";
import type { RatePolicy } from "../worker/limits/rate/headers.ts";
import type { RateStore } from "../worker/limits/rate/exchange.ts";

/** Times in milliseconds, probabilities from 0 to 1. */
export interface SimulationOptions {
  readonly random: () => number;
  readonly requests: RatePolicy;
  readonly numbers: RatePolicy;
  readonly isolates: number;
  readonly locations: number;
  /** Numbers per request: 1 by default. */
  readonly batch?: number;
  /** Offered load as a multiple of the lower limit, evenly paced; by window if it changes. */
  readonly load: number | ((window: number) => number);
  readonly windows: number;
  /** Whether the windows of the locations' limiters start with each minute, or at any time, as by default. */
  readonly isAligned?: boolean;
  /** Which isolate gets a request; uniformly random by default. */
  readonly route?: (window: number) => number;
  /** The share of accepted writes that vanish, and of writes rejected besides those too soon. */
  readonly lost?: number;
  readonly rejectedWrites?: number;
}

/** The outcome of a window's numbers. */
export interface WindowOutcome {
  readonly offered: number;
  readonly admitted: number;
}

interface Write {
  readonly value: string;
  /** When each location sees it. */
  readonly visibleFrom: readonly number[];
}

const CACHE_MS = 30_000;
const PROPAGATION_MS = 60_000;
/** How long isolates don't see what others of their location have their limiter count, in milliseconds. */
const LOCATION_LAG_MS = 2_000;
const WINDOW_MS = 60_000;
const SUBJECT = "usr_simulated:live";

/**
 * Worst-case KV: each location caches what it read, absence included, for 30 to 60 s, even after its own writes; a
 * write reaches other locations within 60 s; a key accepts one write per second; writes are rejected or vanish.
 */
function createStaleKv({ now, sleep }: VirtualTime, options: SimulationOptions) {
  const { random, locations, lost = 0.05, rejectedWrites = 0.05 } = options;
  const writes = new Map<string, Write[]>();
  const lastWrite = new Map<string, number>();
  const caches = Array.from({ length: locations }, () => new Map<string, { value: string | null; until: number }>());
  /** Reads by key. */
  const calls = { reads: 0, writes: 0, rejected: 0 };

  function read(location: number, key: string): string | null {
    const cached = caches[location]!.get(key);
    if (cached !== undefined && cached.until > now()) return cached.value;
    const visible = (writes.get(key) ?? []).filter(({ visibleFrom }) => visibleFrom[location]! <= now());
    const value = visible.at(-1)?.value ?? null;
    caches[location]!.set(key, { value, until: now() + CACHE_MS * (1 + random()) });
    return value;
  }

  function write(location: number, key: string, value: string): void {
    const time = now();
    const tooSoon = time - (lastWrite.get(key) ?? -Infinity) < 1_000;
    if (tooSoon || random() < rejectedWrites) {
      calls.rejected += 1;
      throw new Error("KV PUT failed: 429 Too Many Requests");
    }
    lastWrite.set(key, time);
    if (random() < lost) return;
    const visibleFrom = Array.from({ length: locations }, (_, other) =>
      other === location ? time : time + PROPAGATION_MS * random(),
    );
    writes.set(key, [...(writes.get(key) ?? []), { value, visibleFrom }]);
  }

  function at(location: number): RateStore {
    return {
      async get(keys) {
        calls.reads += keys.length;
        await sleep(10 + 70 * random());
        return new Map(keys.map((key) => [key, read(location, key)]));
      },
      async put(key, value) {
        calls.writes += 1;
        await sleep(50 + 250 * random());
        write(location, key, value);
      },
    };
  }

  return { at, calls };
}

/**
 * The platform's limiters: each location has one, with fixed windows. An isolate sees its own calls at once, and those of
 * the location's other isolates two seconds later.
 */
function createLocations({ now, sleep }: VirtualTime, { random, locations, isAligned }: SimulationOptions) {
  const all = Array.from({ length: locations }, () => ({
    phase: isAligned === true ? 0 : WINDOW_MS * random(),
    counted: [] as { readonly isolate: number; readonly at: number }[],
  }));

  return function limiterFor(isolate: number): LocationLimiter {
    const { phase, counted } = all[isolate % locations]!;
    const windowOf = (at: number) => Math.floor((at + phase) / WINDOW_MS);
    return {
      async limit() {
        await sleep(1 + 4 * random());
        const seen = counted.filter(
          (call) =>
            windowOf(call.at) === windowOf(now()) && (call.isolate === isolate || call.at <= now() - LOCATION_LAG_MS),
        );
        if (seen.length >= LOCATION_CALLS_PER_MINUTE) return { success: false };
        counted.push({ isolate, at: now() });
        return { success: true };
      },
    };
  };
}

/** One client's requests to isolates in several locations that share only stale KV and a limiter per location. Starts at a window boundary. */
export async function simulateRateLimit(options: SimulationOptions) {
  const { random, requests, numbers, isolates, locations, load, windows, batch = 1 } = options;
  const time = createVirtualTime();
  const kv = createStaleKv(time, options);
  const limiterFor = createLocations(time, options);
  const limiters: RateLimiter[] = Array.from({ length: isolates }, (_, index) =>
    createRateLimiter({
      kv: kv.at(index % locations),
      location: limiterFor(index),
      now: time.now,
      random,
      isolateId: () => Math.floor(random() * 36 ** 8).toString(36),
    }),
  );
  const windowMs = requests.windowSeconds * 1000;
  const outcomes: WindowOutcome[] = [];
  const admissions: number[] = [];

  function request(window: number): boolean {
    const limiter = limiters[options.route?.(window) ?? Math.floor(random() * isolates)]!;
    const asked = { subject: SUBJECT, requests, numbers };
    const allowed = limiter.check(asked, () => {}).requests.allowed && limiter.count(asked, batch).allowed;
    if (allowed) admissions.push(time.now());
    return allowed;
  }

  const start = time.now();
  for (let window = 0; window < windows; window++) {
    const limit = Math.min(requests.limit, numbers.limit / batch);
    const offered = Math.round(limit * (typeof load === "number" ? load : load(window)));
    let admitted = 0;
    for (let made = 0; made < offered; made++) {
      const at = start + (window + (made + 0.5) / offered) * windowMs;
      await time.pass(Math.floor(at) - time.now());
      if (request(window)) admitted += batch;
    }
    await time.pass(start + (window + 1) * windowMs - time.now());
    outcomes.push({ offered: offered * batch, admitted });
  }
  const requested = outcomes.reduce((sum, { offered }) => sum + offered / batch, 0);
  return { outcomes, admissions, requests: requested, calls: kv.calls };
}
