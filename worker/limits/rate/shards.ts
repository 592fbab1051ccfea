/** What was admitted in one window, by isolate. */
export type IsolateCounts = ReadonlyMap<string, number>;

/** Requests admitted in one window, and numbers in them. */
export interface Usage {
  readonly requests: number;
  readonly numbers: number;
}

/** The same by isolate. */
export type IsolateUsage = ReadonlyMap<string, Usage>;

/** The counts of a window are spread over so many KV keys: each takes one write a second. */
export const SHARDS = 8;
/** Isolates that are remembered of a window, highest counts first: bounds memory and the size of a value. */
export const MAX_ISOLATES = 128;
/** Longest value that is read, in UTF-16 units. A full one has less than two thirds of it. */
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

/** The KV key of a shard: `rl:{subject}:{window}:{shard}`. */
export function shardKey(subject: string, window: number, shard: number): string {
  return `rl:${subject}:${window}:${shard}`;
}

/** How long a shard is kept, in seconds: its window, the next, which still pays its debt, and a minute for late reads. */
export function shardLifetime(windowSeconds: number): number {
  return 2 * windowSeconds + 60;
}

function highest<Count>(counts: ReadonlyMap<string, Count>, by: (count: Count) => number, most = MAX_ISOLATES) {
  return counts.size <= most ? counts : new Map([...counts].toSorted(([, a], [, b]) => by(b) - by(a)).slice(0, most));
}

/**
 * The value of a shard, `{isolate: [requests, numbers]}`: one's own usage, and all that is known of others. A writer passes on
 * what it has read, so that usage which was overwritten in its own shard lives on in the rest.
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

/** Reads a shard's value. One that is missing, damaged or far too long tells nothing, and so does an entry of another form. */
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

/** Both counts of a window in one, the higher of each isolate: in any order and any number of times the same. */
export function mergeCounts(one: IsolateCounts, other: IsolateCounts): IsolateCounts {
  const merged = new Map(one);
  for (const [isolate, count] of other) merged.set(isolate, Math.max(count, merged.get(isolate) ?? 0));
  return highest(merged, (count) => count);
}
