import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { countOf, partOf } from "../../test/usage.ts";
import { createMeteredIsolates, STARTED } from "../../test/metered-isolates.ts";
import { capUse, quotaUse, testUse } from "./part.ts";
import type { Entry, Use } from "./part.ts";

const LIMIT = 1_000;
const ISOLATES = 40;
/** Calls for single numbers that reach each isolate at the same moment. */
const AT_ONCE = [1, 5, 60] as const;

const DAY = "2026-01-02";
/** The limits, and the counts of a call that uses one of each. */
const LIMITS: Readonly<Record<string, { readonly use: Use; readonly mode: "live" | "test" }>> = {
  "a quota": { use: quotaUse(STARTED, 0, LIMIT), mode: "live" },
  "a key's cap": { use: capUse("key_1", "2026-01", 0, LIMIT), mode: "live" },
  "the lookups of test keys": { use: testUse(DAY, 0, LIMIT), mode: "test" },
};

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  return () => vi.restoreAllMocks();
});

/** An account of which this much is left, and 40 isolates that know it or have just started. */
async function startAccount(kind: string, left: number, isKnown: boolean) {
  const { use, mode } = LIMITS[kind]!;
  const network = createMeteredIsolates();
  const { time, ledgers } = network;
  const isolates = Array.from({ length: ISOLATES }, () => network.isolate());
  const entryOf = (successful: number, failed = 0): Entry => ({
    counts: [countOf(successful, failed, { startedAt: STARTED, mode, day: DAY })],
    uses: [{ ...use, amount: successful }],
  });
  const { counts, uses } = entryOf(LIMIT - left);
  ledgers.of("usr_1").ledger.record(partOf("usr_1", counts, { uses, at: time.now() }));
  // A call of two invalid numbers asks the ledger, and uses nothing.
  if (isKnown) for (const isolate of isolates) await isolate.admit(entryOf(0, 2));

  return {
    time,
    /** How many single numbers get a result if each isolate gets this many calls at the same moment. */
    async admitted(calls: number): Promise<number> {
      const begun = isolates.flatMap((isolate) => Array.from({ length: calls }, () => isolate.begin(entryOf(1))));
      await time.pass(3_000);
      return (await Promise.all(begun)).filter(({ outcome }) => outcome === "admitted").length;
    },
  };
}

/** The numbers that exceed the limit, by how many calls each isolate gets at the same moment. */
async function exceededBy(kind: string, left: number, isKnown: boolean): Promise<number[]> {
  const exceeded: number[] = [];
  for (const calls of AT_ONCE) {
    const { admitted } = await startAccount(kind, left, isKnown);
    exceeded.push(Math.max(0, (await admitted(calls)) - left));
  }
  return exceeded;
}

/** The same for a used-up limit, in isolates that have had calls, every ten seconds for a minute. */
async function exceededLater(kind: string): Promise<number[]> {
  const exceeded: number[] = [];
  for (const calls of AT_ONCE) {
    const { time, admitted } = await startAccount(kind, 0, false);
    await admitted(calls);
    let later = 0;
    for (let made = 0; made < 6; made++) {
      await time.pass(7_000);
      later += await admitted(calls);
    }
    exceeded.push(later);
  }
  return exceeded;
}

/** A row of the table in docs/faults.md. */
function documented(label: string): number[] {
  const lines = readFileSync("docs/faults.md", "utf8").split("\n");
  const cells = lines.find((line) => line.startsWith(`| ${label} `))!.split("|");
  return cells.slice(2, -1).map((cell) => Number(cell.trim().replace(",", "")));
}

describe.each(Object.keys(LIMITS))(
  "docs/faults.md says by how much single numbers of 40 isolates exceed %s",
  (kind) => {
    test.each([
      ["960 left, which all know", 960, true],
      ["10 left, which all know", 10, true],
      ["10 left, in new isolates", 10, false],
      ["none left, in new isolates", 0, false],
    ])("with %s", async (label, left, isKnown) => {
      expect(await exceededBy(kind, left, isKnown)).toStrictEqual(documented(label));
    });

    test("with none left, in the same isolates every ten seconds", async () => {
      expect(await exceededLater(kind)).toStrictEqual(documented("none left, in the same, every ten seconds"));
    });
  },
);
