import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { simulateEdge } from "../../../test/key-cache-simulation.ts";
import type { Seen } from "../../../test/key-cache-simulation.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

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
  "too slow": ({ d1 }: Edge) => (d1.latency = 600),
  hanging: ({ d1 }: Edge) => (d1.fault = "hang"),
};

const KV = {
  up: () => {},
  down: ({ kv }: Edge) => (kv.faults.read = kv.faults.write = "error"),
  "429": ({ kv }: Edge) => (kv.faults.read = kv.faults.write = "429"),
  hanging: ({ kv }: Edge) => (kv.faults.read = kv.faults.write = "hang"),
  /** Every name in its state before any write. */
  stale: ({ kv }: Edge) => kv.setLag("here", 30 * MINUTE),
  "rejecting writes": ({ kv }: Edge) => (kv.faults.write = "429"),
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

function deploy() {
  const edge = simulateEdge({ staleness: 30 * MINUTE });
  edge.kv.setLag("here", 0);
  edge.insert("hash");
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
  await time.pass(3 * SECOND);
  return [await seen, waited];
}

async function lookAfter(history: keyof typeof HISTORY, d1: keyof typeof D1, kv: keyof typeof KV) {
  const { edge, here } = deploy();
  await edge.isolate("elsewhere").see("hash");
  await here.see("hash");
  const { age, since }: { age: number; since?: (edge: Edge, here: Isolate) => void } = HISTORY[history];
  await edge.time.pass(age - 2 * SECOND);
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

function fromD1(ms: number): Row {
  return [MEMORY, MEMORY, ["d1: accepted", ms], ["d1: accepted", ms], ["d1: revoked", ms], ["d1: accepted", ms]];
}

/** KV keeps known keys working, except a key that was not checked with D1 for 15 minutes. */
function withoutD1(ms: number): Row {
  return [MEMORY, MEMORY, COPY, COPY, REJECTED, ["unavailable", ms]];
}

/**
 * Memory keeps known keys working. A revocation this isolate can't see takes effect when either recovers, or after 15
 * minutes.
 */
function withoutBoth(ms: number): Row {
  const stale = ["stale: accepted", ms] as const;
  return [MEMORY, MEMORY, stale, ["unavailable", ms], stale, ["unavailable", ms]];
}

type Row = readonly (readonly [Seen, number])[];

/** Per row: D1, KV, then the caller's result and wait in milliseconds, in the order of `HISTORY`. */
const TABLE: readonly (readonly [keyof typeof D1, keyof typeof KV, Row])[] = [
  ["up", "up", [MEMORY, MEMORY, COPY, COPY, REJECTED, ["d1: accepted", 20]]],
  ["slow", "up", [MEMORY, MEMORY, COPY, COPY, REJECTED, ["d1: accepted", 400]]],
  ["down", "up", withoutD1(0)],
  ["overloaded", "up", withoutD1(0)],
  ["too slow", "up", withoutD1(500)],
  ["hanging", "up", withoutD1(500)],
  ["up", "down", fromD1(20)],
  ["up", "429", fromD1(20)],
  ["up", "stale", fromD1(20)],
  ["up", "hanging", fromD1(520)],
  ["slow", "hanging", fromD1(900)],
  ["up", "rejecting writes", [MEMORY, MEMORY, COPY, COPY, REJECTED, ["d1: accepted", 20]]],
  ["down", "rejecting writes", withoutD1(0)],
  ["down", "down", withoutBoth(0)],
  ["overloaded", "429", withoutBoth(0)],
  ["down", "stale", withoutBoth(0)],
  ["hanging", "hanging", withoutBoth(1_000)],
];

const ROWS = TABLE.flatMap(([d1, kv, row]) =>
  row.map(([seen, ms], index) => [d1, kv, Object.keys(HISTORY)[index] as keyof typeof HISTORY, seen, ms] as const),
);

describe("a known key", () => {
  test.each(ROWS)("D1 %s, KV %s, looked up %s: %s after %d ms", async (d1, kv, history, seen, ms) => {
    expect(await lookAfter(history, d1, kv)).toStrictEqual([seen, ms]);
  });
});

describe("a key that the edge has never seen", () => {
  test.each([
    ["up", "up", "d1: accepted", 20],
    ["up", "down", "d1: accepted", 20],
    ["up", "hanging", "d1: accepted", 520],
    ["slow", "up", "d1: accepted", 400],
    ["down", "up", "unavailable", 0],
    ["overloaded", "up", "unavailable", 0],
    ["hanging", "up", "unavailable", 500],
    ["hanging", "hanging", "unavailable", 1_000],
  ] as const)("D1 %s, KV %s: %s after %d ms", async (d1, kv, seen, ms) => {
    const { edge, here } = deploy();
    D1[d1](edge);
    KV[kv](edge);
    expect(await look(edge, here)).toStrictEqual([seen, ms]);
  });
});

describe("a key that was revoked in this isolate", () => {
  test.each(TABLE.map(([d1, kv]) => [d1, kv]))("D1 %s, KV %s: rejected immediately", async (d1, kv) => {
    const { edge, here } = deploy();
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
    const { edge, here } = deploy();
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

  test("delays one request, and is then retried every five seconds in the background", async () => {
    const { edge, here } = await outage();
    await edge.time.pass(MINUTE);
    expect(await look(edge, here)).toStrictEqual(["stale: accepted", 1_000]);
    const { calls } = edge.d1;
    for (let second = 0; second < 60; second += 3) {
      expect(await look(edge, here)).toStrictEqual(["stale: accepted", 0]);
    }
    expect(edge.d1.calls - calls).toBeGreaterThanOrEqual(9);
    expect(edge.d1.calls - calls).toBeLessThanOrEqual(12);
    // No lookup for half a minute: the earlier failure is stale by now.
    await edge.time.pass(30 * SECOND);
    expect(await look(edge, here)).toStrictEqual(["stale: accepted", 1_000]);
  });

  test("never delays steady traffic", async () => {
    const { edge, here } = await outage();
    for (let second = 0; second < 14 * 60; second++) {
      const started = edge.time.now();
      const seen = here.lookUp("hash");
      await edge.time.pass(0);
      expect(await seen).toBe(second < 28 ? "memory: accepted" : "stale: accepted");
      expect(edge.time.now()).toBe(started);
      await edge.time.pass(SECOND);
    }
  });

  test("keeps known keys working for 15 minutes, and no longer", async () => {
    const { edge, here } = await outage();
    const seen: string[] = [];
    for (let passed = 0; passed < 17 * MINUTE; passed += 10 * SECOND) {
      seen.push((await look(edge, here))[0]);
      await edge.time.pass(7 * SECOND);
    }
    expect(seen.lastIndexOf("stale: accepted") * 10).toBeGreaterThan(14.7 * 60);
    expect(seen.lastIndexOf("stale: accepted") * 10).toBeLessThanOrEqual(15 * 60);
    expect(seen.at(-1)).toBe("unavailable");
  });

  test("is over for the caller with the second request after five seconds", async () => {
    const { edge, here } = await outage();
    await edge.time.pass(MINUTE);
    await look(edge, here);
    edge.d1.fault = "none";
    edge.kv.faults.read = "none";
    await edge.time.pass(3 * SECOND);
    expect(await look(edge, here)).toStrictEqual(["stale: accepted", 0]);
    expect(await look(edge, here)).toStrictEqual(["memory: accepted", 0]);
  });

  test("is logged once per part every ten seconds, without identifying a key", async () => {
    const { edge, here } = deploy();
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
