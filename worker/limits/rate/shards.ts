/** Requests admitted in one window, by isolate. */
export type IsolateCounts = ReadonlyMap<string, number>;

/** The counts of a window are spread over so many KV keys: each takes one write a second. */
export const SHARDS = 8;
/** Isolates that are remembered of a window, highest counts first: bounds memory and the size of a value. */
export const MAX_ISOLATES = 128;
/** Longest value that is read, in UTF-16 units. A full one has less than half of it. */
const MAX_VALUE_LENGTH = 8_192;
/** More than any limit: a count above it is damage. */
const MAX_COUNT = 1_000_000;
const ISOLATE_ID = /^[0-9A-Za-z]{1,16}$/;

/**
 * Which shard an isolate writes in a window: FNV-1a, 32 bits. Those that share one overwrite each other's counts that they have not
 * read yet, so every window brings others together.
 */
export function shardOf(isolate: string, window: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${isolate}:${window}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % SHARDS;
}

/** The KV key of a shard: `rl:{policy}:{subject}:{window}:{shard}`. */
export function shardKey(policy: string, subject: string, window: number, shard: number): string {
  return `rl:${policy}:${subject}:${window}:${shard}`;
}

/** How long a shard is kept, in seconds: its window, the next, which still pays its debt, and a minute for late reads. */
export function shardLifetime(windowSeconds: number): number {
  return 2 * windowSeconds + 60;
}

function highest(counts: IsolateCounts, most: number): IsolateCounts {
  return counts.size <= most ? counts : new Map([...counts].toSorted(([, a], [, b]) => b - a).slice(0, most));
}

/**
 * The value of a shard: one's own count, and all that is known of others. Whoever writes passes on what it has read, so that a count
 * which was overwritten in its own shard lives on in the rest.
 */
export function encodeShard(others: IsolateCounts, isolate: string, count: number): string {
  return JSON.stringify(Object.fromEntries([...highest(others, MAX_ISOLATES - 1), [isolate, count]]));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MAX_COUNT;
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

/** Reads a shard's value. One that is missing, damaged or far too long tells nothing, and so does an entry that is no count. */
export function decodeShard(value: string | null | undefined): IsolateCounts {
  if (value === null || value === undefined || value.length > MAX_VALUE_LENGTH) return new Map();
  const read = parse(value);
  if (typeof read !== "object" || read === null || Array.isArray(read)) return new Map();
  const counts = new Map<string, number>();
  for (const [isolate, count] of Object.entries(read)) {
    if (ISOLATE_ID.test(isolate) && isCount(count)) counts.set(isolate, count);
  }
  return highest(counts, MAX_ISOLATES);
}

/** Both counts of a window in one, the higher of each isolate: in any order and any number of times the same. */
export function mergeCounts(one: IsolateCounts, other: IsolateCounts): IsolateCounts {
  const merged = new Map(one);
  for (const [isolate, count] of other) merged.set(isolate, Math.max(count, merged.get(isolate) ?? 0));
  return highest(merged, MAX_ISOLATES);
}
