import type { Database } from "../worker/platform/db.ts";
import { createKeyCache } from "../worker/keys/cache/key-cache.ts";
import type { LookUp, LookUpRequest } from "../worker/keys/cache/key-cache.ts";
import { publishTombstones } from "../worker/keys/cache/publish.ts";
import { encodeRecord, recordName } from "../worker/keys/cache/record.ts";
import type { KeyRecord, Sighting } from "../worker/keys/cache/record.ts";
import { createKvStandIn } from "./kv-stand-in.ts";
import type { KvStandInOptions } from "./kv-stand-in.ts";
import { createVirtualTime } from "./virtual-time.ts";

/** What a caller sees: where the response came from and its verdict on the key, or that there was none. */
export type Seen = `${LookUp["source"]}: ${"accepted" | "revoked" | "unknown"}` | "unavailable";

/** A live key's edge record, with a test's changes. */
export function keyRecord(changes: Partial<KeyRecord> = {}): KeyRecord {
  return {
    revoked: false,
    revokedAt: null,
    version: 1,
    asOf: Date.UTC(2026, 0, 2, 12),
    id: "key_1",
    userId: "usr_1",
    mode: "live",
    expiresAt: null,
    cap: null,
    suspendedAt: null,
    subscription: {
      plan: "trial",
      status: "active",
      startedAt: Date.UTC(2026, 0, 1),
      expiresAt: Date.UTC(2026, 0, 15),
    },
    ...changes,
  };
}

export type D1Fault = "none" | "error" | "overloaded" | "hang";

/** Isolates in several locations with one KV and one database, in virtual time. */
export function simulateEdge(options: Pick<KvStandInOptions, "staleness" | "landing" | "limitWrites"> = {}) {
  const time = createVirtualTime();
  const kv = createKvStandIn({ ...options, now: time.now, sleep: time.sleep });
  const rows = new Map<string, KeyRecord | { readonly revoked: true; readonly version: number }>();
  const d1 = { fault: "none" as D1Fault, latency: 20, calls: 0 };

  async function find(_: Database, hashes: readonly string[], asOf: number): Promise<Map<string, Sighting>> {
    d1.calls += 1;
    if (d1.fault === "hang") await new Promise(() => {});
    if (d1.fault === "error") throw new Error("D1_ERROR: Network connection lost.");
    if (d1.fault === "overloaded") throw new Error("D1_ERROR: D1 DB is overloaded. Too many requests queued.");
    const { latency } = d1;
    // The read happens halfway, so changes before the response arrives are not in it.
    await time.sleep(latency / 2);
    const found = hashes.map((hash): [string, Sighting] => {
      const row = rows.get(hash);
      if (row === undefined) return [hash, { revoked: null, asOf }];
      return [hash, row.revoked ? row : { ...row, asOf }];
    });
    await time.sleep(latency / 2);
    return new Map(found);
  }

  /** Inserts a row. */
  function insert(hash: string, changes: Partial<KeyRecord> = {}): void {
    rows.set(hash, keyRecord({ asOf: time.now(), ...changes }));
  }

  function isolate(location: string) {
    let behind: Promise<unknown>[] = [];
    function start() {
      return createKeyCache({ now: time.now, random: () => 0.5, sleep: time.sleep, find });
    }
    let cache = start();
    const request: LookUpRequest = {
      kv: kv.at(location),
      db: {} as Database,
      waitUntil: (work) => behind.push(work),
    };

    return {
      location,
      get cache() {
        return cache;
      },
      request,
      /** Looks up a key; time must advance unless it is in memory. */
      async lookUp(hash: string): Promise<Seen> {
        try {
          const { source, record } = await cache.lookUp(hash, request);
          if (record === null) return `${source}: unknown`;
          return `${source}: ${record.revoked ? "revoked" : "accepted"}`;
        } catch (error) {
          if (error instanceof Error && error.name === "KeysUnavailableError") return "unavailable";
          throw error;
        }
      },
      /** Looks up a key and advances time until everything that can finish has finished. */
      async see(hash: string): Promise<Seen> {
        const seen = this.lookUp(hash);
        await time.pass(2_000);
        return seen;
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

  /** Revokes a key in D1 and publishes it from this isolate. The promise is the background work. */
  function revoke(hash: string, from: ReturnType<typeof isolate>): Promise<{ written: number; failed: number }> {
    const version = (rows.get(hash)?.version ?? 0) + 1;
    rows.set(hash, { revoked: true, version });
    const db = { run: async () => {} } as unknown as Database;
    return publishTombstones({ edge: from.request.kv, db, now: time.now(), keyCache: from.cache, sleep: time.sleep }, [
      { id: "key_1", hash, version },
    ]);
  }

  return { time, kv, d1, rows, insert, isolate, revoke };
}

/** Puts the current row into KV, visible everywhere. */
export async function publishRow(edge: ReturnType<typeof simulateEdge>, hash: string): Promise<void> {
  const row = edge.rows.get(hash);
  if (row === undefined || row.revoked) throw new Error("There is no such row");
  const value = encodeRecord({ ...row, asOf: edge.time.now() });
  await edge.kv.at("publisher").put(recordName(hash), value, { expirationTtl: 3_600 });
}
