import { WINDOW_MS } from "./window.ts";

/** Requests, and the numbers in them. */
export interface Usage {
  readonly requests: number;
  readonly numbers: number;
}

/** What clients asked an isolate for in a minute, admitted or not. */
export interface Report extends Usage {
  /** Minutes since the Unix epoch. */
  readonly minute: number;
  readonly isolate: string;
}

/** What clients asked for, by minute since the Unix epoch and isolate. */
export type Demand = Map<number, Map<string, Usage>>;

/** Isolates kept per minute. */
export const MAX_ISOLATES = 128;
/** This minute and three before it: a report can be two minutes old when it is written, and takes as long to arrive. */
export const KEPT_MINUTES = 4;
const NONE: Usage = { requests: 0, numbers: 0 };

function isKept(minute: number, now: number): boolean {
  const age = Math.floor(now / WINDOW_MS) - minute;
  // Another isolate's clock may be ahead.
  return age >= -1 && age < KEPT_MINUTES;
}

function isolatesOf(demand: Demand, minute: number): Map<string, Usage> {
  const isolates = demand.get(minute) ?? new Map<string, Usage>();
  demand.set(minute, isolates);
  return isolates;
}

/** Forgets old minutes. Times are in milliseconds. */
export function forgetOld(demand: Demand, now: number): void {
  for (const minute of demand.keys()) if (!isKept(minute, now)) demand.delete(minute);
}

/** Counts what this isolate was asked for. */
export function addDemand(demand: Demand, own: string, now: number, asked: Usage): void {
  const isolates = isolatesOf(demand, Math.floor(now / WINDOW_MS));
  const { requests, numbers } = isolates.get(own) ?? NONE;
  isolates.set(own, { requests: requests + asked.requests, numbers: numbers + asked.numbers });
}

/** This isolate's entry first, then those with the most numbers. */
function busiest(isolates: ReadonlyMap<string, Usage>, own: string): Map<string, Usage> {
  const sorted = [...isolates].toSorted(
    ([idA, a], [idB, b]) => Number(idB === own) - Number(idA === own) || b.numbers - a.numbers,
  );
  return new Map(sorted.slice(0, MAX_ISOLATES));
}

/** Merges reports by maximum, so lost ones are made up for and none counts twice. */
export function mergeReports(demand: Demand, own: string, now: number, reports: readonly Report[]): void {
  for (const { minute, isolate, ...reported } of reports) {
    if (!isKept(minute, now)) continue;
    const isolates = isolatesOf(demand, minute);
    const { requests, numbers } = isolates.get(isolate) ?? NONE;
    isolates.set(isolate, {
      requests: Math.max(requests, reported.requests),
      numbers: Math.max(numbers, reported.numbers),
    });
  }
  for (const [minute, isolates] of demand) {
    if (isolates.size > MAX_ISOLATES) demand.set(minute, busiest(isolates, own));
  }
}

/** Everything known. */
export function reportsOf(demand: Demand): Report[] {
  return [...demand].flatMap(([minute, isolates]) =>
    [...isolates].map(([isolate, usage]) => ({ minute, isolate, ...usage })),
  );
}

/** This isolate's average numbers per request, at least one. */
export function averageNumbers(demand: Demand, own: string): number {
  let requests = 0;
  let numbers = 0;
  for (const isolates of demand.values()) {
    const usage = isolates.get(own) ?? NONE;
    requests += usage.requests;
    numbers += usage.numbers;
  }
  return Math.max(1, Math.round(numbers / Math.max(1, requests)));
}

/**
 * How much of a limit this isolate may admit: all of it if the isolates' demand is within the limit, else in proportion
 * to its own demand. Demand is that of the busiest minute kept, because the latest reports are still missing. That of
 * the others is added up by minute first, so that a client that moves between isolates counts once.
 */
export function shareOf(demand: Demand, own: string, unit: keyof Usage, limit: number): number {
  let ours = 0;
  let others = 0;
  for (const isolates of demand.values()) {
    const here = (isolates.get(own) ?? NONE)[unit];
    let sum = 0;
    for (const usage of isolates.values()) sum += usage[unit];
    ours = Math.max(ours, here);
    others = Math.max(others, sum - here);
  }
  if (others === 0 || ours + others <= limit) return limit;
  return Math.max(1, Math.round((limit * ours) / (ours + others)));
}
