import { describe, expect, test } from "vitest";
import { longOrShort } from "../../test/long.ts";
import { playSchedule } from "../../test/metering-simulation.ts";
import type { ScheduleOptions, ScheduleOutcome } from "../../test/metering-simulation.ts";
import { UNCONFIRMED_NUMBERS } from "./charges.ts";

// METERING_SCHEDULES=3000 plays that many of each kind, METERING_SEED=17 starts with another seed.
const SCHEDULES = Number(process.env["METERING_SCHEDULES"] ?? longOrShort(60, 12));
const FIRST_SEED = Number(process.env["METERING_SEED"] ?? 1);
const ISOLATES = [1, 4, 12, 40] as const;

/** Plays schedules one after another; a failure names its seed. */
async function playAll(
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
  return outcomes;
}

function say(kind: string, outcomes: readonly ScheduleOutcome[]): void {
  const sum = (field: keyof ScheduleOutcome) => outcomes.reduce((all, outcome) => all + outcome[field], 0);
  const { length } = outcomes;
  if (length > 100) {
    const figures = (["answers", "answered", "counted", "waited", "rejected", "uncertain", "lost"] as const).map(
      (field) => `${field} ${sum(field)}`,
    );
    process.stdout.write(`${kind}: ${length} schedules, ${figures.join(", ")}\n`);
  }
}

const TIMEOUT_MS = 2_000 * SCHEDULES;

describe("counters", () => {
  test(
    "are exact without faults",
    async () => {
      const all = await playAll({ faults: false, quota: null, calls: 100, batch: 100 }, (outcome) => {
        expect(outcome).toMatchObject({ counted: outcome.answered, countedAgain: outcome.answered, lost: 0 });
      });
      say("counters without faults", all);
    },
    TIMEOUT_MS,
  );

  test(
    "are exact with faults, except what killed isolates had not sent and what the log reports as lost",
    async () => {
      const all = await playAll({ faults: true, quota: null, calls: 150, batch: 100 }, (outcome) => {
        const { answered, counted, countedAgain, uncertain, lost } = outcome;
        expect(counted).toBeLessThanOrEqual(answered);
        expect(counted).toBeGreaterThanOrEqual(answered - uncertain - lost);
        expect(countedAgain).toBe(counted);
      });
      say("counters with faults", all);
    },
    TIMEOUT_MS,
  );
});

describe("charges", () => {
  test(
    "are exact without faults, singles and batches, however many isolates there are",
    async () => {
      const all = await playAll({ faults: false, quota: 1_000, calls: 150, batch: 100 }, (outcome) => {
        const { answered, counted, countedAgain } = outcome;
        expect(answered).toBe(counted);
        expect(counted).toBeLessThanOrEqual(1_000);
        expect(countedAgain).toBe(counted);
      });
      say("charges without faults", all);
    },
    TIMEOUT_MS,
  );

  test(
    "of single numbers use the quota up exactly, and mostly don't wait",
    async () => {
      const all = await playAll({ faults: false, quota: 150, calls: 200, batch: 1 }, (outcome) => {
        expect(outcome.answered).toBe(outcome.counted);
        expect(outcome.counted).toBeLessThanOrEqual(150);
      });
      say("single charges without faults", all);
    },
    TIMEOUT_MS,
  );

  test(
    "are bounded with faults: no isolate admits more than 25 numbers plus those in flight, and every result is counted",
    async () => {
      const all = await playAll({ faults: true, quota: 1_000, calls: 200, batch: 100 }, (outcome, isolates) => {
        const { answered, counted, countedAgain, uncertain, lost } = outcome;
        // A killed isolate is replaced by another: at most a few per schedule.
        expect(answered).toBeLessThanOrEqual(1_000 + (isolates + 10) * (UNCONFIRMED_NUMBERS + 20));
        expect(counted).toBeLessThanOrEqual(answered + uncertain);
        expect(counted).toBeGreaterThanOrEqual(answered - uncertain - lost);
        expect(countedAgain).toBe(counted);
      });
      say("charges with faults", all);
    },
    TIMEOUT_MS,
  );
});

describe("caps of keys", () => {
  test(
    "are exact without faults, with or without a quota, whatever the other key verifies",
    async () => {
      for (const quota of [1_000, null]) {
        const all = await playAll({ faults: false, quota, cap: 300, calls: 150, batch: 20 }, (outcome) => {
          const { answered, counted, countedAgain, answeredByCapped, countedByCapped } = outcome;
          expect({ counted, countedAgain }).toStrictEqual({ counted: answered, countedAgain: answered });
          expect(countedByCapped).toBe(answeredByCapped);
          expect(countedByCapped).toBeLessThanOrEqual(300);
          if (quota !== null) expect(counted).toBeLessThanOrEqual(quota);
        });
        expect(all.some(({ countedByCapped }) => countedByCapped > 280)).toBe(true);
        say(`caps with a quota of ${quota}`, all);
      }
    },
    2 * TIMEOUT_MS,
  );

  test(
    "are bounded with faults like a quota, and every result is counted",
    async () => {
      const all = await playAll({ faults: true, quota: null, cap: 300, calls: 200, batch: 20 }, (outcome, isolates) => {
        const { answeredByCapped, countedByCapped, uncertain, lost, counted, countedAgain } = outcome;
        expect(answeredByCapped).toBeLessThanOrEqual(300 + (isolates + 10) * (UNCONFIRMED_NUMBERS + 20));
        expect(countedByCapped).toBeLessThanOrEqual(answeredByCapped + uncertain);
        expect(countedByCapped).toBeGreaterThanOrEqual(answeredByCapped - uncertain - lost);
        expect(countedAgain).toBe(counted);
      });
      say("caps with faults", all);
    },
    TIMEOUT_MS,
  );
});
