import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { publishRow, simulateEdge } from "../../../test/key-cache-simulation.ts";
import { GATHER_MS } from "./gathering.ts";
import { encodeTombstone, recordName, tombstoneName } from "./record.ts";

const MINUTE = 60_000;

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("KV is filled", () => {
  test("with what D1 has, unless KV got a newer version since the D1 read", async () => {
    const edge = simulateEdge();
    edge.insert("hash", { version: 1 });
    edge.d1.latency = 200;
    const seen = edge.isolate("here").lookUp("hash");
    await edge.time.pass(150);
    edge.insert("hash", { version: 2 });
    await publishRow(edge, "hash");
    await edge.time.pass(200);
    expect(await seen).toBe("d1: accepted");
    expect(edge.kv.history(recordName("hash"))).toHaveLength(1);
    const isolate = edge.isolate("there");
    await isolate.see("hash");
    expect((await isolate.cache.lookUp("hash", isolate.request)).record?.version).toBe(2);
  });

  test("not at all when KV couldn't be read, since its content is unknown", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    edge.kv.faults.read = "error";
    expect(await edge.isolate("here").see("hash")).toBe("d1: accepted");
    expect(edge.kv.calls.put).toBe(0);
  });

  test("with a tombstone for a key that is revoked in D1", async () => {
    const edge = simulateEdge();
    edge.rows.set("hash", { revoked: true, version: 2 });
    expect(await edge.isolate("here").see("hash")).toBe("d1: revoked");
    expect(await edge.isolate("there").see("hash")).toBe("kv: revoked");
    expect(edge.d1.calls).toBe(1);
  });

  test("again when its record is 5 to 10 minutes old, in the background, so a key in use never waits", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const isolate = edge.isolate("here");
    await isolate.see("hash");
    const sources = new Set<string>();
    for (let passed = 0; passed < 60 * MINUTE; passed += 12_000) {
      await edge.time.pass(12_000);
      sources.add(await isolate.lookUp("hash"));
    }
    expect(sources).toStrictEqual(new Set(["memory: accepted"]));
    // The first, then with probability one half every seven and a half minutes.
    expect(edge.d1.calls).toBe(8);
    expect(edge.kv.calls.put).toBe(8);
  });

  test("which also delivers a change that was not published to the edge", async () => {
    const edge = simulateEdge();
    edge.insert("hash");
    const isolate = edge.isolate("here");
    await isolate.see("hash");
    edge.insert("hash", { suspendedAt: 5 });
    await edge.time.pass(7 * MINUTE + 31_000);
    await isolate.see("hash");
    await edge.time.pass(GATHER_MS);
    expect((await isolate.cache.lookUp("hash", isolate.request)).record).toMatchObject({ suspendedAt: 5 });
  });
});

test("a tombstone is honored even when the record beside it cannot be read", async () => {
  const edge = simulateEdge();
  const isolate = edge.isolate("here");
  await edge.kv.at("here").put(tombstoneName("hash"), encodeTombstone({ revoked: true, version: 2 }));
  const { get } = isolate.request.kv;
  const kv = {
    ...isolate.request.kv,
    get: async (name: string, options: { cacheTtl: number }) => {
      if (name === recordName("hash")) throw new Error("KV GET failed: 500 Internal Server Error");
      return get(name, options);
    },
  };
  edge.d1.fault = "error";
  const found = isolate.cache.lookUp("hash", { ...isolate.request, kv });
  await edge.time.pass(1_000);
  expect(await found).toMatchObject({ source: "kv", record: { revoked: true } });
});
