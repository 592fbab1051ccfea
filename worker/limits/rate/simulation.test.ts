import { beforeEach, describe, expect, test, vi } from "vitest";
import { seededRandom } from "../../../test/seeded.ts";
import { longOrShort } from "../../../test/long.ts";
import { simulateRateLimit } from "../../../test/rate-simulator.ts";
import type { SimulationOptions } from "../../../test/rate-simulator.ts";

const POLICY = { name: "requests", limit: 100, windowSeconds: 60 };
/** Higher than any of these clients needs. */
const ANY_NUMBERS = { name: "numbers", limit: 100_000, windowSeconds: 60 };
const SEEDS = longOrShort([1, 2, 3, 4, 5, 6], [1, 2]);
const WINDOWS = 8;
const ONE = { isolates: 1, locations: 1 };
const MANY = { isolates: 12, locations: 4 };

type Scenario = Pick<SimulationOptions, "isolates" | "locations" | "load"> & Partial<SimulationOptions>;
type Run = Awaited<ReturnType<typeof simulateRateLimit>>;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

function rejectedPart({ outcomes }: Run): number {
  return 1 - sum(outcomes.map(({ admitted }) => admitted)) / sum(outcomes.map(({ offered }) => offered));
}

/** US dollars per million requests. Reads cost $0.50 per million, writes $5. */
function costOf({ calls, requests }: Run): number {
  return (0.5 * calls.reads + 5 * calls.writes) / requests;
}

/** Every run, whatever its scenario, is within the price in docs/scale.md. */
async function simulate(seed: number, scenario: Scenario): Promise<Run> {
  const run = await simulateRateLimit({
    random: seededRandom(seed),
    requests: POLICY,
    numbers: ANY_NUMBERS,
    windows: WINDOWS,
    ...scenario,
  });
  expect(costOf(run)).toBeLessThanOrEqual(0.45);
  return run;
}

/** The same scenario with several seeds. */
async function simulateAll(scenario: Scenario): Promise<Run[]> {
  const runs: Run[] = [];
  for (const seed of SEEDS) runs.push(await simulate(seed, scenario));
  return runs;
}

const table: string[] = [];
const HEADER = ["load", ...Array.from({ length: WINDOWS }, (_, window) => `${window + 1}.`.padStart(11))].join(" ");

/** Mean and maximum of the runs, by window. */
function addRow(load: number | string, runs: readonly Run[]): void {
  const cells = Array.from({ length: WINDOWS }, (_, window) => {
    const admitted = runs.map(({ outcomes }) => outcomes[window]!.admitted);
    return `${Math.round(mean(admitted))} (${Math.max(...admitted)})`.padStart(11);
  });
  const later = mean(runs.flatMap(({ outcomes }) => outcomes.slice(1).map(({ admitted }) => admitted)));
  const cost = Math.max(...runs.map(costOf)).toFixed(2);
  table.push(`${`${load}x`.padStart(4)} ${cells.join(" ")}  from the second ${Math.round(later)}, KV $${cost}`);
}

function printTable(of: string): void {
  const title = `${of} admitted per minute, mean and (highest) of ${SEEDS.length} runs; KV per million requests`;
  console.log([title, HEADER, ...table.splice(0)].join("\n"));
}

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  return () => vi.restoreAllMocks();
});

describe("one isolate", () => {
  test("admits exactly the limit in every minute, and never more in any 60 s", async () => {
    for (const load of [1, 2, 10]) {
      const { outcomes, admissions } = await simulate(1, { ...ONE, load });
      for (const { admitted } of outcomes) expect(admitted).toBe(POLICY.limit);
      for (let later = POLICY.limit; later < admissions.length; later++) {
        expect(admissions[later]! - admissions[later - POLICY.limit]!).toBeGreaterThanOrEqual(60_000);
      }
    }
  });

  test("rejects nothing below it", async () => {
    expect(rejectedPart(await simulate(1, { ...ONE, load: 0.99 }))).toBe(0);
  });
});

describe("twelve isolates in four locations, KV stale, rejecting and losing writes, limit 100 per minute", () => {
  test("admit at most 3 times the limit at 10 times the load from the second minute on, never less than half", async () => {
    for (const load of [0.9, 1, 1.5, 2, 10]) {
      for (const isAligned of [true, false]) {
        const runs = await simulateAll({ ...MANY, load, isAligned });
        addRow(isAligned ? load : `~${load}`, runs);
        for (const { admitted, offered } of runs.flatMap(({ outcomes }) => outcomes.slice(1))) {
          expect(admitted).toBeLessThanOrEqual(3 * POLICY.limit);
          expect(admitted).toBeGreaterThanOrEqual(0.5 * Math.min(POLICY.limit, offered));
        }
      }
    }
    printTable("12 isolates (~: locations' windows start at any time): requests");
  });

  test("admit each location's limit in the first minute of a flood, and a few requests in each isolate", async () => {
    for (const isolates of [12, 40]) {
      for (const { outcomes } of await simulateAll({ isolates, locations: 4, load: 10, windows: 1, isAligned: true })) {
        expect(outcomes[0]!.admitted).toBeLessThanOrEqual(5 * POLICY.limit + 3 * isolates);
      }
    }
  });

  test("admit no more after an hour and a half of it", async () => {
    const { outcomes } = await simulate(1, { ...MANY, load: 10, windows: 90 });
    for (const { admitted } of outcomes.slice(1)) expect(admitted).toBeLessThanOrEqual(3 * POLICY.limit);
  });

  test("soon admit everything again after a flood", async () => {
    for (const { outcomes } of await simulateAll({ ...MANY, load: (window) => (window === 0 ? 10 : 1) })) {
      for (const { admitted } of outcomes.slice(1)) expect(admitted).toBeGreaterThanOrEqual(0.5 * POLICY.limit);
      for (const { admitted } of outcomes.slice(4)) expect(admitted).toBeGreaterThanOrEqual(0.95 * POLICY.limit);
    }
  });

  test("reject at most 5% at 0.9 times the limit, with even and uneven load", async () => {
    for (const seed of SEEDS) {
      const random = seededRandom(seed);
      const half = () => (random() < 0.5 ? 0 : 1 + Math.floor(random() * 11));
      expect(rejectedPart(await simulate(seed, { ...MANY, load: 0.9 }))).toBeLessThanOrEqual(0.05);
      expect(rejectedPart(await simulate(seed, { ...MANY, load: 0.9, route: half }))).toBeLessThanOrEqual(0.05);
    }
  });

  test("give a client that moves to another isolate every minute at least half the limit", async () => {
    for (const load of [0.9, 1, 10]) {
      for (const { outcomes } of await simulateAll({ ...MANY, load, route: (window) => (window * 5) % 12 })) {
        for (const { admitted } of outcomes) expect(admitted).toBeGreaterThanOrEqual(0.5 * POLICY.limit);
      }
    }
  });

  test("produce the same run from the same seed", async () => {
    const run = () => simulate(7, { ...MANY, load: 3, windows: 4 });
    expect(await run()).toStrictEqual(await run());
  });
});

test("40 and 200 isolates cost no more at ten times the limit, and 40 soon admit at most 3 times the limit on average", async () => {
  for (const isolates of [40, 200]) {
    for (const [load, isAligned] of [
      [1, true],
      [2, true],
      [10, true],
      [10, false],
    ] as const) {
      const runs = await simulateAll({ isolates, locations: 4, load, isAligned });
      addRow(isAligned ? load : `~${load}`, runs);
      const later = runs.flatMap(({ outcomes }) => outcomes.slice(2).map(({ admitted }) => admitted));
      if (isolates === 40) expect(mean(later)).toBeLessThanOrEqual(3 * POLICY.limit);
    }
    printTable(`${isolates} isolates: requests`);
  }
});

describe("batches of 100 against 600 numbers per minute, with the 60 requests of a test key", () => {
  const BATCHES = {
    requests: { name: "requests", limit: 60, windowSeconds: 60 },
    numbers: { name: "numbers", limit: 600, windowSeconds: 60 },
    batch: 100,
  };

  test("are not starved, and cost no more than single numbers", async () => {
    for (const load of [1, 1.5, 2, 10]) {
      const runs = await simulateAll({ ...BATCHES, ...MANY, load });
      addRow(load, runs);
      for (const { admitted } of runs.flatMap(({ outcomes }) => outcomes)) expect(admitted).toBeGreaterThanOrEqual(500);
    }
    printTable("12 isolates: numbers");
  });

  test("one isolate admits the limit, exceeded by less than a batch", async () => {
    for (const [batch, most] of [
      [100, 600],
      [70, 630],
    ] as const) {
      const { outcomes } = await simulate(1, { ...BATCHES, ...ONE, batch, load: 10 });
      for (const { admitted } of outcomes) expect(admitted).toBe(most);
    }
  });
});
