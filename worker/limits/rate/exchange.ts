import { mergeOthers, roll, windowAt } from "./state.ts";
import type { RateState } from "./state.ts";
import { SHARDS, decodeShard, encodeShard, shardKey, shardLifetime, shardOf } from "./shards.ts";
import type { IsolateUsage, Usage } from "./shards.ts";

/** KV's minimum, in seconds. */
const READ_CACHE_SECONDS = 30;

/** The part of KV that the limiter uses. */
export interface RateStore {
  get(keys: string[], options: { type: "text"; cacheTtl: number }): Promise<Map<string, string | null>>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
}

/** An isolate's view of a subject, and what it has reported to the others. */
export interface Shared {
  readonly subject: string;
  readonly isolate: string;
  /** Both have windows of the same length. */
  readonly requests: RateState;
  readonly numbers: RateState;
  /** This isolate's requests plus numbers as last written, by window. */
  written: ReadonlyMap<number, number>;
  /** The window in which its predecessor's final count was written: another isolate may have overwritten it before. */
  settled: number;
}

/** The context of an exchange, besides KV. */
export interface ExchangeContext {
  readonly kv: RateStore;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Whether this exchange still has its turn. If it hung for long, another has taken over. */
  isCurrent(): boolean;
  failed(error: unknown): void;
}

/** Rolls both counts to a time. Returns the current window's number. */
function rollBoth({ requests, numbers }: Shared, now: number): number {
  roll(numbers, now);
  roll(requests, now);
  return requests.index;
}

function ownUsage({ requests, numbers }: Shared, index: number): Usage {
  return { requests: windowAt(requests, index)?.own ?? 0, numbers: windowAt(numbers, index)?.own ?? 0 };
}

function sumOf({ requests, numbers }: Usage): number {
  return requests + numbers;
}

/** Whether the others have yet to learn of an admission. */
export function isUnwritten(shared: Shared): boolean {
  const { index } = shared.requests;
  return [index, index - 1].some((window) => sumOf(ownUsage(shared, window)) > (shared.written.get(window) ?? 0));
}

/** What others are known to have admitted in a window. */
function usageOfOthers({ requests, numbers }: Shared, index: number): IsolateUsage {
  const known = windowAt(numbers, index)?.others;
  const entries = [...(windowAt(requests, index)?.others ?? [])];
  return new Map(entries.map(([isolate, count]) => [isolate, { requests: count, numbers: known?.get(isolate) ?? 0 }]));
}

function merge(shared: Shared, index: number, usage: IsolateUsage): void {
  for (const unit of ["requests", "numbers"] as const) {
    const counts = [...usage].map(([isolate, counted]) => [isolate, counted[unit]] as const);
    const ofOthers = counts.filter(([isolate, count]) => isolate !== shared.isolate && count > 0);
    mergeOthers(shared[unit], index, new Map(ofOthers));
  }
}

/**
 * Merges the shards of this window and the previous one. Returns their counts for this isolate, added up, by window.
 */
async function readShards(shared: Shared, { kv, now }: ExchangeContext): Promise<Map<number, number>> {
  const { subject, isolate, requests } = shared;
  const shards = [requests.index, requests.index - 1].flatMap((index) =>
    Array.from({ length: SHARDS }, (_, shard) => ({ index, key: shardKey(subject, index, shard) })),
  );
  const keys = shards.map(({ key }) => key);
  const values = await kv.get(keys, { type: "text", cacheTtl: READ_CACHE_SECONDS });
  rollBoth(shared, now());
  const seen = new Map<number, number>();
  for (const { index, key } of shards) {
    const usage = decodeShard(values.get(key));
    const ours = usage.get(isolate);
    if (ours !== undefined) seen.set(index, sumOf(ours));
    merge(shared, index, usage);
  }
  return seen;
}

/** Writes this isolate's usage of a window into its shard, with what is known of others. */
async function writeShard(shared: Shared, index: number, { kv }: ExchangeContext): Promise<void> {
  const { subject, isolate, requests } = shared;
  const own = ownUsage(shared, index);
  const key = shardKey(subject, index, shardOf(isolate, index));
  const expirationTtl = shardLifetime(requests.windowMs / 1000);
  await kv.put(key, encodeShard(usageOfOthers(shared, index), isolate, own), { expirationTtl });
  shared.written = new Map([...shared.written].filter(([kept]) => kept >= index - 1)).set(index, sumOf(own));
}

/**
 * Whether a window's shard lacks this isolate's admissions: never written, or overwritten by an isolate that had not
 * read them.
 */
function isOwed(shared: Shared, index: number, seen: ReadonlyMap<number, number>): boolean {
  const own = sumOf(ownUsage(shared, index));
  if (own > (shared.written.get(index) ?? 0)) return true;
  return own > (seen.get(index) ?? 0) && (index === shared.requests.index || shared.settled !== shared.requests.index);
}

/**
 * Learns what the others admitted and reports what was admitted here: one bulk read, and a write for each of two
 * windows if there is news. Never rejects: a failed read costs freshness, and the next write makes up for a failed one.
 */
export async function exchange(shared: Shared, context: ExchangeContext): Promise<void> {
  let seen: ReadonlyMap<number, number> = new Map();
  try {
    seen = await readShards(shared, context);
  } catch (error) {
    context.failed(error);
  }
  for (const offset of [1, 0]) {
    if (!context.isCurrent()) return;
    const index = rollBoth(shared, context.now()) - offset;
    if (!isOwed(shared, index, seen)) continue;
    try {
      await writeShard(shared, index, context);
      if (offset === 1) shared.settled = index + 1;
    } catch (error) {
      context.failed(error);
    }
  }
}
