import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { simulateEdge } from "../../test/key-cache-simulation.ts";
import type { Seen } from "../../test/key-cache-simulation.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let lines: { event: string; part: string; count: number; message: string }[];

beforeEach(() => {
  lines = [];
  vi.spyOn(console, "warn").mockImplementation((line: string) => {
    lines.push(JSON.parse(line));
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

type Edge = ReturnType<typeof simulateEdge>;
type Isolate = ReturnType<Edge["isolate"]>;

const D1 = {
  up: () => {},
  down: ({ d1 }: Edge) => (d1.fault = "error"),
  overloaded: ({ d1 }: Edge) => (d1.fault = "overloaded"),
  slow: ({ d1 }: Edge) => (d1.latency = 400),
  "very slow": ({ d1 }: Edge) => (d1.latency = 2_000),
  hanging: ({ d1 }: Edge) => (d1.fault = "hang"),
};

const KV = {
  up: () => {},
  down: ({ kv }: Edge) => (kv.faults.read = kv.faults.write = "error"),
  "429": ({ kv }: Edge) => (kv.faults.read = kv.faults.write = "429"),
  hanging: ({ kv }: Edge) => (kv.faults.read = kv.faults.write = "hang"),
  /** Every name in its state before any write. */
  stale: ({ kv }: Edge) => kv.setLag("here", HOUR),
};

/** What happened to the key since this isolate last looked it up. */
const HISTORY = {
  "5 s ago": { age: 5 * SECOND },
  "20 s ago": { age: 20 * SECOND },
  "a minute ago": { age: MINUTE },
  "a minute ago, isolate restarted": { age: MINUTE, since: (_: Edge, here: Isolate) => here.restart() },
  "a minute ago, revoked elsewhere since": { age: MINUTE, since: revokeElsewhere },
  "16 minutes ago": { age: 16 * MINUTE },
};

function revokeElsewhere(edge: Edge): void {
  void edge.revoke("hash", edge.isolate("elsewhere"));
}

async function deploy() {
  const edge = simulateEdge({ staleness: HOUR });
  edge.kv.setLag("here", 0);
  edge.insert("hash");
  await edge.publish("hash", "elsewhere");
  return { edge, here: edge.isolate("here") };
}

/** What a caller gets now, and how long it waits. */
async function look({ time }: Edge, here: Isolate, hash = "hash"): Promise<readonly [Seen, number]> {
  const started = time.now();
  let waited = 0;
  async function timed(): Promise<Seen> {
    const seen = await here.lookUp(hash);
    waited = time.now() - started;
    return seen;
  }
  const seen = timed();
  await time.pass(4 * SECOND);
  return [await seen, waited];
}

async function lookAfter(history: keyof typeof HISTORY, d1: keyof typeof D1, kv: keyof typeof KV) {
  const { edge, here } = await deploy();
  await here.lookUp("hash");
  const { age, since }: { age: number; since?: (edge: Edge, here: Isolate) => void } = HISTORY[history];
  await edge.time.pass(age - 1);
  since?.(edge, here);
  await edge.time.pass(1);
  D1[d1](edge);
  KV[kv](edge);
  const seen = await look(edge, here);
  await here.settle();
  return seen;
}

const MEMORY = ["memory: accepted", 0] as const;
const COPY = ["kv: accepted", 0] as const;
const REJECTED = ["kv: revoked", 0] as const;

/** KV is enough. */
const WITH_KV: Row = [MEMORY, MEMORY, COPY, COPY, REJECTED, COPY];

function fromD1(ms: number): Row {
  return [MEMORY, MEMORY, ["d1: accepted", ms], ["d1: accepted", ms], ["d1: revoked", ms], ["d1: accepted", ms]];
}

/**
 * Memory keeps known keys working. A revocation this isolate can't see takes effect when either recovers, or after 15
 * minutes.
 */
function withoutBoth(ms: number, cold = ms): Row {
  const stale = ["stale: accepted", ms] as const;
  return [MEMORY, MEMORY, stale, ["unavailable", cold], stale, ["unavailable", cold]];
}

type Row = readonly (readonly [Seen, number])[];

/** Per row: D1, KV, then the caller's result and wait in milliseconds, in the order of `HISTORY`. */
const TABLE: readonly (readonly [keyof typeof D1, keyof typeof KV, Row])[] = [
  ["up", "up", WITH_KV],
  ["very slow", "up", WITH_KV],
  ["down", "up", WITH_KV],
  ["overloaded", "up", WITH_KV],
  ["hanging", "up", WITH_KV],
  ["up", "down", fromD1(20)],
  ["up", "429", fromD1(20)],
  ["up", "stale", fromD1(20)],
  ["up", "hanging", fromD1(520)],
  ["slow", "hanging", fromD1(900)],
  [
    "very slow",
    "down",
    [
      MEMORY,
      MEMORY,
      ["stale: accepted", 500],
      ["d1: accepted", 2_000],
      ["stale: accepted", 500],
      ["d1: accepted", 2_000],
    ],
  ],
  ["down", "down", withoutBoth(0)],
  ["overloaded", "429", withoutBoth(0)],
  ["down", "stale", withoutBoth(0)],
  ["hanging", "hanging", withoutBoth(1_000, 3_500)],
];

const ROWS = TABLE.flatMap(([d1, kv, row]) =>
  row.map(([seen, ms], index) => [d1, kv, Object.keys(HISTORY)[index] as keyof typeof HISTORY, seen, ms] as const),
);

describe("a known key", () => {
  test.each(ROWS)("D1 %s, KV %s, looked up %s: %s after %d ms", async (d1, kv, history, seen, ms) => {
    expect(await lookAfter(history, d1, kv)).toStrictEqual([seen, ms]);
  });
});

describe("a key that KV doesn't have", () => {
  test.each([
    ["up", "up", "d1: accepted", 20],
    ["up", "down", "d1: accepted", 20],
    ["up", "hanging", "d1: accepted", 520],
    ["very slow", "up", "d1: accepted", 2_000],
    ["down", "up", "unavailable", 0],
    ["overloaded", "up", "unavailable", 0],
    ["hanging", "up", "unavailable", 3_000],
    ["hanging", "hanging", "unavailable", 3_500],
  ] as const)("D1 %s, KV %s: %s after %d ms", async (d1, kv, seen, ms) => {
    const { edge, here } = await deploy();
    edge.insert("new");
    D1[d1](edge);
    KV[kv](edge);
    expect(await look(edge, here, "new")).toStrictEqual([seen, ms]);
  });
});

test("without D1 for an hour, keys work from KV, in isolates that know them and in new ones", async () => {
  const { edge, here } = await deploy();
  await here.lookUp("hash");
  edge.d1.fault = "hang";
  for (let minute = 0; minute < 60; minute++) {
    await edge.time.pass(MINUTE);
    expect(await here.lookUp("hash")).toBe("kv: accepted");
    expect(await edge.isolate("here").lookUp("hash")).toBe("kv: accepted");
  }
});

describe("a key that was revoked in this isolate", () => {
  test.each(TABLE.map(([d1, kv]) => [d1, kv]))("D1 %s, KV %s: rejected immediately", async (d1, kv) => {
    const { edge, here } = await deploy();
    await here.see("hash");
    D1[d1](edge);
    KV[kv](edge);
    void edge.revoke("hash", here);
    expect(await here.lookUp("hash")).toBe("memory: revoked");
    await edge.time.pass(20 * MINUTE);
    expect(await look(edge, here)).toStrictEqual(["memory: revoked", 0]);
  });
});

describe("an outage of both", () => {
  async function outage() {
    const { edge, here } = await deploy();
    await here.see("hash");
    edge.d1.fault = "hang";
    edge.kv.faults.read = "hang";
    edge.kv.faults.write = "hang";
    return { edge, here };
  }

  test("is reported when a request waited for it", async () => {
    const { edge, here } = await outage();
    await edge.time.pass(MINUTE);
    const waiting = here.cache.lookUp("hash", here.request);
    await edge.time.pass(2 * SECOND);
    expect(await waiting).toMatchObject({ source: "stale" });
    expect(await here.cache.lookUp("hash", here.request)).toMatchObject({ source: "stale" });
  });

  test("delays requests, and after one failed none for five seconds", async () => {
    const { edge, here } = await outage();
    await edge.time.pass(MINUTE);
    for (let again = 0; again < 10; again++) {
      expect(await look(edge, here)).toStrictEqual(["stale: accepted", 1_000]);
      const { calls } = edge.d1;
      // Three seconds after the failure.
      expect(await look(edge, here)).toStrictEqual(["stale: accepted", 0]);
      expect(edge.d1.calls).toBe(calls);
    }
  });

  test("keeps known keys working for 15 minutes, and no longer", async () => {
    const { edge, here } = await outage();
    const seen: string[] = [];
    for (let passed = 0; passed < 17 * MINUTE; passed += 10 * SECOND) {
      seen.push((await look(edge, here))[0]);
      await edge.time.pass(6 * SECOND);
    }
    expect(seen.lastIndexOf("stale: accepted") * 10).toBeGreaterThan(14.7 * 60);
    expect(seen.lastIndexOf("stale: accepted") * 10).toBeLessThanOrEqual(15 * 60);
    expect(seen.at(-1)).toBe("unavailable");
  });

  test("is over for the caller five seconds after the last failure", async () => {
    const { edge, here } = await outage();
    await edge.time.pass(MINUTE);
    await look(edge, here);
    edge.kv.faults.read = "none";
    expect(await look(edge, here)).toStrictEqual(["stale: accepted", 0]);
    expect(await look(edge, here)).toStrictEqual(["kv: accepted", 0]);
  });

  test("is logged once per part every ten seconds, without identifying a key", async () => {
    const { edge, here } = await deploy();
    edge.d1.fault = "error";
    edge.kv.faults.read = "error";
    for (let index = 0; index < 100; index++) void here.lookUp(`hash ${index}`);
    await edge.time.pass(11 * SECOND);
    void here.lookUp("hash");
    await edge.time.pass(SECOND);
    expect(lines.map(({ event, part, count }) => [event, part, count])).toStrictEqual([
      ["key_cache_failure", "kv_read", 1],
      ["key_cache_failure", "d1", 1],
      ["key_cache_failure", "kv_read", 100],
      ["key_cache_failure", "d1", 100],
    ]);
    expect(JSON.stringify(lines)).not.toContain("hash");
  });
});
