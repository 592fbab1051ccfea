import { expect, test } from "vitest";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { runFuzz } from "../../scripts/fuzz/run.ts";
import { longOrShort } from "../long.ts";

/** A fixed seed, so findings reproduce in every run. */
const [REQUESTS, SEED] = [longOrShort(1_000_000, 10_000), 20];

test(
  `${REQUESTS} random requests, from valid to broken, get valid responses`,
  async () => {
    const { sent, findings, statuses, succeeded } = await runFuzz({ requests: REQUESTS, seed: SEED });
    // Each finding has its request; npm run fuzz with this number and seed repeats them all.
    expect({ seed: SEED, findings }).toStrictEqual({ seed: SEED, findings: [] });
    expect(sent).toBe(REQUESTS);
    // Otherwise it would test nothing: most operations succeed now and then, and most kinds of errors occur.
    expect(succeeded.length).toBeGreaterThan(ENDPOINTS.length * 0.5);
    expect(Object.keys(statuses)).toEqual(
      expect.arrayContaining(["200", "201", "202", "204", "400", "401", "403", "404", "405", "409", "413", "415"]),
    );
  },
  longOrShort(6 * 3_600_000, 600_000),
);
