import { mergeOthers, roll, windowAt } from "./state.ts";
import type { RateState } from "./state.ts";
import { SHARDS, decodeShard, encodeShard, shardKey, shardLifetime, shardOf } from "./shards.ts";
import type { IsolateCounts } from "./shards.ts";

/** The least that KV allows, in seconds. */
const READ_CACHE_SECONDS = 30;

/** What the limiter uses of KV. */
export interface RateStore {
  get(keys: string[], options: { type: "text"; cacheTtl: number }): Promise<Map<string, string | null>>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
}

/** A subject as this isolate knows it, and what it has told the others. */
export interface Shared {
  readonly policyName: string;
  readonly subject: string;
  readonly isolate: string;
  readonly state: RateState;
  /** Own counts as they were last written, by window. */
  written: ReadonlyMap<number, number>;
  /** The window whose predecessor's final count has been written in it: another may have overwritten it before. */
  settled: number;
}

/** What an exchange does beside talking to KV. */
export interface ExchangeContext {
  readonly kv: RateStore;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Whether it is still this exchange's turn. One that hung for long finds that another has taken over. */
  isCurrent(): boolean;
  failed(error: unknown): void;
}

/** Whether the others have yet to learn of an admission. */
export function isUnwritten({ state, written }: Shared): boolean {
  return [state.index, state.index - 1].some((index) => (windowAt(state, index)?.own ?? 0) > (written.get(index) ?? 0));
}

function without(counts: IsolateCounts, isolate: string): IsolateCounts {
  return new Map([...counts].filter(([other]) => other !== isolate));
}

/** Merges the shards of this window and the previous one. Returns what they said of this isolate, by window. */
async function readShards(shared: Shared, { kv, now }: ExchangeContext): Promise<Map<number, number>> {
  const { policyName, subject, isolate, state } = shared;
  const shards = [state.index, state.index - 1].flatMap((index) =>
    Array.from({ length: SHARDS }, (_, shard) => ({ index, key: shardKey(policyName, subject, index, shard) })),
  );
  const keys = shards.map(({ key }) => key);
  const values = await kv.get(keys, { type: "text", cacheTtl: READ_CACHE_SECONDS });
  roll(state, now());
  const seen = new Map<number, number>();
  for (const { index, key } of shards) {
    const counts = decodeShard(values.get(key));
    const ours = counts.get(isolate);
    if (ours !== undefined) seen.set(index, ours);
    mergeOthers(state, index, without(counts, isolate));
  }
  return seen;
}

/** Writes the own count of a window into its shard, with what is known of others. */
async function writeShard(shared: Shared, index: number, { kv }: ExchangeContext): Promise<void> {
  const { policyName, subject, isolate, state } = shared;
  const { own, others } = windowAt(state, index)!;
  const shard = shardOf(isolate, index);
  const expirationTtl = shardLifetime(state.windowMs / 1000);
  await kv.put(shardKey(policyName, subject, index, shard), encodeShard(others, isolate, own), { expirationTtl });
  shared.written = new Map([...shared.written].filter(([kept]) => kept >= index - 1)).set(index, own);
}

/** Whether a window's shard lacks own admissions: never written, or overwritten by one that had not read them. */
function isOwed(shared: Shared, index: number, seen: ReadonlyMap<number, number>): boolean {
  const own = windowAt(shared.state, index)?.own ?? 0;
  if (own > (shared.written.get(index) ?? 0)) return true;
  return own > (seen.get(index) ?? 0) && (index === shared.state.index || shared.settled !== shared.state.index);
}

/**
 * Learns what the others admitted and tells them what was admitted here: one bulk read, and a write for each of two windows if there
 * is something to tell. Never rejects: a failed read costs freshness, and a refused write is made good by the next.
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
    roll(shared.state, context.now());
    const index = shared.state.index - offset;
    if (!isOwed(shared, index, seen)) continue;
    try {
      await writeShard(shared, index, context);
      if (offset === 1) shared.settled = index + 1;
    } catch (error) {
      context.failed(error);
    }
  }
}
