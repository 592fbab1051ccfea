import type { Database } from "../worker/platform/db.ts";
import { createKeyCache } from "../worker/key-cache/key-cache.ts";
import type { LookUp, LookUpRequest } from "../worker/key-cache/key-cache.ts";
import { publishTombstones, writeKey } from "../worker/key-cache/publish.ts";
import type { KeyRecord, KeyState } from "../worker/key-cache/record.ts";
import { createKvStandIn } from "./kv-stand-in.ts";
import type { KvStandInOptions } from "./kv-stand-in.ts";
import { createVirtualTime } from "./virtual-time.ts";

/** What a caller sees: where the response came from and its verdict on the key, or that there was none. */
export type Seen = `${LookUp["source"]}: ${"accepted" | "revoked" | "unknown"}` | "unavailable";

/** A live key's record, with a test's changes. */
export function keyRecord(changes: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id: "key_1",
    userId: "usr_1",
    mode: "live",
    expiresAt: null,
    root: "key_1",
    cap: null,
    origins: [],
    needs: [],
    suspendedAt: null,
    version: 1,
    asOf: Date.UTC(2026, 0, 2, 12),
    subscription: {
      plan: "trial",
      status: "active",
      startedAt: Date.UTC(2026, 0, 1),
      expiresAt: Date.UTC(2026, 0, 15),
    },
    ...changes,
  };
}

type D1Fault = "none" | "error";

/** Isolates in several locations with one KV and one database, in virtual time. */
export function simulateEdge(options: Pick<KvStandInOptions, "staleness" | "landing"> = {}) {
  const time = createVirtualTime();
  const kv = createKvStandIn({ ...options, now: time.now, sleep: time.sleep });
  const rows = new Map<string, KeyRecord | "revoked">();
  const d1 = { fault: "none" as D1Fault, latency: 20 };

  function stateAt(hash: string, asOf: number): KeyState {
    const row = rows.get(hash) ?? "unknown";
    return typeof row === "string" ? row : { ...row, asOf };
  }

  async function find(_: Database, hash: string, asOf: number): Promise<KeyState> {
    if (d1.fault === "error") throw new Error("D1_ERROR: Network connection lost.");
    const { latency } = d1;
    // The read happens halfway, so changes before the response arrives are not in it.
    await time.sleep(latency / 2);
    const state = stateAt(hash, asOf);
    await time.sleep(latency / 2);
    return state;
  }

  /** Inserts a row, which KV doesn't get. */
  function insert(hash: string): void {
    rows.set(hash, keyRecord());
  }

  function isolate(location: string) {
    let behind: Promise<unknown>[] = [];
    function start() {
      return createKeyCache({ now: time.now, sleep: time.sleep, find });
    }
    let cache = start();
    const request: LookUpRequest = {
      kv: kv.at(location),
      db: {} as Database,
      waitUntil: (work) => behind.push(work),
    };

    return {
      get cache() {
        return cache;
      },
      kv: request.kv,
      /** Looks up a key; time must advance unless it is in memory. */
      async lookUp(hash: string): Promise<Seen> {
        try {
          const { source, state } = await cache.lookUp(hash, request);
          return `${source}: ${typeof state === "string" ? state : "accepted"}`;
        } catch (error) {
          if (error instanceof Error && error.name === "KeysUnavailableError") return "unavailable";
          throw error;
        }
      },
      /** Background work, which must not have failed. */
      async settle(): Promise<void> {
        const work = behind;
        behind = [];
        await Promise.all(work);
      },
      restart(): void {
        cache = start();
      },
    };
  }

  /** Writes what D1 has of a key to KV, from a location. The promise is the background work. */
  async function publish(hash: string, location: string): Promise<boolean> {
    const state = stateAt(hash, time.now());
    return state !== "unknown" && writeKey({ edge: kv.at(location), sleep: time.sleep }, hash, state);
  }

  /** Revokes a key in D1 and publishes it from this isolate. The promise is the background work. */
  function revoke(hash: string, from: ReturnType<typeof isolate>): Promise<void> {
    rows.set(hash, "revoked");
    return publishTombstones({ edge: from.kv, keyCache: from.cache, sleep: time.sleep }, [{ hash }]);
  }

  return { time, kv, d1, insert, isolate, publish, revoke };
}
