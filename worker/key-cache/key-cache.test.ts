import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keyRecord } from "../../test/key-cache-simulation.ts";
import { createKeyCache, MAX_KNOWN, MAX_UNKNOWN } from "./key-cache.ts";
import type { LookUpRequest } from "./key-cache.ts";
import type { KeyState } from "./record.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A cache in front of empty KV. */
function startCache(find: (hash: string) => Promise<KeyState> = async () => "unknown") {
  const cache = createKeyCache({
    now: () => Date.now(),
    sleep: () => new Promise(() => {}),
    find: (_, hash) => find(hash),
  });
  const get = vi.fn<LookUpRequest["kv"]["get"]>().mockResolvedValue(null);
  const request: LookUpRequest = {
    kv: { get } as unknown as LookUpRequest["kv"],
    db: {} as LookUpRequest["db"],
    waitUntil() {},
  };
  return { cache, get, lookUp: (hash: string, onMiss = () => {}) => cache.lookUp(hash, { ...request, onMiss }) };
}

describe("memory", () => {
  test("holds 10,000 known and 10,000 unknown keys, and the unknown evict none of the known", async () => {
    const { cache, lookUp } = startCache();
    for (let index = 0; index < MAX_KNOWN + 500; index++)
      cache.remember(`known ${index}`, keyRecord({ asOf: Date.now() }));
    for (let index = 0; index < MAX_UNKNOWN + 500; index++) await lookUp(`unknown ${index}`);
    expect(cache.sizes).toStrictEqual({ known: MAX_KNOWN, unknown: MAX_UNKNOWN });
    expect(await lookUp("known 500")).toMatchObject({ source: "memory", state: { id: "key_1" } });
    expect(await lookUp("known 499")).toMatchObject({ source: "d1" });
  });

  test("recalls what it has, and an unknown key for five seconds", async () => {
    const { cache, lookUp } = startCache();
    cache.remember("revoked", "revoked");
    expect([cache.recall("revoked"), cache.recall("hash")]).toStrictEqual(["revoked", undefined]);
    expect(await lookUp("revoked")).toStrictEqual({ source: "memory", state: "revoked" });
    await lookUp("hash");
    vi.advanceTimersByTime(4_999);
    expect(cache.recall("hash")).toBe("unknown");
    expect(await lookUp("hash")).toStrictEqual({ source: "memory", state: "unknown" });
    vi.advanceTimersByTime(1);
    expect(cache.recall("hash")).toBeUndefined();
    cache.remember("hash", keyRecord({ asOf: Date.now() }));
    expect(cache.recall("hash")).toMatchObject({ id: "key_1" });
  });
});

describe("a look-up", () => {
  test("lets KV serve a location's copy for 30 s, its minimum, after which everyone sees a revocation", async () => {
    const { get, lookUp } = startCache();
    await lookUp("hash");
    expect(get.mock.calls.map(([, options]) => options)).toStrictEqual([{ cacheTtl: 30 }, { cacheTtl: 30 }]);
  });

  test("of a key that isn't in memory first passes the request's own check", async () => {
    const find = vi.fn<() => Promise<KeyState>>().mockResolvedValue(keyRecord());
    const { cache, lookUp } = startCache(find);
    const onMiss = () => {
      throw new Error("too many");
    };
    await expect(lookUp("hash", onMiss)).rejects.toThrow("too many");
    expect(find).not.toHaveBeenCalled();
    cache.remember("hash", keyRecord({ asOf: Date.now() - 60_000 }));
    expect(await lookUp("hash", onMiss)).toMatchObject({ source: "d1" });
  });

  test.each<[string, string, () => KeyState]>([
    ["has the key", "d1", () => keyRecord()],
    ["has no such key", "d1", () => "unknown"],
    [
      "fails, however late",
      "stale",
      () => {
        vi.advanceTimersByTime(60 * 60_000);
        throw new Error("D1_ERROR: Network connection lost.");
      },
    ],
  ])("that is pending during a revocation in this isolate ends with that if D1 %s", async (_, source, found) => {
    const revoked = Promise.withResolvers<void>();
    const { cache, lookUp } = startCache(() => revoked.promise.then(found));
    const pending = lookUp("hash");
    cache.remember("hash", "revoked");
    revoked.resolve();
    expect(await pending).toStrictEqual({ source, state: "revoked" });
    expect(cache.recall("hash")).toBe("revoked");
  });
});
