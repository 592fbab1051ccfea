import { describe, expect, test } from "vitest";
import { longOrShort } from "../../test/long.ts";
import { playSchedule } from "../../test/metering-simulation.ts";
import type { ScheduleOptions, ScheduleOutcome } from "../../test/metering-simulation.ts";
import { UNKNOWN_NUMBERS, UNREACHED_NUMBERS } from "./known-limits.ts";

// METERING_SCHEDULES=3000 plays that many of each kind, METERING_SEED=17 starts with another seed.
const SCHEDULES = Number(process.env["METERING_SCHEDULES"] ?? longOrShort(500, 50));
const FIRST_SEED = Number(process.env["METERING_SEED"] ?? 1);
const ISOLATES = [1, 4, 12, 40] as const;
const TIMEOUT_MS = 2_000 * SCHEDULES;

/** Plays schedules one after another; a failure names its seed. */
async function playAll(
  kind: string,
  options: Omit<ScheduleOptions, "seed" | "isolates">,
  check: (outcome: ScheduleOutcome, isolates: number) => void,
): Promise<ScheduleOutcome[]> {
  const outcomes: ScheduleOutcome[] = [];
  for (let at = 0; at < SCHEDULES; at++) {
    const seed = FIRST_SEED + at;
    const isolates = ISOLATES[at % ISOLATES.length]!;
    const outcome = await playSchedule({ ...options, seed, isolates });
    try {
      check(outcome, isolates);
    } catch (error) {
      throw new Error(`Seed ${seed}, ${isolates} isolates: ${JSON.stringify(outcome)}`, { cause: error });
    }
    outcomes.push(outcome);
  }
  if (SCHEDULES > 100) {
    const sum = (field: keyof ScheduleOutcome) => outcomes.reduce((all, outcome) => all + outcome[field], 0);
    const fields = ["answers", "answered", "counted", "waited", "rejected", "uncertain", "lost", "reset"] as const;
    process.stdout.write(
      `${kind}: ${SCHEDULES} schedules, ${fields.map((field) => `${field} ${sum(field)}`).join(", ")}\n`,
    );
  }
  return outcomes;
}

/** The most that is counted without faults: each isolate may admit a twentieth of what was left on one reply, and five. */
function burst(most: number, isolates: number): number {
  return most + isolates * (most / 20 + UNKNOWN_NUMBERS);
}

describe("without faults", () => {
  test("every response is counted once", { timeout: TIMEOUT_MS }, async () => {
    await playAll("no limit", { faults: false, quota: null, calls: 100, batch: 100 }, (outcome) => {
      expect(outcome).toMatchObject({ counted: outcome.answered, countedAgain: outcome.answered, lost: 0 });
    });
  });

  test(
    "a quota is exceeded by single numbers in a burst at most, and never by a batch",
    { timeout: TIMEOUT_MS },
    async () => {
      await playAll("a quota", { faults: false, quota: 1_000, calls: 150, batch: 100 }, (outcome, isolates) => {
        const { answered, counted, countedAgain, behind } = outcome;
        expect({ counted, countedAgain }).toStrictEqual({ counted: answered, countedAgain: answered });
        expect(counted).toBeLessThanOrEqual(Math.min(1_000 + behind, burst(1_000, isolates)));
      });
    },
  );

  test("batches alone use up a quota exactly, or less than one batch is left", { timeout: TIMEOUT_MS }, async () => {
    await playAll("batches", { faults: false, quota: 1_000, calls: 100, batch: 100, singles: 0 }, (outcome) => {
      const { answered, counted, behind } = outcome;
      expect({ counted, behind }).toStrictEqual({ counted: answered, behind: 0 });
      expect(counted).toBeLessThanOrEqual(1_000);
      expect(counted).toBeGreaterThan(900);
    });
  });

  test(
    "a key's cap, with or without a quota, is too, whatever the other key verifies",
    { timeout: 2 * TIMEOUT_MS },
    async () => {
      for (const quota of [1_000, null]) {
        const all = await playAll(
          "a cap",
          { faults: false, quota, cap: 300, calls: 150, batch: 20 },
          (outcome, isolates) => {
            const { answered, counted, countedAgain, answeredByCapped, countedByCapped, behind } = outcome;
            expect({ counted, countedAgain }).toStrictEqual({ counted: answered, countedAgain: answered });
            expect(countedByCapped).toBe(answeredByCapped);
            expect(countedByCapped).toBeLessThanOrEqual(Math.min(300 + behind, burst(300, isolates)));
          },
        );
        expect(all.some(({ countedByCapped }) => countedByCapped > 280)).toBe(true);
      }
    },
  );

  test(
    "a cap set with the third key of a chain includes what the first two have verified",
    { timeout: TIMEOUT_MS },
    async () => {
      const all = await playAll(
        "a chain",
        { faults: false, quota: null, cap: 600, rolled: true, calls: 150, batch: 20 },
        ({ answeredByCapped, answeredBeforeCap, countedByCapped }, isolates) => {
          expect(countedByCapped).toBe(answeredByCapped);
          // Each isolate may admit five before it learns of the cap.
          const unknown = isolates * UNKNOWN_NUMBERS;
          expect(countedByCapped).toBeLessThanOrEqual(Math.max(answeredBeforeCap + unknown, burst(600, isolates)));
        },
      );
      expect(all.some(({ answeredBeforeCap, countedByCapped }) => countedByCapped > answeredBeforeCap)).toBe(true);
      expect(all.some(({ rejected }) => rejected > 0)).toBe(true);
    },
  );
});

describe("a ledger that a release resets during a call", () => {
  test("fails its calls once: meter and queue repeat them, and each counts once", { timeout: TIMEOUT_MS }, async () => {
    const all = await playAll(
      "no limit, resets",
      { faults: false, resets: true, quota: null, calls: 100, batch: 100 },
      (outcome) => {
        expect(outcome).toMatchObject({ counted: outcome.answered, countedAgain: outcome.answered, lost: 0 });
      },
    );
    expect(all.some(({ reset }) => reset > 10)).toBe(true);
  });

  test("counts a call with a quota once, or may have counted one that got a 503", { timeout: TIMEOUT_MS }, async () => {
    const all = await playAll(
      "a quota, resets",
      { faults: false, resets: true, quota: 1_000, calls: 150, batch: 100 },
      ({ answered, counted, countedAgain, uncertain, lost }) => {
        expect(counted).toBeGreaterThanOrEqual(answered);
        expect(counted).toBeLessThanOrEqual(answered + uncertain);
        expect({ countedAgain, lost }).toStrictEqual({ countedAgain: counted, lost: 0 });
      },
    );
    expect(all.some(({ reset }) => reset > 10)).toBe(true);
  });
});

describe("with faults", () => {
  test(
    "nothing is counted twice, and only what a killed isolate had not sent or the log reports is missing",
    { timeout: TIMEOUT_MS },
    async () => {
      await playAll("no limit, faults", { faults: true, quota: null, calls: 150, batch: 100 }, (outcome) => {
        const { answered, counted, countedAgain, uncertain, lost } = outcome;
        expect(counted).toBeLessThanOrEqual(answered);
        expect(counted).toBeGreaterThanOrEqual(answered - uncertain - lost);
        expect(countedAgain).toBe(counted);
      });
    },
  );

  test("an isolate that can't reach the ledger admits 25 numbers more", { timeout: TIMEOUT_MS }, async () => {
    await playAll("a quota, faults", { faults: true, quota: 1_000, calls: 200, batch: 100 }, (outcome, isolates) => {
      const { answered, counted, countedAgain, uncertain, lost } = outcome;
      // A killed isolate is replaced by another: at most a few per schedule.
      expect(answered).toBeLessThanOrEqual(burst(1_000, isolates) + (isolates + 10) * UNREACHED_NUMBERS);
      expect(counted).toBeLessThanOrEqual(answered + uncertain);
      expect(counted).toBeGreaterThanOrEqual(answered - uncertain - lost);
      expect(countedAgain).toBe(counted);
    });
  });
});
