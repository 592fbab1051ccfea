import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, decide, take } from "./decide.ts";
import { changeLimit, createRateState, debtAfter, mergeOthers, roll, takeBack } from "./state.ts";
import type { RateState } from "./state.ts";

const WINDOW = 60_000;
/** The start of a window. */
const START = 1_000_000 * WINDOW;

function stateOf(limit: number, now = START): RateState {
  return createRateState({ limit, windowSeconds: 60 }, now);
}

/** How many of this many simultaneous requests are admitted. */
function admit(state: RateState, requests: number, now: number): number {
  return Array.from({ length: requests }, () => take(state, now)).filter(({ allowed }) => allowed).length;
}

function others(...counts: number[]): Map<string, number> {
  return new Map(counts.map((count, index) => [`other${index}`, count]));
}

/** Times with gaps of every size, many of them exactly a window after an earlier one. */
const arrivals = fc
  .array(fc.oneof(fc.nat(20), fc.nat(5_000), fc.constantFrom(0, 1, WINDOW - 1, WINDOW, WINDOW + 1)), { maxLength: 300 })
  .map((gaps) => {
    let time = START;
    return gaps.map((gap) => (time += gap));
  });

describe("alone, an isolate", () => {
  test("admits a request exactly when fewer than the limit were admitted in the preceding window length", () => {
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 40 }), (times, limit) => {
        const state = stateOf(limit);
        const admitted: number[] = [];
        for (const time of times) {
          const expected = admitted.filter((earlier) => earlier > time - WINDOW).length < limit;
          expect(take(state, time).allowed).toBe(expected);
          if (expected) admitted.push(time);
        }
        for (let later = limit; later < admitted.length; later++) {
          expect(admitted[later]! - admitted[later - limit]!).toBeGreaterThanOrEqual(WINDOW);
        }
      }),
    );
  });

  test("never rejects a client that paces itself evenly within the limit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(WINDOW), (limit, offset) => {
        const state = stateOf(limit, START + offset);
        const pace = Math.ceil(WINDOW / limit);
        for (let request = 0; request < 3 * limit; request++) {
          expect(take(state, START + offset + request * pace).allowed).toBe(true);
        }
      }),
    );
  });

  test("keeps its promises: `remaining` more are admitted, and after Retry-After another one", () => {
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 20 }), (times, limit) => {
        const state = stateOf(limit);
        for (const time of times) take(state, time);
        const now = times.at(-1) ?? START;
        const first = take(state, now);
        if (first.allowed) {
          expect(admit(state, limit, now)).toBe(first.remaining);
          return;
        }
        const { retryAfterSeconds, until } = first;
        expect(decide(state, roll(state, until - 1)).allowed).toBe(false);
        expect(take(state, now + retryAfterSeconds * 1000).allowed).toBe(true);
      }),
    );
  });

  test("gives a new client its whole limit immediately, and counts down", () => {
    const state = stateOf(60);
    expect(take(state, START + 59_999)).toStrictEqual({ allowed: true, remaining: 59, resetSeconds: 60 });
    expect(take(state, START + 60_000)).toStrictEqual({ allowed: true, remaining: 58, resetSeconds: 60 });
    expect(admit(state, 100, START + 60_001)).toBe(58);
    expect(take(state, START + 60_001)).toStrictEqual({
      allowed: false,
      until: START + 119_999,
      retryAfterSeconds: 60,
    });
  });

  test("with a limit of one admits one per window", () => {
    const state = stateOf(1);
    expect(admit(state, 3, START)).toBe(1);
    expect(admit(state, 3, START + WINDOW - 1)).toBe(0);
    expect(admit(state, 3, START + WINDOW)).toBe(1);
  });

  test("decides without counting", () => {
    const state = stateOf(1);
    expect(decide(state, START)).toStrictEqual(decide(state, START));
    expect(state.current.own).toBe(0);
  });
});

describe("with others, an isolate", () => {
  test("stops when together they have reached the limit", () => {
    const state = stateOf(100);
    admit(state, 20, START + 1_000);
    mergeOthers(state, state.index, others(30, 30));
    expect(admit(state, 100, START + 2_000)).toBe(20);
    mergeOthers(state, state.index, others(60, 30));
    expect(take(state, START + 3_000)).toMatchObject({ allowed: false, until: START + WINDOW + 1 });
  });

  test("counts the part of the previous window that has not passed", () => {
    const state = stateOf(100);
    mergeOthers(state, state.index, others(50, 30));
    roll(state, START + WINDOW);
    expect(decide(state, START + WINDOW)).toMatchObject({ allowed: true, remaining: 19 });
    expect(decide(state, START + 1.5 * WINDOW)).toMatchObject({ allowed: true, remaining: 33 });
  });

  test("uses its share of the budget after more than the limit was admitted", () => {
    const state = stateOf(100);
    admit(state, 20, START);
    mergeOthers(state, state.index, others(40, 40, 40));
    // 140 admitted: a debt of 40 leaves 60 for four isolates.
    roll(state, START + 2 * WINDOW - 1);
    expect(decide(state, START + 2 * WINDOW - 1)).toMatchObject({ allowed: true, remaining: 14 });
  });

  test("keeps most of an above-average share", () => {
    const state = stateOf(100);
    admit(state, 90, START);
    mergeOthers(state, state.index, others(20, 10, 10));
    // 90 of 130, and a budget of 70.
    roll(state, START + 2 * WINDOW - 1);
    expect(decide(state, START + 2 * WINDOW - 1)).toMatchObject({ allowed: true, remaining: 43 });
  });

  test("admits more than its share while no one runs short", () => {
    const state = stateOf(100);
    admit(state, 8, START);
    mergeOthers(state, state.index, others(...Array<number>(11).fill(7)));
    roll(state, START + 2 * WINDOW - 1);
    expect(decide(state, START + 2 * WINDOW - 1)).toMatchObject({ allowed: true, remaining: 22 });
    state.current.rejected = 50;
    expect(decide(state, START + 2 * WINDOW - 1)).toMatchObject({ allowed: true, remaining: 8 });
  });

  test("admits again early in the window after one far over the limit", () => {
    const state = stateOf(100);
    admit(state, 100, START);
    mergeOthers(state, state.index, others(100, 100, 100, 100));
    expect(take(state, START + 1)).toMatchObject({ allowed: false, until: START + WINDOW + 1 });
    expect(admit(state, 100, START + WINDOW + 1)).toBe(1);
    const wait = take(state, START + WINDOW + 2);
    expect(wait).toMatchObject({ allowed: false, until: START + WINDOW + 6_001 });
  });

  test("forgets them after three windows", () => {
    const state = stateOf(10);
    mergeOthers(state, state.index, others(10, 10));
    roll(state, START + 2 * WINDOW);
    expect(state.isolates).toBe(3);
    expect(admit(state, 20, START + 3 * WINDOW)).toBe(10);
  });

  test("with a limit of one still admits one now and then", () => {
    const state = stateOf(1);
    let admitted = 0;
    for (let second = 0; second < 600; second++) {
      if (second % 60 === 0) mergeOthers(state, state.index, others(1));
      admitted += admit(state, 1, START + second * 1000 + 500);
    }
    expect(admitted).toBeGreaterThanOrEqual(5);
  });

  test("never admits more than the limit itself", () => {
    const counts = fc.array(fc.tuple(fc.nat(12 * WINDOW), fc.nat(3), fc.integer({ min: 1, max: 300 })));
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 30 }), (news, limit) => {
        const state = stateOf(limit);
        const admitted: number[] = [];
        const merges = news.toSorted(([a], [b]) => a - b);
        for (let time = START; time < START + 12 * WINDOW; time += 700) {
          while (merges[0] !== undefined && START + merges[0][0] <= time) {
            const [, isolate, count] = merges.shift()!;
            mergeOthers(state, state.index, new Map([[`other${isolate}`, count]]));
          }
          if (take(state, time).allowed) admitted.push(time);
        }
        for (let later = limit; later < admitted.length; later++) {
          expect(admitted[later]! - admitted[later - limit]!).toBeGreaterThanOrEqual(WINDOW);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("calls that weigh more than one", () => {
  /** Calls as time since the previous one, and weight. */
  const heavyCalls = fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 100 })), { maxLength: 200 });

  test("are admitted whole while there is any room, alone, and no more than the limit in the long run", () => {
    fc.assert(
      fc.property(heavyCalls, fc.integer({ min: 1, max: 300 }), (calls, limit) => {
        const state = stateOf(limit);
        const admitted: { readonly at: number; readonly weight: number }[] = [];
        let now = START;
        for (const [gap, weight] of calls) {
          now += gap;
          const decision = take(state, now, weight);
          if (decision.allowed) admitted.push({ at: now, weight });
          else expect(decision.until).toBeGreaterThan(now);
        }
        for (let windows = 1; windows <= 5; windows++) {
          for (const { at } of admitted) {
            const span = admitted.filter((other) => other.at > at - windows * WINDOW && other.at <= at);
            const total = span.reduce((sum, { weight }) => sum + weight, 0);
            expect(total - span.at(-1)!.weight).toBeLessThan(windows * limit + 100);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test("exceed the room by what the next window then lacks", () => {
    const state = stateOf(600);
    expect(take(state, START, 550)).toMatchObject({ allowed: true, remaining: 50 });
    expect(take(state, START + 1, 100)).toMatchObject({ allowed: true, remaining: 0 });
    expect(take(state, START + 2, 1)).toMatchObject({ allowed: false, until: START + WINDOW });
    expect(take(state, START + WINDOW, 1)).toMatchObject({ allowed: true, remaining: 499 });
    expect(take(state, START + WINDOW + 1, 499)).toMatchObject({ allowed: true, remaining: 50 });
  });

  test("may exceed a smaller share, and then wait until it has been paid back", () => {
    const state = stateOf(600);
    const refresh = () => mergeOthers(state, state.index, others(...Array<number>(11).fill(50)));
    let admitted = 0;
    for (let window = 0; window < 12; window++) {
      for (let second = 0; second < 60; second += 5) {
        const now = START + window * WINDOW + second * 1_000;
        roll(state, now);
        refresh();
        if (take(state, now, 100).allowed) admitted += 1;
      }
    }
    // A twelfth of 600 is 50 per window, so a call of 100 every other window.
    expect(admitted).toBeGreaterThanOrEqual(5);
    expect(admitted).toBeLessThanOrEqual(8);
  });

  test("are checked before their weight is known, which counts only a rejection, weighing as much as the last one", () => {
    const state = stateOf(150);
    expect(ask(state, START)).toStrictEqual({ allowed: true, remaining: 150, resetSeconds: 60 });
    take(state, START, 100);
    expect(ask(state, START)).toMatchObject({ allowed: true, remaining: 50 });
    take(state, START, 100);
    expect(state.current).toMatchObject({ own: 200, rejected: 0 });
    expect(ask(state, START)).toMatchObject({ allowed: false });
    expect(state.current).toMatchObject({ own: 200, rejected: 100 });
  });

  test("can be taken back, one at a time", () => {
    const state = stateOf(2);
    expect(admit(state, 5, START)).toBe(2);
    takeBack(state);
    state.denyUntil = 0;
    expect(admit(state, 5, START)).toBe(1);
  });
});

describe("debt", () => {
  test("is what was admitted above the limit, at most half of it, and is paid back by what a window leaves unused", () => {
    const window = (own: number) => ({ own, rejected: 0, others: new Map<string, number>(), othersTotal: 0 });
    expect(debtAfter(0, window(130), 100)).toBe(30);
    expect(debtAfter(0, window(900), 100)).toBe(50);
    expect(debtAfter(50, window(90), 100)).toBe(40);
    expect(debtAfter(40, window(60), 100)).toBe(0);
  });

  test("outlives the window it comes from, but not a long silence", () => {
    const state = stateOf(100);
    mergeOthers(state, state.index, others(100, 100));
    for (const window of [1, 2, 3, 4]) {
      roll(state, START + window * WINDOW);
      mergeOthers(state, state.index, others(45, 45));
    }
    // Half the limit, minus ten for each window since.
    expect(state.olderDebt).toBe(40);
    roll(state, START + 1_000 * WINDOW);
    expect(state).toMatchObject({ olderDebt: 0, isolates: 1, current: { own: 0 }, previous: { othersTotal: 0 } });
  });
});

describe("a clock", () => {
  test("that moves back a little is frozen", () => {
    const state = stateOf(2);
    admit(state, 1, START + 30_000);
    expect(roll(state, START - 30_000)).toBe(START + 30_000);
    expect(admit(state, 5, START)).toBe(1);
    expect(admit(state, 5, START + 90_000)).toBe(2);
  });

  test("that moves back far is trusted: no one is rejected until it has caught up", () => {
    const state = stateOf(2);
    admit(state, 5, START);
    expect(admit(state, 5, START - 60 * WINDOW)).toBe(2);
    expect(state.index).toBe(START / WINDOW - 60);
  });
});

test("a changed limit applies immediately, counting earlier admissions", () => {
  const state = stateOf(2);
  expect(admit(state, 5, START)).toBe(2);
  changeLimit(state, 10);
  expect(admit(state, 20, START)).toBe(8);
  changeLimit(state, 5);
  expect(take(state, START + 1)).toMatchObject({ allowed: false, until: START + WINDOW });
});
