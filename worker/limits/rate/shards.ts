/** What was admitted in one window, by isolate. */
export type IsolateCounts = ReadonlyMap<string, number>;

/** Requests admitted in one window, and their numbers. */
export interface Usage {
  readonly requests: number;
  readonly numbers: number;
}

/** Usage by isolate. */
export type IsolateUsage = ReadonlyMap<string, Usage>;

/** A window's counts are spread over this many KV keys: each accepts one write per second. */
export const SHARDS = 8;
/** Isolates remembered per window, highest counts first. Bounds memory and value size. */
export const MAX_ISOLATES = 128;
/** Longest value we read, in UTF-16 units. A full one has less than two thirds of this. */
const MAX_VALUE_LENGTH = 8_192;
/** Higher than any limit: a count above it is corrupt. */
const MAX_COUNT = 1_000_000;
const ISOLATE_ID = /^[0-9A-Za-z]{1,16}$/;

/**
 * The shard that an isolate writes in a window: FNV-1a, 32 bits. Isolates in one shard overwrite each other's counts
 * that they have not read yet, so every window groups them differently.
 */
export function shardOf(isolate: string, window: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${isolate}:${window}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % SHARDS;
}

/** The KV key of a shard: `rl:{subject}:{window}:{shard}`. */
export function shardKey(subject: string, window: number, shard: number): string {
  return `rl:${subject}:${window}:${shard}`;
}

/**
 * How long a shard is kept, in seconds: its window, the next, which still pays its debt, and a minute for late reads.
 */
export function shardLifetime(windowSeconds: number): number {
  return 2 * windowSeconds + 60;
}

function highest<Count>(counts: ReadonlyMap<string, Count>, by: (count: Count) => number, most = MAX_ISOLATES) {
  return counts.size <= most ? counts : new Map([...counts].toSorted(([, a], [, b]) => by(b) - by(a)).slice(0, most));
}

/**
 * The value of a shard, `{isolate: [requests, numbers]}`: the writer's usage, and everything it knows of others.
 * Writers pass on what they have read, so usage overwritten in its own shard survives in the rest.
 */
export function encodeShard(others: IsolateUsage, isolate: string, own: Usage): string {
  const kept = highest(others, ({ requests }) => requests, MAX_ISOLATES - 1);
  const entries = [...kept, [isolate, own] as const].map(([id, { requests, numbers }]) => [id, [requests, numbers]]);
  return JSON.stringify(Object.fromEntries(entries));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT;
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

/** Parses a shard's value. Ignores one that is missing, corrupt, or far too long, and malformed entries. */
export function decodeShard(value: string | null | undefined): IsolateUsage {
  if (value === null || value === undefined || value.length > MAX_VALUE_LENGTH) return new Map();
  const read = parse(value);
  if (typeof read !== "object" || read === null || Array.isArray(read)) return new Map();
  const usage = new Map<string, Usage>();
  for (const [isolate, entry] of Object.entries(read)) {
    if (!ISOLATE_ID.test(isolate) || !Array.isArray(entry) || entry.length !== 2) continue;
    const [requests, numbers] = entry as unknown[];
    if (isCount(requests) && isCount(numbers)) usage.set(isolate, { requests, numbers });
  }
  return highest(usage, ({ requests }) => requests);
}

/** Merges two counts of a window, keeping the higher of each isolate. Commutative and idempotent. */
export function mergeCounts(one: IsolateCounts, other: IsolateCounts): IsolateCounts {
  const merged = new Map(one);
  for (const [isolate, count] of other) merged.set(isolate, Math.max(count, merged.get(isolate) ?? 0));
  return highest(merged, (count) => count);
}
