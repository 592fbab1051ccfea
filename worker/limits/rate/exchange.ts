import * as v from "valibot";
import { sha256Hex } from "../../platform/hash.ts";
import { DemandSchema, forgetOld, KEPT_MINUTES, mergeDemand } from "./demand.ts";
import type { Demand } from "./demand.ts";

/** The part of KV that the limiter uses. */
export interface RateStore {
  get(keys: string[], options: { type: "text"; cacheTtl: number }): Promise<Map<string, string | null>>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
}

/** A subject's demand is spread over this many KV keys, because each accepts one write per second. */
const SHARDS = 8;
/** KV's minimum, in seconds. */
const READ_CACHE_SECONDS = 30;
const LIFETIME_SECONDS = KEPT_MINUTES * 60;
/** A full shard has about 23,000 characters. */
const Shard = v.pipe(v.string(), v.maxLength(40_000), v.parseJson(), DemandSchema);

/** The KV keys of a subject's shards. They contain only its hash. */
export function shardKeys(subject: string): string[] {
  const hash = sha256Hex(subject).slice(0, 32);
  return Array.from({ length: SHARDS }, (_, shard) => `rl:${hash}:${shard}`);
}

/** What an isolate exchanges about a subject, and how. */
export interface Exchange {
  readonly kv: RateStore;
  readonly subject: string;
  readonly demand: Demand;
  /** The current one, since the Unix epoch. */
  readonly minute: number;
  /** In [0, 1). */
  random(): number;
}

/**
 * Reads what other isolates reported, and writes all that is known into one shard. Writers pass on what they have read,
 * so a report that is overwritten in one shard survives in others. Missing and corrupt shards count as empty.
 * @throws when KV fails
 */
export async function exchange({ kv, subject, demand, minute, random }: Exchange): Promise<void> {
  const keys = shardKeys(subject);
  const values = await kv.get(keys, { type: "text", cacheTtl: READ_CACHE_SECONDS });
  for (const value of values.values()) {
    const shard = v.safeParse(Shard, value);
    if (shard.success) mergeDemand(demand, shard.output);
  }
  // Old minutes would otherwise be passed on forever.
  forgetOld(demand, minute);
  const key = keys[Math.floor(random() * SHARDS)]!;
  await kv.put(key, JSON.stringify(demand), { expirationTtl: LIFETIME_SECONDS });
}
