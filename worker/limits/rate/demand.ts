import * as v from "valibot";

/** Minutes kept, this one included. Reports can be two minutes old when they arrive. */
export const KEPT_MINUTES = 3;
/** Isolates kept per minute. */
export const MAX_ISOLATES = 128;

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Isolate = v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{1,16}$/));
const Minute = v.pipe(v.string(), v.regex(/^\d{1,9}$/));
const Usage = v.object({ requests: Count, numbers: Count });

/** Requests, and the numbers in them. */
export type Usage = v.InferOutput<typeof Usage>;

/** What clients requested, admitted or not, by minute since the Unix epoch and isolate. */
export const DemandSchema = v.record(Minute, v.record(Isolate, Usage));
export type Demand = v.InferOutput<typeof DemandSchema>;

/** Forgets what is too old, or in the future. */
export function forgetOld(demand: Demand, minute: number): void {
  for (const kept in demand) {
    const age = minute - Number(kept);
    // Another isolate's clock may be ahead.
    if (age >= KEPT_MINUTES || age < -1) delete demand[kept];
  }
}

function usageOf(demand: Demand, minute: number | string, isolate: string): Usage {
  return ((demand[minute] ??= {})[isolate] ??= { requests: 0, numbers: 0 });
}

/** Counts what an isolate's clients requested. */
export function addDemand(demand: Demand, minute: number, isolate: string, added: Usage): void {
  const usage = usageOf(demand, minute, isolate);
  usage.requests += added.requests;
  usage.numbers += added.numbers;
}

/** Merges what others reported by maximum, so a lost report is made up for by the next and none counts twice. */
export function mergeDemand(demand: Demand, reported: Demand): void {
  for (const [minute, isolates] of Object.entries(reported)) {
    for (const [isolate, { requests, numbers }] of Object.entries(isolates)) {
      const known = demand[minute] ?? {};
      if (!(isolate in known) && Object.keys(known).length >= MAX_ISOLATES) continue;
      const usage = usageOf(demand, minute, isolate);
      usage.requests = Math.max(usage.requests, requests);
      usage.numbers = Math.max(usage.numbers, numbers);
    }
  }
}

/** An isolate's average numbers per request, at least one. */
export function averageNumbers(demand: Demand, isolate: string): number {
  const usages = Object.values(demand).flatMap((isolates) => isolates[isolate] ?? []);
  const sum = (unit: keyof Usage) => usages.reduce((all, usage) => all + usage[unit], 0);
  return Math.max(1, Math.round(sum("numbers") / Math.max(1, sum("requests"))));
}

/**
 * How much of a limit an isolate may admit: all of it while demand is within the limit, else in proportion to its own.
 * Demand is that of the busiest minute, because the latest reports are still missing. That of the others is added up by
 * minute first, so a client that moves between isolates counts once.
 */
export function shareOf(demand: Demand, isolate: string, unit: keyof Usage, limit: number): number {
  let own = 0;
  let others = 0;
  // With each request, so it makes no lists.
  for (const minute in demand) {
    const isolates = demand[minute]!;
    const here = isolates[isolate]?.[unit] ?? 0;
    let all = 0;
    for (const each in isolates) all += isolates[each]![unit];
    own = Math.max(own, here);
    others = Math.max(others, all - here);
  }
  if (others === 0 || own + others <= limit) return limit;
  return Math.max(1, Math.round((limit * own) / (own + others)));
}
