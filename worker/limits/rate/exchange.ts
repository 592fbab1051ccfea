import * as v from "valibot";
import { sha256Hex } from "../../platform/hash.ts";
import { KEPT_MINUTES, mergeReports, reportsOf } from "./demand.ts";
import type { Demand, Report } from "./demand.ts";

/** The part of KV that the limiter uses. */
export interface RateStore {
  get(keys: string[], options: { type: "text"; cacheTtl: number }): Promise<Map<string, string | null>>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
}

/** A subject's reports are spread over this many KV keys, because each accepts one write per second. */
export const SHARDS = 8;
/** KV's minimum, in seconds. */
const READ_CACHE_SECONDS = 30;
const LIFETIME_SECONDS = KEPT_MINUTES * 60;

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const IsolateId = v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{1,16}$/));
/** A shard's value: `[minute, isolate, requests, numbers]` for each report. A full one has about 25,000 characters. */
const Shard = v.pipe(
  v.string(),
  v.maxLength(40_000),
  v.parseJson(),
  v.array(v.tuple([Count, IsolateId, Count, Count])),
);

/** The KV keys of a subject's shards. They contain only its hash. */
export function shardKeys(subject: string): string[] {
  const hash = sha256Hex(subject).slice(0, 32);
  return Array.from({ length: SHARDS }, (_, shard) => `rl:${hash}:${shard}`);
}

/** The value of a shard. */
export function encodeShard(reports: readonly Report[]): string {
  return JSON.stringify(reports.map(({ minute, isolate, requests, numbers }) => [minute, isolate, requests, numbers]));
}

/** The reports in a shard: none if it is missing, corrupt, or too long. */
export function decodeShard(value: unknown): Report[] {
  const { success, output } = v.safeParse(Shard, value);
  return success ? output.map(([minute, isolate, requests, numbers]) => ({ minute, isolate, requests, numbers })) : [];
}

/** What an isolate exchanges about a subject, and how. */
export interface Exchange {
  readonly kv: RateStore;
  readonly subject: string;
  readonly demand: Demand;
  /** This isolate's id. */
  readonly own: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** In [0, 1). */
  random(): number;
}

/**
 * Reads and merges all shards, then writes what is known into one of them. Writers pass on what they have read, so a
 * report that is overwritten in one shard survives in others.
 * @throws when KV fails
 */
export async function exchange({ kv, subject, demand, own, now, random }: Exchange): Promise<void> {
  const keys = shardKeys(subject);
  const values = await kv.get(keys, { type: "text", cacheTtl: READ_CACHE_SECONDS });
  mergeReports(demand, own, now(), [...values.values()].flatMap(decodeShard));
  const key = keys[Math.floor(random() * SHARDS)]!;
  await kv.put(key, encodeShard(reportsOf(demand)), { expirationTtl: LIFETIME_SECONDS });
}
