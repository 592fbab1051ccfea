import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  MAX_ISOLATES,
  SHARDS,
  decodeShard,
  encodeShard,
  mergeCounts,
  shardKey,
  shardLifetime,
  shardOf,
} from "./shards.ts";
import type { Usage } from "./shards.ts";

const isolateId = fc.stringMatching(/^[0-9A-Za-z]{1,16}$/);
const count = fc.integer({ min: 1, max: 1_000_000 });
const usage = fc.tuple(count, count).map(([requests, numbers]) => ({ requests, numbers }));
const counts = fc.array(fc.tuple(isolateId, count), { maxLength: 40 }).map((entries) => new Map(entries));
const usages = fc.array(fc.tuple(isolateId, usage), { maxLength: 40 }).map((entries) => new Map(entries));
const ONE = { requests: 1, numbers: 1 };

function many(size: number): Map<string, number> {
  return new Map(Array.from({ length: size }, (_, index) => [`isolate${index}`, index + 1]));
}

function manyUsages(size: number): Map<string, Usage> {
  return new Map([...many(size)].map(([isolate, requests]) => [isolate, { requests, numbers: 0 }]));
}

describe("a shard", () => {
  test("survives a round trip, with the writer's own usage", () => {
    fc.assert(
      fc.property(usages, isolateId, usage, (others, isolate, own) => {
        const expected = new Map(others).set(isolate, own);
        expect(decodeShard(encodeShard(others, isolate, own))).toStrictEqual(expected);
      }),
    );
  });

  test.each([
    ["nothing", null],
    ["no value", undefined],
    ["no JSON", '{"a":1'],
    ["a number", "7"],
    ["null", "null"],
    ["a list", "[1,2]"],
    ["a value of a megabyte", JSON.stringify({ a: [1, 1], b: "x".repeat(1_000_000) })],
  ])("is empty when it contains %s", (_, value) => {
    expect(decodeShard(value)).toStrictEqual(new Map());
  });

  test("is read without its invalid entries", () => {
    const value =
      '{"a":[1,0],"b":1,"c":[-3,1],"d":[1.5,1],"e":["9",1],"f":null,"g":[1,1e300],"h":[1],"i":[1,2,3],"__proto__":[4,4],"with space":[2,2],"12345678901234567":[1,1],"z":[2,200]}';
    expect(decodeShard(value)).toStrictEqual(
      new Map([
        ["a", { requests: 1, numbers: 0 }],
        ["z", { requests: 2, numbers: 200 }],
      ]),
    );
  });

  test("holds a fixed number of isolates, the busiest, and always its writer", () => {
    const read = decodeShard(encodeShard(manyUsages(500), "me", ONE));
    expect(read.size).toBe(MAX_ISOLATES);
    expect(read.get("me")).toStrictEqual(ONE);
    expect(read.get("isolate499")).toMatchObject({ requests: 500 });
    expect(read.has("isolate0")).toBe(false);
  });

  test("is never too long to be read", () => {
    const most = { requests: 1_000_000, numbers: 1_000_000 };
    const others = new Map(Array.from({ length: 500 }, (_, index) => [`${"x".repeat(13)}${index + 100}`, most]));
    expect(decodeShard(encodeShard(others, "me", ONE)).size).toBe(MAX_ISOLATES);
  });

  test("is chosen by isolate and window, evenly", () => {
    const used = Array.from({ length: SHARDS }, () => 0);
    for (const isolate of many(400).keys()) used[shardOf(isolate, 29_450_880)]! += 1;
    expect(Math.min(...used)).toBeGreaterThan(25);
    expect(Math.max(...used)).toBeLessThan(75);
    const together = Array.from(
      { length: 800 },
      (_, window) => shardOf("isolateA", window) === shardOf("isolateB", window),
    );
    const share = together.filter(Boolean).length / together.length;
    expect(share).toBeGreaterThan(0.06);
    expect(share).toBeLessThan(0.2);
  });

  test("has a key of subject, window, and shard, and lives until its debt is paid", () => {
    expect(shardKey("usr_1:live", 29_450_880, 3)).toBe("rl:usr_1:live:29450880:3");
    expect(shardLifetime(60)).toBe(180);
  });
});

describe("merging", () => {
  test("keeps the higher count of each isolate", () => {
    const merged = mergeCounts(
      new Map([
        ["a", 3],
        ["b", 1],
      ]),
      new Map([
        ["b", 2],
        ["a", 1],
        ["c", 1],
      ]),
    );
    expect(Object.fromEntries(merged)).toStrictEqual({ a: 3, b: 2, c: 1 });
  });

  test("is commutative and idempotent", () => {
    fc.assert(
      fc.property(counts, counts, counts, (a, b, c) => {
        const once = mergeCounts(mergeCounts(a, b), c);
        expect(mergeCounts(mergeCounts(once, b), once)).toStrictEqual(once);
        expect(mergeCounts(c, mergeCounts(b, a))).toStrictEqual(once);
      }),
    );
  });

  test("is bounded", () => {
    expect(mergeCounts(many(500), many(500)).size).toBe(MAX_ISOLATES);
  });
});
