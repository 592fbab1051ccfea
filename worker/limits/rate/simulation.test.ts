import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { seededRandom } from "../../../test/seeded.ts";
import { longOrShort } from "../../../test/long.ts";
import { simulateRateLimit } from "../../../test/rate-simulator.ts";
import type { SimulationOptions } from "../../../test/rate-simulator.ts";

const POLICY = { name: "requests", limit: 100, windowSeconds: 60 };
/** Higher than any of these clients needs. */
const ANY_NUMBERS = { name: "numbers", limit: 100_000, windowSeconds: 60 };
const SEEDS = longOrShort([1, 2, 3, 4, 5, 6], [1, 2]);
const WINDOWS = 8;
const MANY = { isolates: 12, locations: 4 };
const ONE = { isolates: 1, locations: 1 };

type Scenario = Pick<SimulationOptions, "isolates" | "locations" | "load"> & Partial<SimulationOptions>;
type Run = Awaited<ReturnType<typeof simulateRateLimit>>;

function simulate(seed: number, scenario: Scenario): Promise<Run> {
  return simulateRateLimit({
    random: seededRandom(seed),
    requests: POLICY,
    numbers: ANY_NUMBERS,
    windows: WINDOWS,
    ...scenario,
  });
}

/** The same scenario with several seeds. */
async function simulateAll(scenario: Scenario): Promise<Run[]> {
  const runs: Run[] = [];
  for (const seed of SEEDS) runs.push(await simulate(seed, scenario));
  return runs;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function rejectedPart({ outcomes }: Run): number {
  return 1 - sum(outcomes.map(({ admitted }) => admitted)) / sum(outcomes.map(({ offered }) => offered));
}

/** Mean and maximum of the runs, by window. */
function tableRow(runs: readonly Run[]): string[] {
  return Array.from({ length: WINDOWS }, (_, window) => {
    const admitted = runs.map(({ outcomes }) => outcomes[window]!.admitted);
    return `${Math.round(sum(admitted) / runs.length)} (${Math.max(...admitted)})`.padStart(9);
  });
}

const table: string[] = [];
const HEADER = ["load", ...Array.from({ length: WINDOWS }, (_, window) => `${window + 1}.`.padStart(9))].join(" ");

function printTable(of: string): void {
  console.log(
    [`${of} admitted a minute, mean and (highest) of ${SEEDS.length} runs`, ` ${HEADER}`, ...table.splice(0)].join(
      "\n",
    ),
  );
}

async function simulateLoad(load: number): Promise<Run[]> {
  const runs = await simulateAll({ ...MANY, load });
  table.push(`${`${load}x`.padStart(5)} ${tableRow(runs).join(" ")}`);
  return runs;
}

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("twelve isolates in four locations, KV stale, rejecting and losing writes, limit 100 per minute", () => {
  test("admit at most 1.8 times the limit at 10 times the load from the second window on, never less than half", async () => {
    for (const load of [0.9, 1, 1.5, 2, 10]) {
      const most = load === 10 ? 1.8 : load;
      for (const { outcomes } of await simulateLoad(load)) {
        for (const { admitted, offered } of outcomes.slice(1)) {
          expect(admitted).toBeLessThanOrEqual(most * POLICY.limit);
          expect(admitted).toBeGreaterThanOrEqual(0.5 * Math.min(POLICY.limit, offered));
        }
      }
    }
    printTable("requests");
  });

  test("admit no more than the limit per isolate in the first window, and its debt is soon gone", async () => {
    for (const { outcomes } of await simulateAll({ ...MANY, load: (window) => (window === 0 ? 10 : 1) })) {
      expect(outcomes[0]!.admitted).toBeLessThanOrEqual(12 * POLICY.limit);
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
    for (const { outcomes } of await simulateAll({ ...MANY, load: 0.9, route: (window) => (window * 5) % 12 })) {
      for (const { admitted } of outcomes) expect(admitted).toBeGreaterThanOrEqual(0.5 * POLICY.limit);
    }
  });

  test("produce the same run from the same seed", async () => {
    const run = () => simulate(7, { ...MANY, load: 3, windows: 4 });
    expect(await run()).toStrictEqual(await run());
  });
});

/** Admitted numbers divided by the limit, on average from the second window on. */
function admittedPart({ outcomes }: Run, limit: number): number {
  return sum(outcomes.slice(1).map(({ admitted }) => admitted)) / (outcomes.length - 1) / limit;
}

describe("batches of 100 against 600 numbers per minute, with the 60 requests of a test key", () => {
  const BATCHES = {
    requests: { name: "requests", limit: 60, windowSeconds: 60 },
    numbers: { name: "numbers", limit: 600, windowSeconds: 60 },
    batch: 100,
  };

  test.each([
    { isolates: 12, most: 1.7 },
    { isolates: 40, most: 2.8 },
  ])("$isolates isolates starve no batch and admit at most $most times the limit", async ({ isolates, most }) => {
    for (const load of [1, 1.5, 2, 10]) {
      const runs = await simulateAll({ ...BATCHES, isolates, locations: 4, load });
      const parts = runs.map((run) => admittedPart(run, BATCHES.numbers.limit));
      const mean = sum(parts) / parts.length;
      table.push(`${`${load}x`.padStart(5)} ${tableRow(runs).join(" ")}  mean from the second: ${mean.toFixed(2)}`);
      expect(mean).toBeLessThanOrEqual(Math.min(load, most));
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0.85);
      if (load === 1) for (const run of runs) expect(rejectedPart(run)).toBeLessThanOrEqual(0.1);
    }
    printTable(`${isolates} isolates: numbers`);
  });

  test("one isolate admits exactly the limit", async () => {
    const { outcomes } = await simulate(1, { ...BATCHES, ...ONE, load: 10 });
    for (const { admitted } of outcomes) expect(admitted).toBe(BATCHES.numbers.limit);
  });
});

describe("one isolate", () => {
  test("admits exactly the limit in every window, and never more in any span of its length", async () => {
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
