import { describe, expect, test } from "vitest";
import { createKvStandIn } from "../../test/kv-stand-in.ts";
import type { KvStandInOptions } from "../../test/kv-stand-in.ts";
import { createVirtualTime } from "../../test/virtual-time.ts";

function setUp(options: Partial<KvStandInOptions> = {}) {
  const time = createVirtualTime();
  return { time, kv: createKvStandIn({ now: time.now, sleep: time.sleep, staleness: 60_000, ...options }) };
}

describe("the KV stand-in", () => {
  test("shows a write immediately where it was made, and elsewhere after its lag, even the first one", async () => {
    const { time, kv } = setUp();
    await kv.at("a").put("name", "1");
    expect(await kv.at("a").get("name")).toBe("1");
    expect(await kv.at("b").get("name")).toBeNull();
    await time.pass(60_000);
    expect(await kv.at("b").get("name")).toBe("1");
    kv.setLag("b", 0);
    await kv.at("a").put("name", "2");
    expect(await kv.at("b").get("name")).toBe("2");
    expect(await kv.at("c").get("name")).toBe("1");
  });

  test("keeps the write that lands last, whichever started first", async () => {
    const { time, kv } = setUp({ landing: (_, location) => (location === "slow" ? 5_000 : 10) });
    void kv.at("slow").put("name", "early");
    void kv.at("fast").put("name", "late");
    await time.pass(100_000);
    expect(await kv.at("fast").get("name")).toBe("early");
    expect(kv.history("name").map(({ value }) => value)).toStrictEqual(["late", "early"]);
  });

  test("forgets what has expired", async () => {
    const { time, kv } = setUp();
    await kv.at("a").put("name", "1", { expirationTtl: 60 });
    await time.pass(60_000);
    expect(await kv.at("a").get("name")).toBeNull();
  });

  test("accepts one write per second per name when configured to", async () => {
    const { time, kv } = setUp({ limitWrites: true });
    await kv.at("a").put("name", "1");
    await expect(kv.at("b").put("name", "2")).rejects.toThrow("429 Too Many Requests");
    await kv.at("b").put("other", "2");
    await time.pass(1_000);
    await kv.at("b").put("name", "2");
    expect(kv.calls).toStrictEqual({ get: 0, put: 4, delete: 0 });
  });

  test("rejects what the platform rejects: a cacheTtl under 30 s, an expirationTtl under 60 s", async () => {
    const { kv } = setUp();
    await expect(kv.at("a").get("name", { cacheTtl: 10 })).rejects.toThrow("cache_ttl");
    await expect(kv.at("a").put("name", "1", { expirationTtl: 59 })).rejects.toThrow("expiration_ttl");
  });

  test("fails or hangs on request", async () => {
    const { time, kv } = setUp();
    kv.faults.read = "error";
    await expect(kv.at("a").get("name")).rejects.toThrow("500 Internal Server Error");
    kv.faults.write = "hang";
    let settled = false;
    void kv
      .at("a")
      .put("name", "1")
      .finally(() => (settled = true));
    await time.pass(3_600_000);
    expect(settled).toBe(false);
  });
});
