import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { PLAN_IDS, PLANS, TEST_LIMITS } from "../../contract/plans.ts";
import type { PlanLimits } from "../../contract/plans.ts";
import { keyRecord } from "../../test/key-cache-simulation.ts";
import { recordName, tombstoneName } from "./edge.ts";
import { decodeRecord, KeyRecordSchema, limitsOf, needsOf, replaces, requireKnown } from "./record.ts";

const NOW = Date.UTC(2026, 0, 2, 12);
const MINUTE = 60_000;

const time = fc.nat(4_000_000_000_000);
const records = fc
  .record({
    version: fc.nat(),
    asOf: time,
    id: fc.string(),
    userId: fc.string(),
    mode: fc.constantFrom(...KEY_MODES),
    origins: fc.array(fc.webUrl()),
    suspendedAt: fc.option(time),
    subscription: fc.option(
      fc.record({
        plan: fc.constantFrom(...PLAN_IDS),
        status: fc.constantFrom("active" as const, "ended" as const),
        startedAt: time,
        expiresAt: fc.option(time),
      }),
    ),
  })
  .map(keyRecord);

const stored = JSON.stringify(keyRecord());

describe("a record", () => {
  test("survives a round trip through KV", () => {
    fc.assert(
      fc.property(records, (record) => {
        expect(decodeRecord(JSON.stringify(record))).toEqual(record);
      }),
    );
  });

  test("contains ids, and nothing else that belongs to a person", () => {
    expect(Object.keys(KeyRecordSchema.entries).toSorted()).toStrictEqual(
      [
        "asOf",
        "cap",
        "expiresAt",
        "id",
        "mode",
        "needs",
        "origins",
        "root",
        "subscription",
        "suspendedAt",
        "userId",
        "version",
      ].toSorted(),
    );
  });

  test("may have fields that a later version of the worker added", () => {
    expect(decodeRecord(JSON.stringify({ ...keyRecord(), color: "blue" }))).toEqual(keyRecord());
  });

  test("is read by a later version of the worker without the optional fields that it added", () => {
    const Later = v.object({ ...KeyRecordSchema.entries, color: v.optional(v.string(), "none") });
    expect(v.parse(Later, JSON.parse(stored))).toEqual({ ...keyRecord(), color: "none" });
  });

  test("of the version before keys for web pages is one for servers", () => {
    const { origins: _, ...before } = keyRecord();
    expect(decodeRecord(JSON.stringify(before))).toEqual(keyRecord({ origins: [] }));
  });

  test.each([
    ["a mode", { mode: "beta" as KeyMode }],
    ["a restriction", { needs: ["cap", "countries"] }],
  ])("with %s of a later version is read, and rejected", (_, changes) => {
    const record = decodeRecord(JSON.stringify(keyRecord(changes)));
    expect(record).toEqual(keyRecord(changes));
    expect(() => requireKnown(record!)).toThrow(expect.objectContaining({ code: "TEMPORARILY_UNAVAILABLE" }));
  });

  test("with this version's restrictions isn't rejected", () => {
    const restricted = { cap: 10, origins: ["https://shop.example"] };
    const needs = needsOf(restricted);
    expect(needs).toStrictEqual(["cap", "origins"]);
    expect(needsOf({ ...restricted, origins: [] })).toStrictEqual(["cap"]);
    expect(needsOf({ ...restricted, cap: null })).toStrictEqual(["origins"]);
    expect(() => requireKnown(keyRecord({ ...restricted, needs }))).not.toThrow();
  });

  describe("has the limits", () => {
    const { subscription } = keyRecord();
    const carried = { quota: 5, requestsPerMinute: 6, numbersPerMinute: 7 };
    const onPlan = (plan: string, limits?: PlanLimits) =>
      limitsOf(keyRecord({ subscription: { ...subscription!, plan, ...(limits && { limits }) } }));

    test.each(PLAN_IDS)("of this version for plan %s, whatever it carries", (plan) => {
      expect(onPlan(plan, carried)).toBe(PLANS[plan]);
    });

    test("that it carries for a plan of a later version", () => {
      expect(onPlan("of a later version", carried)).toEqual(carried);
    });

    test("of the largest plan, without a quota, for a plan that nothing is known of", () => {
      expect(onPlan("of a later version")).toStrictEqual({
        quota: null,
        requestsPerMinute: 600,
        numbersPerMinute: 60_000,
      });
    });

    test("of test keys for a test key and without a subscription", () => {
      expect(limitsOf(keyRecord({ mode: "test" }))).toBe(TEST_LIMITS);
      expect(limitsOf(keyRecord({ subscription: null }))).toBe(TEST_LIMITS);
    });
  });

  test.each([
    ["nothing", null],
    ["no JSON", "{"],
    ["no object", "7"],
    ["null", "null"],
    ["a tombstone", "revoked"],
    ["a mode that is none", stored.replace('"mode":"live"', '"mode":7')],
    ["a time that is none", stored.replace(/"asOf":\d+/, '"asOf":"now"')],
    ["origins that are none", stored.replace('"origins":[]', '"origins":"*"')],
    ["a cap that is none", stored.replace('"cap":null', '"cap":{"most":1}')],
    ["without the first key of its chain", stored.replace('"root":"key_1",', "")],
  ])("is ignored when it is %s", (_, text) => {
    expect(decodeRecord(text)).toBeNull();
  });

  test("with any part changed at random is parsed as a record or ignored, and never throws", () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.string({ maxLength: 3 }), (record, at, text) => {
        const encoded = JSON.stringify(record);
        const cut = at % encoded.length;
        decodeRecord(encoded.slice(0, cut) + text + encoded.slice(cut + 1));
      }),
    );
  });

  test("has a name that no tombstone is written under", () => {
    expect([recordName("ab"), tombstoneName("ab")]).toStrictEqual(["key:ab", "gone:ab"]);
  });
});

describe("of two records of a key", () => {
  const versions = fc.record({
    version: fc.integer({ min: 1, max: 4 }),
    asOf: fc.integer({ min: 0, max: 3 * MINUTE }),
  });

  test("one replaces the other, in either order", () => {
    fc.assert(
      fc.property(versions, versions, (a, b) => {
        const [one, other] = [keyRecord(a), keyRecord(b)];
        fc.pre(a.version !== b.version || a.asOf !== b.asOf);
        expect(replaces(one, other)).toBe(!replaces(other, one));
      }),
    );
  });

  test.each([
    ["a higher version", { version: 2, asOf: NOW }, true],
    ["a higher version, even if it was read slightly earlier", { version: 2, asOf: NOW - MINUTE }, true],
    ["a higher version that was read long before", { version: 2, asOf: NOW - MINUTE - 1 }, false],
    ["a later read of the same version", { version: 1, asOf: NOW + 1 }, true],
    ["an earlier read of the same version", { version: 1, asOf: NOW - 1 }, false],
    ["a lower version", { version: 0, asOf: NOW + MINUTE }, false],
    ["a lower version from much later, as after a database restore", { version: 0, asOf: NOW + MINUTE + 1 }, true],
  ])("the first is replaced by %s: %o, %s", (_, next, expected) => {
    expect(replaces(keyRecord(next), keyRecord({ asOf: NOW }))).toBe(expected);
  });
});
