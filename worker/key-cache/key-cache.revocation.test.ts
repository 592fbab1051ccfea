import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { simulateEdge } from "../../test/key-cache-simulation.ts";
import type { Seen } from "../../test/key-cache-simulation.ts";
import { longOrShort } from "../../test/long.ts";
import { recordName, tombstoneName } from "./edge.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** KV's propagation delay in these tests, not counting the time a location serves its cache. */
const PROPAGATION = 3 * MINUTE;
const CACHE_TTL = 30 * SECOND;
/** The promise: KV's propagation plus 60 s, half of it `cacheTtl`, half of it memory. */
const PROMISED = PROPAGATION + 60 * SECOND;
/** How long memory is used when neither KV nor D1 responds. */
const LAST_RESORT = 15 * MINUTE;

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

type Fault = "none" | "kv" | "kv writes" | "d1";

type Step =
  | { readonly do: "pass"; readonly ms: number }
  | { readonly do: "look up" | "restart"; readonly isolate: number }
  | { readonly do: "lag"; readonly location: number; readonly ms: number }
  | { readonly do: "publish" }
  | { readonly do: "fault"; readonly fault: Fault }
  | { readonly do: "d1"; readonly latency: number }
  | { readonly do: "landing"; readonly ms: number };

const LOCATIONS = ["a", "b", "c"];
/** Isolate 0 revokes; isolate 1 is in the same location. */
const ISOLATES = [0, 0, 1, 2];

/** @param slowest maximum D1 latency, in milliseconds: from 500 on, memory is used instead */
function steps(faults: readonly Fault[], slowest = 700): fc.Arbitrary<Step[]> {
  const isolate = fc.nat(ISOLATES.length - 1);
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("look up" as const), isolate }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("pass" as const),
        ms: fc.oneof(fc.nat(700), fc.nat(40 * SECOND), fc.nat(4 * MINUTE)),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), isolate }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("lag" as const),
        location: fc.nat(LOCATIONS.length - 1),
        ms: fc.nat(PROPAGATION + CACHE_TTL),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: "publish" as const }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("fault" as const), fault: fc.constantFrom(...faults) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("d1" as const), latency: fc.nat(slowest) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("landing" as const), ms: fc.nat(30 * SECOND) }) },
  );
  return fc.array(step, { minLength: 1, maxLength: 30 });
}

interface Look {
  readonly isolate: number;
  readonly started: number;
  readonly ended: number;
  readonly seen: Seen;
  /** Whether this isolate revoked the key and has not been restarted since. */
  readonly isInformed: boolean;
}

/** Plays steps before and after a revocation, then half an hour of lookups everywhere and of the scheduled job. */
async function play(before: readonly Step[], after: readonly Step[]) {
  let landing = 0;
  const edge = simulateEdge({ staleness: PROPAGATION + CACHE_TTL, landing: () => landing });
  const { time, kv, d1 } = edge;
  const isolates = ISOLATES.map((location) => edge.isolate(LOCATIONS[location]!));
  const looks: Promise<Look>[] = [];
  const published: Promise<unknown>[] = [];
  let isInformed = false;

  async function look(isolate: number): Promise<Look> {
    const started = time.now();
    const seen = await isolates[isolate]!.lookUp("hash");
    return { isolate, started, ended: time.now(), seen, isInformed: isInformed && isolate === 0 };
  }

  function setFault(fault: Fault): void {
    kv.faults.read = fault === "kv" ? "hang" : "none";
    kv.faults.write = fault === "kv" || fault === "kv writes" ? "429" : "none";
    d1.fault = fault === "d1" ? "error" : "none";
  }

  async function take(step: Step): Promise<void> {
    if (step.do === "pass") await time.pass(step.ms);
    if (step.do === "look up") {
      looks.push(look(step.isolate));
      // Results from memory have arrived; those that wait for KV or D1 are pending.
      await time.pass(0);
    }
    if (step.do === "restart") {
      isolates[step.isolate]!.restart();
      if (step.isolate === 0) isInformed = false;
    }
    if (step.do === "lag") kv.setLag(LOCATIONS[step.location]!, step.ms);
    if (step.do === "publish") published.push(edge.publish("hash", "cron"));
    if (step.do === "fault") {
      // Nothing asked under one fault is pending under the next.
      setFault("none");
      await time.pass(4 * SECOND);
      setFault(step.fault);
    }
    if (step.do === "d1") d1.latency = step.latency;
    if (step.do === "landing") landing = step.ms;
  }

  edge.insert("hash");
  published.push(edge.publish("hash", "cron"));
  for (const step of before) await take(step);
  published.push(edge.revoke("hash", isolates[0]!));
  isInformed = true;
  for (const step of after) await take(step);
  for (let passed = 0; passed < 30 * MINUTE; passed += 17 * SECOND) {
    for (const index of isolates.keys()) looks.push(look(index));
    published.push(edge.publish("hash", "cron"));
    await time.pass(17 * SECOND);
  }
  await Promise.all(isolates.map((isolate) => isolate.settle()));
  return {
    looks: await Promise.all(looks),
    storedAt: kv.history(tombstoneName("hash"))[0]?.at ?? Infinity,
    tombstones: kv.history(tombstoneName("hash")).map(({ value }) => value),
    lateRecord: kv.history(recordName("hash")).some(({ at }) => at > (kv.history(tombstoneName("hash"))[0]?.at ?? at)),
  };
}

function accepts({ seen }: Look): boolean {
  return seen.endsWith("accepted");
}

describe("a revocation, with late writes, stale reads, restarts, and failures in between", () => {
  const RUNS = { numRuns: longOrShort(400, 60), seed: 20_260_102 };

  test("is never undone, takes effect immediately where it was made, and everywhere within 15 minutes", async () => {
    const faults: Fault[] = ["none", "kv", "kv writes", "d1"];
    let lateRecords = 0;
    await fc.assert(
      fc.asyncProperty(steps(faults), steps(faults), async (before, after) => {
        const { looks, storedAt, tombstones, lateRecord } = await play(before, after);
        for (const value of tombstones) expect(value).toBe("revoked");
        if (lateRecord) lateRecords += 1;
        // As long as that isolate lives, pending lookups included.
        expect(looks.filter((look) => look.isInformed && accepts(look))).toStrictEqual([]);
        const late = looks.filter((look) => look.started > storedAt + PROMISED + LAST_RESORT && accepts(look));
        expect(late).toStrictEqual([]);
      }),
      RUNS,
    );
    // The runs do include the hardest case: records written after the tombstone was stored.
    expect(lateRecords).toBeGreaterThan(0);
  });

  test.each(["kv", "kv writes", "d1"] as const)(
    "takes effect everywhere 60 s after KV shows it, and stays, with failures of %s",
    async (fault) => {
      await fc.assert(
        fc.asyncProperty(steps(["none", fault], 450), steps(["none", fault], 450), async (before, after) => {
          const { looks, storedAt } = await play(before, after);
          const late = looks.filter((look) => look.started >= storedAt + PROMISED && accepts(look));
          expect(late).toStrictEqual([]);
        }),
        RUNS,
      );
    },
  );
});
