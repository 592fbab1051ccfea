import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keyRecord, simulateEdge } from "../../test/key-cache-simulation.ts";
import { recordName, tombstoneName } from "./edge.ts";
import { MAX_KNOWN, MAX_UNKNOWN } from "./key-cache.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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
  test("in KV, then in memory, without D1, even if it was last used a month ago", async () => {
    const edge = simulateEdge();
    await edge.insertPublished("hash");
    const isolate = edge.isolate("here");
    expect(await isolate.see("hash")).toBe("kv: accepted");
    expect(await isolate.see("hash")).toBe("memory: accepted");
    await edge.time.pass(30 * DAY);
    expect(await isolate.see("hash")).toBe("kv: accepted");
    expect(await edge.isolate("there").see("hash")).toBe("kv: accepted");
    expect(edge.d1.calls).toBe(0);
  });

  test("in D1 if KV doesn't have it, by each isolate, and nothing is written to KV", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    expect(await edge.isolate("here").see("hash")).toBe("d1: accepted");
    expect(await edge.isolate("here").see("hash")).toBe("d1: accepted");
    expect(edge.kv.calls).toMatchObject({ put: 0, delete: 0 });
  });

  test("with the whole record from each of them", async () => {
    const edge = simulateEdge();
    const record = keyRecord({ suspendedAt: 5, asOf: edge.time.now() });
    edge.rows.set("hash", record);
    const isolate = edge.isolate("here");
    const looked = isolate.cache.lookUp("hash", isolate.request);
    await edge.time.pass(100);
    expect((await looked).state).toEqual(record);
    expect((await isolate.cache.lookUp("hash", isolate.request)).state).toEqual(record);
    await edge.kv.at("there").put(recordName("hash"), JSON.stringify(record));
    const other = edge.isolate("there");
    expect((await other.cache.lookUp("hash", other.request)).state).toEqual(record);
  });

  test("without any call or wait once warm", async () => {
    const edge = simulateEdge();
    await edge.insertPublished("hash");
    const isolate = edge.isolate("here");
    await isolate.lookUp("hash");
    await edge.time.pass(9_999);
    const before = ioCalls(edge);
    expect(await isolate.lookUp("hash")).toBe("memory: accepted");
    expect(ioCalls(edge)).toBe(before);
  });

  test("without a wait for half a minute, with one KV read in the background", async () => {
    const edge = simulateEdge();
    await edge.insertPublished("hash");
    const isolate = edge.isolate("here");
    await isolate.lookUp("hash");
    await edge.time.pass(29_999);
    const before = edge.kv.calls.get;
    for (let request = 0; request < 50; request++) expect(await isolate.lookUp("hash")).toBe("memory: accepted");
    await edge.time.pass(100);
    await isolate.settle();
    // Record and tombstone.
    expect(edge.kv.calls.get).toBe(before + 2);
    // Fresh again from here.
    await edge.time.pass(9_800);
    await isolate.lookUp("hash");
    expect(edge.kv.calls.get).toBe(before + 2);
  });

  test("in the background again if the request that looked it up was killed", async () => {
    const edge = simulateEdge();
    await edge.insertPublished("hash");
    const isolate = edge.isolate("here");
    await isolate.lookUp("hash");
    await edge.time.pass(10 * SECOND);
    const { get } = isolate.request.kv;
    isolate.request.kv.get = () => new Promise(() => {});
    await isolate.lookUp("hash");
    isolate.request.kv.get = get;
    const before = edge.kv.calls.get;
    await edge.time.pass(0);
    await isolate.lookUp("hash");
    expect(edge.kv.calls.get).toBe(before);
  });

  test("in KV after half a minute, with a wait", async () => {
    const edge = simulateEdge();
    await edge.insertPublished("hash");
    const isolate = edge.isolate("here");
    await isolate.lookUp("hash");
    await edge.time.pass(30_000);
    expect(await isolate.lookUp("hash")).toBe("kv: accepted");
  });

  test("in D1 when its record in KV is corrupt", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    await edge.kv.at("here").put(recordName("hash"), "{corrupt");
    expect(await edge.isolate("here").see("hash")).toBe("d1: accepted");
  });

  test("in D1 by another location right after its creation", async () => {
    const edge = simulateEdge({ staleness: MINUTE });
    edge.insert("hash");
    await edge.publish("hash", "here");
    expect(await edge.isolate("there").see("hash")).toBe("d1: accepted");
    await edge.time.pass(MINUTE);
    expect(await edge.isolate("there").see("hash")).toBe("kv: accepted");
  });
});

describe("a tombstone", () => {
  test("rejects the key whatever its content, even if the record beside it cannot be read", async () => {
    const edge = simulateEdge();
    const isolate = edge.isolate("here");
    await edge.kv.at("here").put(tombstoneName("hash"), "");
    const { get } = isolate.request.kv;
    isolate.request.kv.get = async (name, options) => {
      if (name === recordName("hash")) throw new Error("KV GET failed: 500 Internal Server Error");
      return get(name, options);
    };
    edge.d1.fault = "error";
    expect(await isolate.see("hash")).toBe("kv: revoked");
  });

  test("that can't be read leaves the decision to D1", async () => {
    const edge = simulateEdge();
    await edge.insertPublished("hash");
    edge.rows.set("hash", "revoked");
    const isolate = edge.isolate("here");
    const { get } = isolate.request.kv;
    isolate.request.kv.get = async (name, options) => {
      if (name === tombstoneName("hash")) throw new Error("KV GET failed: 500 Internal Server Error");
      return get(name, options);
    };
    expect(await isolate.see("hash")).toBe("d1: revoked");
  });
});

describe("a key that does not exist", () => {
  test("is rejected for five seconds without another lookup", async () => {
    const edge = simulateEdge();
    const isolate = edge.isolate("here");
    expect(await isolate.see("hash")).toBe("d1: unknown");
    const before = ioCalls(edge);
    expect(await isolate.see("hash")).toBe("memory: unknown");
    expect(isolate.cache.recall("hash")).toBeUndefined();
    expect(ioCalls(edge)).toBe(before);
    edge.insert("hash");
    expect(await isolate.see("hash")).toBe("d1: accepted");
  });

  test("first passes the request's own check; known keys skip it", async () => {
    const edge = simulateEdge();
    await edge.insertPublished("known");
    const isolate = edge.isolate("here");
    await isolate.lookUp("known");
    await edge.time.pass(40_000);
    const onMiss = vi.fn<() => void>().mockImplementation(() => {
      throw new Error("too many");
    });
    const before = ioCalls(edge);
    await expect(isolate.cache.lookUp("hash", { ...isolate.request, onMiss })).rejects.toThrow("too many");
    expect(ioCalls(edge)).toBe(before);
    expect((await isolate.cache.lookUp("known", { ...isolate.request, onMiss })).source).toBe("kv");
    expect(onMiss).toHaveBeenCalledTimes(1);
  });

  test("any more in KV or D1 is rejected", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const isolate = edge.isolate("here");
    await isolate.see("hash");
    edge.rows.delete("hash");
    await edge.time.pass(30 * SECOND);
    expect(await isolate.see("hash")).toBe("d1: unknown");
    expect(await isolate.lookUp("hash")).toBe("memory: unknown");
  });
});

describe("a change made by this isolate", () => {
  test("takes effect immediately, and older copies in KV don't undo it", async () => {
    const edge = simulateEdge({ staleness: 20 * MINUTE });
    await edge.insertPublished("hash");
    const isolate = edge.isolate("here");
    expect(await isolate.lookUp("hash")).toBe("kv: accepted");
    isolate.cache.remember("hash", keyRecord({ version: 2, suspendedAt: 5, asOf: edge.time.now() }));
    for (let minute = 0; minute < 5; minute++) {
      const found = isolate.cache.lookUp("hash", isolate.request);
      await edge.time.pass(MINUTE);
      expect((await found).state).toMatchObject({ version: 2, suspendedAt: 5 });
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

test("a record from a restored database replaces a higher version, in memory and from KV", async () => {
  const edge = simulateEdge({ staleness: MINUTE });
  await edge.insertPublished("hash", { version: 5 });
  const isolate = edge.isolate("here");
  expect(await isolate.lookUp("hash")).toBe("kv: accepted");
  await edge.time.pass(2 * MINUTE);
  edge.insert("hash", { version: 3, suspendedAt: 7 });
  await edge.publish("hash");
  await edge.time.pass(MINUTE);
  await isolate.lookUp("hash");
  expect(isolate.cache.recall("hash")).toMatchObject({ version: 3, suspendedAt: 7 });
  // A location that still shows the copy from before the restore doesn't bring it back.
  edge.kv.setLag("here", MINUTE);
  await edge.time.pass(30 * SECOND);
  await isolate.lookUp("hash");
  expect(isolate.cache.recall("hash")).toMatchObject({ version: 3 });
});

describe("memory", () => {
  test("holds 10,000 known and 10,000 unknown keys, and the unknown evict none of the known", async () => {
    const edge = simulateEdge();
    const isolate = edge.isolate("here");
    const asOf = edge.time.now();
    for (let index = 0; index < MAX_KNOWN + 500; index++) {
      isolate.cache.remember(`known ${index}`, keyRecord({ id: `key_${index}`, userId: `usr_${index}`, asOf }));
    }
    edge.d1.latency = 0;
    const unknown = Array.from({ length: MAX_UNKNOWN + 500 }, (_, index) => isolate.lookUp(`unknown ${index}`));
    await edge.time.pass(1);
    await Promise.all(unknown);
    expect(isolate.cache.sizes).toStrictEqual({ known: MAX_KNOWN, unknown: MAX_UNKNOWN });
    expect(await isolate.lookUp(`known ${MAX_KNOWN}`)).toBe("memory: accepted");
  });

  test("costs a lookup after eviction and admits no revoked key", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const isolate = edge.isolate("here");
    await edge.revoke("hash", isolate);
    for (let index = 0; index < MAX_KNOWN; index++) {
      isolate.cache.remember(`other ${index}`, keyRecord({ asOf: edge.time.now() }));
    }
    expect(await isolate.see("hash")).toBe("kv: revoked");
  });
});

test("a lookup in D1 that never ends delays no other beyond its own time", async () => {
  const edge = simulateEdge();
  edge.insert("hash");
  const here = edge.isolate("here");
  edge.d1.fault = "hang";
  const killed = here.lookUp("hash");
  await edge.time.pass(100);
  edge.d1.fault = "none";
  const next = here.lookUp("hash");
  await edge.time.pass(20);
  expect(await next).toBe("d1: accepted");
  await edge.time.pass(3_000);
  expect(await killed).toBe("stale: accepted");
});
