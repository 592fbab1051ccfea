import type { Count, Entry, Use } from "./part.ts";

function addCount(counts: Map<string, Count>, added: Count): void {
  const { startedAt, key, mode, day, country } = added;
  // None of these contains a space.
  const name = `${startedAt} ${key} ${mode} ${day} ${country}`;
  const same = counts.get(name);
  if (same === undefined) return void counts.set(name, { ...added });
  same.successful += added.successful;
  same.failed += added.failed;
}

function addUse(uses: Use[], added: Use): void {
  const same = uses.find(({ meter }) => meter === added.meter);
  if (same === undefined) return void uses.push({ ...added });
  same.amount += added.amount;
  same.most = added.most;
}

/** Adds up calls as the entries of a part: one for each call with an Idempotency-Key, and one for all others. */
export function createUsageSum() {
  /** By name, since a batch adds one for each of its countries. */
  const counts = new Map<string, Count>();
  const uses: Use[] = [];
  const keyed: Entry[] = [];

  return {
    add(entry: Entry): void {
      if (entry.call !== undefined) return void keyed.push(entry);
      for (const count of entry.counts) addCount(counts, count);
      for (const use of entry.uses) addUse(uses, use);
    },
    get entries(): Entry[] {
      return counts.size > 0 ? [{ counts: [...counts.values()], uses }, ...keyed] : keyed;
    },
    /** How many calls with a key and counts it has. */
    get size(): number {
      return keyed.reduce((size, entry) => size + 1 + entry.counts.length, counts.size);
    },
  };
}

export type UsageSum = ReturnType<typeof createUsageSum>;
