import type { Database } from "../platform/db.ts";
import { createFailureLog } from "../platform/log.ts";
import { createLru } from "../platform/lru.ts";
import { within } from "../platform/time-limit.ts";
import type { Sleep } from "../platform/time-limit.ts";
import { readEdge } from "./edge.ts";
import type { EdgeKv } from "./edge.ts";
import { replaces } from "./record.ts";
import type { KeyRecord, KeyState } from "./record.ts";

/** Keys that exist or existed: about 1 KB each, so 10 MB of an isolate's 128 MB. */
export const MAX_KNOWN = 10_000;
/** Keys that don't exist, about 0.2 KB each. Separate from known ones, so a flood of them evicts none. */
export const MAX_UNKNOWN = 10_000;

// In milliseconds, since KV or D1 last confirmed a record.
/** Until then, it is used without a check. */
const FRESH_MS = 10_000;
/** Until then, it is used without a wait, and checked behind the response. */
const USABLE_MS = 30_000;
/** Until then, it is used if neither KV nor D1 responds. */
const LAST_RESORT_MS = 15 * 60_000;

/** How long an unknown key is rejected without another lookup, in milliseconds. */
const UNKNOWN_MS = 5_000;
/** How long to wait after a failed check before the next one, in milliseconds. */
const RETRY_MS = 5_000;
/** A check behind a response that takes longer was killed with its request. In milliseconds. */
const REFRESH_MS = 2_000;
/** How long to wait for D1, in milliseconds: longer if there is nothing else to respond with. */
const D1_TIMEOUT_MS = 3_000;
const D1_TIMEOUT_WITH_RECORD_MS = 500;

/** An outage fails every lookup, so log one line with their count per this many milliseconds. */
const LOG_EVERY_MS = 10_000;

/** Where a result comes from; `stale` is memory that was due for a check that couldn't be made. */
export type LookUpSource = "memory" | "kv" | "d1" | "stale";

export interface LookUp {
  readonly source: LookUpSource;
  readonly state: KeyState;
}

/** Neither KV nor D1 responds, and memory has nothing recent enough: 503 with Retry-After. */
export class KeysUnavailableError extends Error {
  override readonly name = "KeysUnavailableError";
}

/** What the cache borrows from a request. Never used on behalf of another request. */
export interface LookUpRequest {
  readonly kv: EdgeKv;
  readonly db: Database;
  waitUntil(work: Promise<unknown>): void;
  /** Called before KV and D1 are queried about a key that is not in memory; what it throws ends the lookup. */
  onMiss?(): void;
}

/** The cache's dependencies. Times are in milliseconds. */
export interface KeyCacheDependencies {
  now(): number;
  readonly sleep: Sleep;
  /** What D1 has of a key. */
  find(db: Database, hash: string, asOf: number): Promise<KeyState>;
}

/** A key in memory. Times are milliseconds since the Unix epoch. */
interface KnownKey {
  state: KeyRecord | "revoked";
  /** When KV or D1 was last read for it. */
  confirmedAt: number;
  /** After a failed check, when to make the next one. */
  retryAt: number;
  /** Until then a check behind a response is pending. */
  refreshingUntil: number;
}

/**
 * An isolate's view of keys, by their SHA-256 in hex: memory, then KV, then D1 if KV has nothing or fails. Only reads:
 * `publish.ts` and `outbox.ts` write KV. A key that an isolate knows to be revoked stays so, whatever it reads later.
 */
export function createKeyCache({ now, sleep: wait, find }: KeyCacheDependencies) {
  const known = createLru<KnownKey>(MAX_KNOWN);
  /** When D1 was found not to have a key. */
  const unknown = createLru<number>(MAX_UNKNOWN);
  const logging = { now, everyMs: LOG_EVERY_MS };
  const logKvFailure = createFailureLog("key_cache_failure", logging);
  const logD1Failure = createFailureLog("key_cache_failure", logging);

  function isUnknown(hash: string): boolean {
    const readAt = unknown.get(hash);
    return readAt !== undefined && now() - readAt < UNKNOWN_MS;
  }

  /** Whether memory may be used when neither KV nor D1 responds. */
  function isLastResort(entry: KnownKey | undefined): entry is KnownKey {
    return entry !== undefined && (entry.state === "revoked" || now() - entry.confirmedAt <= LAST_RESORT_MS);
  }

  /** Merges what was read at a time into the memory of a key, and returns the result. */
  function take(hash: string, state: KeyState, readAt: number): KeyState {
    const entry = known.get(hash);
    if (entry?.state === "revoked") return "revoked";
    if (state === "unknown") {
      known.delete(hash);
      unknown.set(hash, readAt);
      return state;
    }
    unknown.delete(hash);
    if (entry === undefined) {
      known.set(hash, { state, confirmedAt: readAt, retryAt: 0, refreshingUntil: 0 });
      return state;
    }
    if (state === "revoked" || replaces(state, entry.state)) entry.state = state;
    entry.confirmedAt = Math.max(entry.confirmedAt, readAt);
    entry.retryAt = 0;
    return entry.state;
  }

  /** Reads KV and, if it has nothing or fails, D1. */
  async function read(hash: string, { kv, db }: LookUpRequest): Promise<LookUp> {
    const startedAt = now();
    try {
      const state = await readEdge(kv, hash, wait);
      if (state !== "unknown") return { source: "kv", state: take(hash, state, startedAt) };
    } catch (error) {
      logKvFailure(error, { part: "kv_read" });
    }
    const asOf = now();
    try {
      const timeout = isLastResort(known.get(hash)) ? D1_TIMEOUT_WITH_RECORD_MS : D1_TIMEOUT_MS;
      const state = await within(find(db, hash, asOf), timeout, wait);
      return { source: "d1", state: take(hash, state, asOf) };
    } catch (error) {
      logD1Failure(error, { part: "d1" });
      const entry = known.get(hash);
      if (!isLastResort(entry)) {
        throw new KeysUnavailableError("A key could be looked up neither in KV nor in D1", { cause: error });
      }
      entry.retryAt = now() + RETRY_MS;
      return { source: "stale", state: entry.state };
    }
  }

  async function refresh(hash: string, request: LookUpRequest): Promise<void> {
    try {
      await read(hash, request);
    } catch (error) {
      // The key left memory in the meantime: the next request that needs it gets the error.
      if (!(error instanceof KeysUnavailableError)) throw error;
    }
  }

  return {
    /**
     * Looks up a key. Waits for nothing within 30 s of a successful check, or 5 s of a failed one. Otherwise waits up to
     * 500 ms for KV and then for D1: 500 ms if memory has a record to fall back on, or 3 s.
     * @throws KeysUnavailableError, or what `onMiss` throws
     */
    async lookUp(hash: string, request: LookUpRequest): Promise<LookUp> {
      const entry = known.get(hash);
      if (entry === undefined) {
        if (isUnknown(hash)) return { source: "memory", state: "unknown" };
        request.onMiss?.();
        return read(hash, request);
      }
      const { state } = entry;
      if (state === "revoked") return { source: "memory", state };
      const at = now();
      const age = at - entry.confirmedAt;
      if (age < USABLE_MS) {
        if (age >= FRESH_MS && at >= entry.refreshingUntil && at >= entry.retryAt) {
          entry.refreshingUntil = at + REFRESH_MS;
          request.waitUntil(refresh(hash, request));
        }
        return { source: "memory", state };
      }
      if (at < entry.retryAt && isLastResort(entry)) return { source: "stale", state };
      return read(hash, request);
    },

    /** What memory has of a key now; undefined for one that it has forgotten. */
    recall(hash: string): KeyState | undefined {
      return known.get(hash)?.state ?? (isUnknown(hash) ? "unknown" : undefined);
    },

    /** Records a change this isolate has made: the next lookup here uses it. */
    remember(hash: string, state: KeyRecord | "revoked"): void {
      take(hash, state, state === "revoked" ? now() : state.asOf);
    },

    /** How much is in memory. */
    get sizes() {
      return { known: known.size, unknown: unknown.size };
    },
  };
}

export type KeyCache = ReturnType<typeof createKeyCache>;
