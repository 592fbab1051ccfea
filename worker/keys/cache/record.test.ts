import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KEY_MODES, PLANS } from "../../../contract/limits.ts";
import { keyRecord } from "../../../test/key-cache-simulation.ts";
import { decodeRecord, decodeTombstone, encodeRecord, encodeTombstone, recordName, tombstoneName } from "./record.ts";

const time = fc.nat(4_000_000_000_000);
const records = fc
  .record({
    version: fc.nat(),
    asOf: time,
    id: fc.string(),
    userId: fc.string(),
    mode: fc.constantFrom(...KEY_MODES),
    suspendedAt: fc.option(time),
    subscription: fc.option(
      fc.record({
        plan: fc.constantFrom(...PLANS),
        status: fc.constantFrom("active" as const, "ended" as const),
        startedAt: time,
        expiresAt: fc.option(time),
      }),
    ),
  })
  .map(keyRecord);

describe("a record", () => {
  test("survives a round trip through KV", () => {
    fc.assert(
      fc.property(records, (record) => {
        expect(decodeRecord(encodeRecord(record))).toEqual(record);
      }),
    );
  });

  test("contains ids, and nothing else that belongs to a person", () => {
    expect(Object.keys(JSON.parse(encodeRecord(keyRecord())) as object).toSorted()).toStrictEqual(
      ["as_of", "cap", "expires_at", "id", "mode", "schema", "subscription", "suspended_at", "user_id", "v"].toSorted(),
    );
  });

  test("may have fields that a later version of the worker added", () => {
    const extended = { ...(JSON.parse(encodeRecord(keyRecord())) as object), color: "blue" };
    expect(decodeRecord(JSON.stringify(extended))).toEqual(keyRecord());
  });

  test.each([
    ["nothing", null],
    ["no JSON", "{"],
    ["no object", "7"],
    ["null", "null"],
    ["a tombstone", encodeTombstone({ revoked: true, version: 2 })],
    ["another schema", encodeRecord(keyRecord()).replace('"schema":1', '"schema":2')],
    ["a time that is none", encodeRecord(keyRecord()).replace(/"as_of":\d+/, '"as_of":"now"')],
    ["an unknown mode", encodeRecord(keyRecord()).replace('"live"', '"beta"')],
    ["a cap without a key", encodeRecord(keyRecord()).replace('"cap":null', '"cap":{"most":1}')],
    ["an unknown plan", encodeRecord(keyRecord()).replace('"trial"', '"free"')],
  ])("is ignored when it is %s", (_, text) => {
    expect(decodeRecord(text)).toBeNull();
  });

  test("with any part changed at random is parsed as a record or ignored, and never throws", () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.string({ maxLength: 3 }), (record, at, text) => {
        const encoded = encodeRecord(record);
        const cut = at % encoded.length;
        decodeRecord(encoded.slice(0, cut) + text + encoded.slice(cut + 1));
      }),
    );
  });
});

describe("a tombstone", () => {
  test("contains its version and nothing of the account", () => {
    expect(JSON.parse(encodeTombstone({ revoked: true, version: 3 }))).toStrictEqual({ v: 3, revoked: true });
    expect(decodeTombstone(encodeTombstone({ revoked: true, version: 3 }))).toStrictEqual({
      revoked: true,
      version: 3,
    });
  });

  test.each(["", "{", "null", '{"v":-1}'])("rejects the key even when corrupt: %j", (text) => {
    expect(decodeTombstone(text)).toStrictEqual({ revoked: true, version: 0 });
  });

  test("is null when nothing is stored", () => {
    expect(decodeTombstone(null)).toBeNull();
  });

  test("uses a name that no record is written under", () => {
    expect(recordName("ab")).toBe("key:ab");
    expect(tombstoneName("ab")).not.toBe(recordName("ab"));
  });
});
