/**
 * A stand-in for Workers KV with weaknesses that the local runtime doesn't have: other locations see a write late, even
 * the first one; the last write to land wins; a name accepts one write per second; calls fail or hang.
 */

/** The outcome of calls: they succeed, are rate limited, or never settle. */
type KvFault = "none" | "429" | "hang";

export interface KvStandInOptions {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** The maximum delay until a value is visible elsewhere, in milliseconds. */
  readonly staleness?: number;
  /** How long until a write lands and returns, in milliseconds. */
  landing?(name: string, location: string): number;
  /** Whether a second write to a name within a second is rejected, as on the platform. */
  readonly limitWrites?: boolean;
}

/** One landed write. */
interface Write {
  readonly at: number;
  readonly location: string;
  readonly value: string | null;
  readonly expiresAt: number;
}

export interface KvLocation {
  get(name: string, options?: { cacheTtl?: number }): Promise<string | null>;
  put(name: string, value: string, options?: { expirationTtl?: number }): Promise<void>;
  delete(name: string): Promise<void>;
  list(options: { prefix: string; cursor?: string | null }): Promise<KvPage>;
}

/** A page of up to 1,000 names. */
type KvPage = { readonly keys: readonly { readonly name: string }[] } & (
  | { readonly list_complete: true }
  | { readonly list_complete: false; readonly cursor: string }
);

export type KvStandIn = ReturnType<typeof createKvStandIn>;

export function createKvStandIn(options: KvStandInOptions) {
  const { now, sleep, staleness = 0, landing = () => 0, limitWrites = false } = options;
  const writes = new Map<string, Write[]>();
  const lags = new Map<string, number>();
  const acceptedAt = new Map<string, number>();
  const faults: { read: KvFault; write: KvFault } = { read: "none", write: "none" };

  async function applyFault(fault: KvFault, what: string): Promise<void> {
    if (fault === "hang") await new Promise(() => {});
    if (fault === "429") throw new Error(`KV ${what} failed: 429 Too Many Requests`);
  }

  /** A location's value: the newest that has reached it. */
  function shown(name: string, location: string): string | null {
    const until = now() - (lags.get(location) ?? staleness);
    const newest = writes.get(name)?.findLast((landed) => landed.location === location || landed.at <= until);
    return newest === undefined || newest.expiresAt <= now() ? null : newest.value;
  }

  async function write(name: string, value: string | null, location: string, ttl = Infinity): Promise<void> {
    await applyFault(faults.write, "PUT");
    if (limitWrites && now() - (acceptedAt.get(name) ?? -Infinity) < 1_000) await applyFault("429", "PUT");
    acceptedAt.set(name, now());
    const delay = landing(name, location);
    if (delay > 0) await sleep(delay);
    const landed = { at: now(), location, value, expiresAt: now() + ttl * 1_000 };
    const before = writes.get(name);
    if (before === undefined) writes.set(name, [landed]);
    else before.push(landed);
  }

  return {
    /** KV as seen by a worker in this location. */
    at(location: string): KvLocation {
      return {
        async get(name, { cacheTtl = 60 } = {}) {
          if (cacheTtl < 30) throw new Error("Invalid cache_ttl: it must be at least 30");
          await applyFault(faults.read, "GET");
          return shown(name, location);
        },
        async put(name, value, { expirationTtl = Infinity } = {}) {
          if (expirationTtl < 60) throw new Error("Invalid expiration_ttl: it must be at least 60");
          await write(name, value, location, expirationTtl);
        },
        async delete(name) {
          await write(name, null, location);
        },
        async list({ prefix, cursor }) {
          await applyFault(faults.read, "GET");
          const names = [...writes.keys()].filter((name) => name.startsWith(prefix) && shown(name, location) !== null);
          const rest = names.toSorted().filter((name) => name > (cursor ?? ""));
          const keys = rest.slice(0, 1_000).map((name) => ({ name }));
          if (keys.length === rest.length) return { keys, list_complete: true };
          return { keys, list_complete: false, cursor: keys.at(-1)!.name };
        },
      };
    },
    /** Sets how far behind a location is from now on, in milliseconds; at most the bound. It may go back in time. */
    setLag(location: string, ms: number): void {
      lags.set(location, Math.min(ms, staleness));
    },
    /** A name's full history, in order of landing; a null value is a delete. */
    history: (name: string): readonly Write[] => writes.get(name) ?? [],
    /** Every name that was ever written. */
    names: () => [...writes.keys()],
    /** To be set by the test. */
    faults,
  };
}
