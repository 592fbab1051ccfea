import type { Count, Entry, Use } from "./part.ts";

function addCount(counts: Count[], added: Count): void {
  const same = counts.find(
    ({ startedAt, key, mode, day, country }) =>
      country === added.country &&
      key === added.key &&
      day === added.day &&
      mode === added.mode &&
      startedAt === added.startedAt,
  );
  if (same === undefined) return void counts.push({ ...added });
  same.successful += added.successful;
  same.failed += added.failed;
}

function addUse(uses: Use[], added: Use): void {
  const same = uses.find(({ meter, key }) => meter === added.meter && key === added.key);
  if (same === undefined) return void uses.push({ ...added });
  same.amount += added.amount;
  same.most = added.most;
}

/** Adds up calls as the entries of a part: one for each call with an Idempotency-Key, and one for all others. */
export function createUsageSum() {
  const sum = { counts: [] as Count[], uses: [] as Use[] };
  const keyed: Entry[] = [];

  return {
    add(entry: Entry): void {
      if (entry.call !== undefined) return void keyed.push(entry);
      for (const count of entry.counts) addCount(sum.counts, count);
      for (const use of entry.uses) addUse(sum.uses, use);
    },
    get entries(): Entry[] {
      return sum.counts.length > 0 ? [sum, ...keyed] : keyed;
    },
    /** How many calls with a key and counts it has. */
    get size(): number {
      return keyed.reduce((size, { counts }) => size + 1 + counts.length, sum.counts.length);
    },
  };
}

export type UsageSum = ReturnType<typeof createUsageSum>;
