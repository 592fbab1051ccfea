import type { Database } from "../../platform/db.ts";
import { failureText, logLine } from "../../platform/log.ts";
import { isBelieved, isRecheckDue, FILL_WITHIN_MS, RETRY_MS, standingOf } from "./decide.ts";
import { forgetRecord, isWorthWriting, readEdge, writeEdge } from "./edge.ts";
import type { EdgeKv } from "./edge.ts";
import { createGathering } from "./gathering.ts";
import { createKeyMemory } from "./key-memory.ts";
import type { KeyRecord, Sighting, Tombstone } from "./record.ts";
import { createSingleFlight } from "./single-flight.ts";
import type { Sleep } from "../../platform/time-limit.ts";

/** An outage fails every lookup: one line in so many milliseconds says so, with their number. */
const LOG_EVERY_MS = 10_000;

/** What failed: a read of KV, a write to it, or a query. */
type FailingPart = "kv_read" | "kv_write" | "d1";

/** Notes failures of the key cache in the log, at most one line a part in ten seconds. */
function createFailureLog(now: () => number) {
  const parts = new Map<FailingPart, { count: number; loggedAt: number }>();

  return function noteFailure(part: FailingPart, thrown: unknown): void {
    const seen = parts.get(part) ?? { count: 0, loggedAt: -Infinity };
    parts.set(part, seen);
    seen.count += 1;
    if (now() - seen.loggedAt < LOG_EVERY_MS) return;
    logLine("warn", "key_cache_failure", { part, count: seen.count, message: failureText(thrown) });
    seen.count = 0;
    seen.loggedAt = now();
  };
}

/** How long D1 is waited for, in milliseconds. */
const D1_TIMEOUT_MS = 500;
/** A lookup behind a result that takes longer has failed, or its request was killed. */
const REFRESH_MS = 2_000;

/** Where a result comes from; `stale` is memory that could not be checked when it was due. */
export type LookUpSource = "memory" | "kv" | "d1" | "stale";

/** What a lookup waited for before it answered. A `stale` answer waited, unless a lookup had failed a moment ago. */
export type AwaitedStores = "none" | "kv" | "kv d1";

export interface LookUp {
  readonly source: LookUpSource;
  readonly awaited: AwaitedStores;
  /** Null for a key that does not exist. */
  readonly record: KeyRecord | Tombstone | null;
}

/** Neither KV nor D1 can be asked, and memory has nothing that may still be believed: 503 with Retry-After. */
export class KeysUnavailableError extends Error {
  override readonly name = "KeysUnavailableError";
}

/** What a request lends the cache. Nothing of it is used on behalf of another request. */
export interface LookUpRequest {
  readonly kv: EdgeKv;
  readonly db: Database;
  waitUntil(work: Promise<unknown>): void;
  /** Called before KV and D1 are asked about a key that memory does not know; what it throws ends the lookup. */
  onMiss?(): Promise<void>;
}

/** What the cache takes from outside. Times are in milliseconds. */
export interface KeyCacheDependencies {
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  readonly sleep: Sleep;
  /** A sighting of every one of these keys, in one statement. */
  find(db: Database, hashes: readonly string[], asOf: number): Promise<ReadonlyMap<string, Sighting>>;
}

/** What KV was seen to have; undefined when it could not be asked. */
type Copy = KeyRecord | Tombstone | null | undefined;

/**
 * The keys as an isolate knows them: memory, then KV, then D1. Keys are named by their SHA-256 in hex.
 *
 * A revoked key is refused at once where `remember` was told, and everywhere else within 30 s of KV showing the tombstone, as long as
 * KV or D1 answers. No result rests on a look at D1 older than 15 minutes, whatever fails. An isolate that has refused a revoked key
 * does so for as long as it remembers it, whatever it is shown.
 */
export function createKeyCache({ now, random, sleep: wait, find }: KeyCacheDependencies) {
  const memory = createKeyMemory();
  const noteFailure = createFailureLog(now);
  const share = createSingleFlight<Sighting>({ timeout: D1_TIMEOUT_MS, now, wait });
  const gather = createGathering<Sighting>({ timeout: D1_TIMEOUT_MS, now, wait });

  async function readCopy(hash: string, { kv }: LookUpRequest): Promise<Copy> {
    try {
      return await readEdge(kv, hash, wait);
    } catch (error) {
      noteFailure("kv_read", error);
      return undefined;
    }
  }

  /** Whether a record may be written, now that D1 has answered: KV may have got something newer in the meantime. */
  async function mayFill(hash: string, found: KeyRecord, kv: EdgeKv): Promise<boolean> {
    return isWorthWriting(found, await readEdge(kv, hash, wait)) && now() - found.asOf <= FILL_WITHIN_MS;
  }

  /** Brings KV up to date with what D1 has. Without knowing what is there no record is written; a tombstone always may be. */
  async function fill(hash: string, found: Sighting, copy: Copy, { kv }: LookUpRequest): Promise<void> {
    try {
      if (found.revoked === null) {
        if (copy) await forgetRecord(kv, hash, wait);
      } else if (found.revoked || (await mayFill(hash, found, kv))) {
        await writeEdge(kv, hash, found, wait);
      }
    } catch (error) {
      noteFailure("kv_write", error);
    }
  }

  async function askD1(hash: string, copy: Copy, request: LookUpRequest): Promise<Sighting> {
    const { value, asked } = await share(hash, async () => (await find(request.db, [hash], now())).get(hash)!);
    if (asked) request.waitUntil(fill(hash, value, copy, request));
    return memory.take(hash, value, value.revoked === true ? now() : value.asOf);
  }

  /** Compares a record from KV with D1, behind the response and together with others that are due. */
  async function recheck(hash: string, copy: Copy, request: LookUpRequest): Promise<void> {
    try {
      const { value, asked } = await gather(hash, (hashes) => find(request.db, hashes, now()));
      memory.take(hash, value, value.revoked === true ? now() : value.asOf);
      if (asked) await fill(hash, value, copy, request);
    } catch (error) {
      noteFailure("d1", error);
    }
  }

  /** What memory has when nobody else can be asked. */
  function lastResort(hash: string, cause: unknown): LookUp {
    const entry = memory.known(hash);
    const record = entry?.record;
    // Of a revocation that this isolate has heard of in the meantime.
    if (record?.revoked) return { source: "memory", awaited: "kv d1", record };
    if (entry === undefined || record === undefined || !isBelieved(record, now())) {
      throw new KeysUnavailableError("A key could be looked up neither in KV nor in D1", { cause });
    }
    entry.retryAt = now() + RETRY_MS;
    return { source: "stale", awaited: "kv d1", record };
  }

  async function ask(hash: string, request: LookUpRequest): Promise<LookUp> {
    const askedAt = now();
    const copy = await readCopy(hash, request);
    if (copy) {
      const record = memory.take(hash, copy, askedAt);
      if (record.revoked === true) return { source: "kv", awaited: "kv", record };
      if (record.revoked === false && isBelieved(record, now())) {
        if (isRecheckDue(record, now(), random())) request.waitUntil(recheck(hash, copy, request));
        return { source: "kv", awaited: "kv", record };
      }
    }
    try {
      const found = await askD1(hash, copy, request);
      return { source: "d1", awaited: "kv d1", record: found.revoked === null ? null : found };
    } catch (error) {
      noteFailure("d1", error);
      return lastResort(hash, error);
    }
  }

  async function refresh(hash: string, request: LookUpRequest): Promise<void> {
    try {
      await ask(hash, request);
    } catch (error) {
      // The record was not believed any longer: the next request that needs it gets the error.
      if (!(error instanceof KeysUnavailableError)) throw error;
    }
  }

  return {
    /**
     * What is known of a key. With a record that was checked within 30 s nothing is awaited and, within 10 s, nothing is asked. Nothing
     * is awaited either within 30 s of a lookup that failed, as long as the record may be believed.
     * Otherwise KV is waited for 500 ms at most, and D1 500 ms for each of at most three requests that ask for the same key.
     * @throws KeysUnavailableError, or what `onMiss` throws.
     */
    async lookUp(hash: string, request: LookUpRequest): Promise<LookUp> {
      const at = now();
      const entry = memory.known(hash);
      if (entry === undefined) {
        if (memory.isUnknown(hash, at)) return { source: "memory", awaited: "none", record: null };
        await request.onMiss?.();
        return ask(hash, request);
      }
      const { record } = entry;
      // Final: there is nothing to look up again.
      if (record.revoked) return { source: "memory", awaited: "none", record };
      const standing = standingOf(record, entry, at);
      if (standing === "expired") return ask(hash, request);
      if (standing !== "fresh" && at >= entry.refreshingUntil && at >= entry.retryAt) {
        entry.refreshingUntil = at + REFRESH_MS;
        request.waitUntil(refresh(hash, request));
      }
      return { source: standing === "failing" ? "stale" : "memory", awaited: "none", record };
    },

    /** What memory has of a key by now; null for one found missing a moment ago, undefined for one that it has forgotten. */
    recall(hash: string): KeyRecord | Tombstone | null | undefined {
      return memory.known(hash)?.record ?? (memory.isUnknown(hash, now()) ? null : undefined);
    },

    /** Tells this isolate what it has just changed itself: the next lookup here answers by it. */
    remember(hash: string, sighting: Sighting): void {
      memory.take(hash, sighting, sighting.revoked === true ? now() : sighting.asOf);
    },

    /** How much is remembered. */
    get sizes() {
      return memory.sizes;
    },
  };
}

export type KeyCache = ReturnType<typeof createKeyCache>;
