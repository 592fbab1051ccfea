import type { Database } from "../../platform/db.ts";
import type { Eventual } from "../../platform/eventual.ts";
import { failureText, logLine } from "../../platform/log.ts";
import { isBelieved, isRecheckDue, FILL_WITHIN_MS, RETRY_MS, standingOf } from "./decide.ts";
import { forgetRecord, isWorthWriting, readEdge, writeEdge } from "./edge.ts";
import type { EdgeKv } from "./edge.ts";
import { createGathering } from "./gathering.ts";
import { createKeyMemory } from "./key-memory.ts";
import type { KeyRecord, Sighting, Tombstone } from "./record.ts";
import { createSingleFlight } from "./single-flight.ts";
import type { Sleep } from "../../platform/time-limit.ts";

/** An outage fails every lookup, so log one line with their count per this many milliseconds. */
const LOG_EVERY_MS = 10_000;

/** What failed: a read of KV, a write to it, or a query. */
type FailingPart = "kv_read" | "kv_write" | "d1";

/** Logs key cache failures, at most one line per part every ten seconds. */
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

/** How long to wait for D1, in milliseconds. */
const D1_TIMEOUT_MS = 500;
/** A background lookup that takes longer has failed, or its request was killed. */
const REFRESH_MS = 2_000;

/** Where a result comes from; `stale` is memory that was due for a check that couldn't be made. */
export type LookUpSource = "memory" | "kv" | "d1" | "stale";

export interface LookUp {
  readonly source: LookUpSource;
  /** Null for a key that does not exist. */
  readonly record: KeyRecord | Tombstone | null;
}

/** Neither KV nor D1 responds, and memory has nothing that is still trusted: 503 with Retry-After. */
export class KeysUnavailableError extends Error {
  override readonly name = "KeysUnavailableError";
}

/** What the cache borrows from a request. Never used on behalf of another request. */
export interface LookUpRequest {
  readonly kv: EdgeKv;
  readonly db: Database;
  waitUntil(work: Promise<unknown>): void;
  /** Called before KV and D1 are queried about a key that is not in memory; what it throws ends the lookup. */
  onMiss?(): Promise<void>;
}

/** The cache's dependencies. Times are in milliseconds. */
export interface KeyCacheDependencies {
  now(): number;
  /** In [0, 1). */
  random(): number;
  readonly sleep: Sleep;
  /** A sighting of each of these keys, in one statement. */
  find(db: Database, hashes: readonly string[], asOf: number): Promise<ReadonlyMap<string, Sighting>>;
}

/** The copy seen in KV; undefined when it couldn't be read. */
type Copy = KeyRecord | Tombstone | null | undefined;

/**
 * An isolate's view of keys: memory, then KV, then D1. Keys are identified by their SHA-256 in hex.
 *
 * A revoked key is rejected immediately where `remember` was called, and everywhere else within 30 s of KV showing the
 * tombstone, as long as KV or D1 responds. No result is based on a D1 read older than 15 minutes, whatever fails. Once
 * an isolate has rejected a revoked key, it does so as long as it remembers it, whatever it reads later.
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

  /** Whether to write a record after the D1 read: KV may have received something newer in the meantime. */
  async function mayFill(hash: string, found: KeyRecord, kv: EdgeKv): Promise<boolean> {
    return isWorthWriting(found, await readEdge(kv, hash, wait)) && now() - found.asOf <= FILL_WITHIN_MS;
  }

  /** Updates KV with what D1 has. If KV's content is unknown, writes no record; a tombstone may always be written. */
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

  /** Compares a record from KV with D1 in the background, batched with others that are due. */
  async function recheck(hash: string, copy: Copy, request: LookUpRequest): Promise<void> {
    try {
      const { value, asked } = await gather(hash, (hashes) => find(request.db, hashes, now()));
      memory.take(hash, value, value.revoked === true ? now() : value.asOf);
      if (asked) await fill(hash, value, copy, request);
    } catch (error) {
      noteFailure("d1", error);
    }
  }

  /** What memory has when neither KV nor D1 responds. */
  function lastResort(hash: string, cause: unknown): LookUp {
    const entry = memory.known(hash);
    const record = entry?.record;
    // This isolate learned of a revocation in the meantime.
    if (record?.revoked) return { source: "stale", record };
    if (entry === undefined || record === undefined || !isBelieved(record, now())) {
      throw new KeysUnavailableError("A key could be looked up neither in KV nor in D1", { cause });
    }
    entry.retryAt = now() + RETRY_MS;
    return { source: "stale", record };
  }

  async function ask(hash: string, request: LookUpRequest): Promise<LookUp> {
    const askedAt = now();
    const copy = await readCopy(hash, request);
    if (copy) {
      const record = memory.take(hash, copy, askedAt);
      if (record.revoked === true) return { source: "kv", record };
      if (record.revoked === false && isBelieved(record, now())) {
        if (isRecheckDue(record, now(), random())) request.waitUntil(recheck(hash, copy, request));
        return { source: "kv", record };
      }
    }
    try {
      const found = await askD1(hash, copy, request);
      return { source: "d1", record: found.revoked === null ? null : found };
    } catch (error) {
      noteFailure("d1", error);
      return lastResort(hash, error);
    }
  }

  async function askAboutUnknown(hash: string, request: LookUpRequest): Promise<LookUp> {
    await request.onMiss?.();
    return ask(hash, request);
  }

  async function refresh(hash: string, request: LookUpRequest): Promise<void> {
    try {
      await ask(hash, request);
    } catch (error) {
      // The record was no longer trusted: the next request that needs it gets the error.
      if (!(error instanceof KeysUnavailableError)) throw error;
    }
  }

  return {
    /**
     * Looks up a key. With a record checked within 30 s it waits for nothing, and within 10 s it queries nothing. Nor
     * does it wait within 30 s of a failed lookup, as long as the record is trusted. Otherwise it waits up to 500 ms
     * for KV, and 500 ms for D1 for each of up to three requests for the same key.
     * Errors reject the promise: KeysUnavailableError, or what `onMiss` throws.
     */
    lookUp(hash: string, request: LookUpRequest): Eventual<LookUp> {
      const at = now();
      const entry = memory.known(hash);
      if (entry === undefined) {
        if (memory.isUnknown(hash, at)) return { source: "memory", record: null };
        return askAboutUnknown(hash, request);
      }
      const { record } = entry;
      // Final: there is nothing to look up again.
      if (record.revoked) return { source: "memory", record };
      const standing = standingOf(record, entry, at);
      if (standing === "expired") return ask(hash, request);
      if (standing !== "fresh" && at >= entry.refreshingUntil && at >= entry.retryAt) {
        entry.refreshingUntil = at + REFRESH_MS;
        request.waitUntil(refresh(hash, request));
      }
      return { source: standing === "failing" ? "stale" : "memory", record };
    },

    /** What memory has of a key now; null for one recently found missing, undefined for one it has forgotten. */
    recall(hash: string): KeyRecord | Tombstone | null | undefined {
      return memory.known(hash)?.record ?? (memory.isUnknown(hash, now()) ? null : undefined);
    },

    /** Records a change this isolate has made: the next lookup here uses it. */
    remember(hash: string, sighting: Sighting): void {
      memory.take(hash, sighting, sighting.revoked === true ? now() : sighting.asOf);
    },

    /** How much is in memory. */
    get sizes() {
      return memory.sizes;
    },
  };
}

export type KeyCache = ReturnType<typeof createKeyCache>;
