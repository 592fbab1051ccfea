import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keyRecord, publishRow, simulateEdge } from "../../../test/key-cache-simulation.ts";
import { GATHER_MS } from "./gathering.ts";
import { MAX_KNOWN, MAX_UNKNOWN } from "./key-memory.ts";
import { recordName } from "./record.ts";

const MINUTE = 60_000;

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

function ioCalls({ kv, d1 }: ReturnType<typeof simulateEdge>): number {
  return kv.calls.get + kv.calls.put + kv.calls.delete + d1.calls;
}

describe("a key is looked up", () => {
  test("in D1 first, then in memory, and by another isolate in KV", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const [first, second] = [edge.isolate("here"), edge.isolate("there")];
    expect(await first.see("hash")).toBe("d1: accepted");
    expect(await first.see("hash")).toBe("memory: accepted");
    expect(await second.see("hash")).toBe("kv: accepted");
    expect(edge.d1.calls).toBe(1);
  });

  test("with the whole record from each of them", async () => {
    const edge = simulateEdge();
    const record = keyRecord({ suspendedAt: 5 });
    edge.rows.set("hash", record);
    const isolate = edge.isolate("here");
    const looked = isolate.cache.lookUp("hash", isolate.request);
    await edge.time.pass(100);
    expect((await looked).record).toEqual(record);
    expect((await isolate.cache.lookUp("hash", isolate.request)).record).toEqual(record);
    const other = edge.isolate("there");
    const copied = other.cache.lookUp("hash", other.request);
    await edge.time.pass(100);
    expect((await copied).record).toEqual(record);
  });

  test("without any call or wait once warm", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const isolate = edge.isolate("here");
    await isolate.see("hash");
    await edge.time.pass(7_900);
    const before = ioCalls(edge);
    expect(isolate.cache.lookUp("hash", isolate.request)).toMatchObject({ source: "memory" });
    expect(ioCalls(edge)).toBe(before);
  });

  test("without a wait for half a minute, with one KV read in the background", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const isolate = edge.isolate("here");
    await isolate.see("hash");
    await edge.time.pass(18_000);
    const before = edge.kv.calls.get;
    for (let request = 0; request < 50; request++) expect(await isolate.lookUp("hash")).toBe("memory: accepted");
    await edge.time.pass(100);
    await isolate.settle();
    // Record and tombstone.
    expect(edge.kv.calls.get).toBe(before + 2);
    expect(edge.d1.calls).toBe(1);
    // Fresh again from here.
    await edge.time.pass(9_000);
    await isolate.lookUp("hash");
    expect(edge.kv.calls.get).toBe(before + 2);
  });

  test("in KV after half a minute, with a wait", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const isolate = edge.isolate("here");
    await isolate.see("hash");
    await edge.time.pass(30_000);
    expect(await isolate.see("hash")).toBe("kv: accepted");
  });

  test("once in D1 for all concurrent requests", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const isolate = edge.isolate("here");
    const seen = Promise.all(Array.from({ length: 100 }, () => isolate.lookUp("hash")));
    await edge.time.pass(1_000);
    expect(new Set(await seen)).toStrictEqual(new Set(["d1: accepted"]));
    expect([edge.d1.calls, edge.kv.calls.put]).toStrictEqual([1, 1]);
  });

  test("in D1 when its record in KV is corrupt, which is then replaced", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    await edge.kv.at("here").put(recordName("hash"), "{corrupt");
    const isolate = edge.isolate("here");
    expect(await isolate.see("hash")).toBe("d1: accepted");
    isolate.restart();
    expect(await isolate.see("hash")).toBe("kv: accepted");
  });
});

describe("a key that does not exist", () => {
  test("is rejected for five seconds without another lookup", async () => {
    const edge = simulateEdge();
    const isolate = edge.isolate("here");
    expect(await isolate.see("hash")).toBe("d1: unknown");
    const before = ioCalls(edge);
    expect(await isolate.see("hash")).toBe("memory: unknown");
    expect(ioCalls(edge)).toBe(before);
    await edge.time.pass(1_000);
    edge.insert("hash");
    expect(await isolate.see("hash")).toBe("d1: accepted");
  });

  test("first passes the request's own check; known keys skip it", async () => {
    const edge = simulateEdge();
    edge.insert("known");
    const isolate = edge.isolate("here");
    await isolate.see("known");
    await edge.time.pass(40_000);
    const onMiss = vi.fn<() => Promise<void>>().mockRejectedValue(new Error("too many"));
    const before = ioCalls(edge);
    await expect(isolate.cache.lookUp("hash", { ...isolate.request, onMiss })).rejects.toThrow("too many");
    expect(ioCalls(edge)).toBe(before);
    const known = isolate.cache.lookUp("known", { ...isolate.request, onMiss });
    await edge.time.pass(100);
    expect((await known).source).toBe("kv");
    expect(onMiss).toHaveBeenCalledTimes(1);
  });

  test("any more is rejected after that, and its record leaves KV", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const isolate = edge.isolate("here");
    await isolate.see("hash");
    await edge.time.pass(7 * MINUTE + 31_000);
    edge.rows.delete("hash");
    // The record is still trusted, and compared with D1 in the background.
    expect(await isolate.see("hash")).toBe("kv: accepted");
    await edge.time.pass(GATHER_MS);
    expect(await isolate.see("hash")).toBe("memory: unknown");
    await edge.time.pass(10_000);
    expect(await isolate.see("hash")).toBe("d1: unknown");
    expect(edge.kv.history(recordName("hash")).at(-1)?.value).toBeNull();
  });

  test("any more stays rejected while KV still shows its record", async () => {
    const edge = simulateEdge({ staleness: 20 * MINUTE });
    edge.insert("hash");
    const isolate = edge.isolate("here");
    await publishRow(edge, "hash");
    edge.kv.setLag("here", 0);
    await edge.time.pass(1_000);
    edge.rows.delete("hash");
    isolate.cache.remember("hash", { revoked: null, asOf: edge.time.now() });
    expect(await isolate.see("hash")).toBe("memory: unknown");
    await edge.time.pass(10_000);
    expect(await isolate.see("hash")).toBe("d1: unknown");
  });
});

describe("a change made by this isolate", () => {
  test("takes effect immediately, and older copies in KV don't undo it", async () => {
    const edge = simulateEdge({ staleness: 20 * MINUTE });
    edge.insert("hash");
    await publishRow(edge, "hash");
    const isolate = edge.isolate("here");
    edge.kv.setLag("here", 0);
    expect(await isolate.see("hash")).toBe("kv: accepted");
    isolate.cache.remember("hash", keyRecord({ version: 2, suspendedAt: 5, asOf: edge.time.now() }));
    for (let minute = 0; minute < 5; minute++) {
      const found = isolate.cache.lookUp("hash", isolate.request);
      await edge.time.pass(MINUTE);
      expect((await found).record).toMatchObject({ version: 2, suspendedAt: 5 });
    }
  });

  test("takes effect immediately for a pending lookup too", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    edge.d1.latency = 400;
    const isolate = edge.isolate("here");
    const seen = isolate.lookUp("hash");
    // D1 has been read; its result is in flight.
    await edge.time.pass(300);
    void edge.revoke("hash", isolate);
    await edge.time.pass(300);
    expect(await seen).toBe("d1: revoked");
    expect(await isolate.lookUp("hash")).toBe("memory: revoked");
  });
});

describe("memory", () => {
  test("holds 10,000 known and 10,000 unknown keys, and the unknown evict none of the known", async () => {
    const edge = simulateEdge();
    const { cache, request } = edge.isolate("here");
    const asOf = edge.time.now();
    for (let index = 0; index < MAX_KNOWN + 500; index++) {
      cache.remember(`known ${index}`, keyRecord({ id: `key_${index}`, userId: `usr_${index}`, asOf }));
    }
    for (let index = 0; index < 3 * MAX_UNKNOWN; index++) cache.remember(`unknown ${index}`, { revoked: null, asOf });
    expect(cache.sizes).toStrictEqual({ known: MAX_KNOWN, unknown: MAX_UNKNOWN });
    expect((await cache.lookUp(`known ${MAX_KNOWN}`, request)).source).toBe("memory");
    expect(ioCalls(edge)).toBe(0);
  });

  test("costs a lookup after eviction and admits no revoked key", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const isolate = edge.isolate("here");
    const published = edge.revoke("hash", isolate);
    await edge.time.pass(10);
    await published;
    for (let index = 0; index < MAX_KNOWN; index++) {
      isolate.cache.remember(`other ${index}`, keyRecord({ asOf: edge.time.now() }));
    }
    expect(await isolate.see("hash")).toBe("kv: revoked");
  });
});

test("a question that D1 never answers delays no one beyond its time limit", async () => {
  const edge = simulateEdge();
  edge.insert("hash");
  const here = edge.isolate("here");
  edge.d1.fault = "hang";
  const killed = here.lookUp("hash");
  await edge.time.pass(100);
  edge.d1.fault = "none";
  // Shares the pending question, and so the timeout.
  const shared = here.lookUp("hash");
  await edge.time.pass(400);
  expect([await killed, await shared]).toStrictEqual(["unavailable", "unavailable"]);
  expect(await here.see("hash")).toBe("d1: accepted");
});
