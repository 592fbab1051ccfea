import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyRecord } from "../../../test/key-cache-simulation.ts";
import { isBelieved, isRecheckDue, newest, standingOf } from "./decide.ts";
import type { Sighting } from "./record.ts";

const NOW = Date.UTC(2026, 0, 2, 12);
const MINUTE = 60_000;

const sightings: fc.Arbitrary<Sighting> = fc.oneof(
  fc
    .record({ version: fc.integer({ min: 1, max: 4 }), age: fc.nat(20 * MINUTE) })
    .map(({ version, age }) => keyRecord({ version, asOf: NOW - age })),
  fc.record({ revoked: fc.constant(true as const), version: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ revoked: fc.constant(null), asOf: fc.integer({ min: NOW - 20 * MINUTE, max: NOW }) }),
);

describe("of two sightings", () => {
  test("a tombstone always wins", () => {
    fc.assert(
      fc.property(sightings, fc.nat(4), (other, version) => {
        expect(newest({ revoked: true, version }, other).revoked).toBe(true);
        expect(newest(other, { revoked: true, version }).revoked).toBe(true);
      }),
    );
  });

  test("the same one wins in either order", () => {
    fc.assert(
      fc.property(sightings, sightings, (a, b) => {
        fc.pre(a.revoked !== true || b.revoked !== true);
        expect(newest(a, b)).toEqual(newest(b, a));
      }),
    );
  });

  test("the higher version wins, even when it was read slightly earlier", () => {
    const [lower, higher] = [keyRecord({ version: 1, asOf: NOW }), keyRecord({ version: 2, asOf: NOW - MINUTE })];
    expect(newest(lower, higher)).toBe(higher);
  });

  test("of the same version the later read wins", () => {
    const [earlier, later] = [keyRecord({ asOf: NOW - 1 }), keyRecord({ asOf: NOW })];
    expect(newest(later, earlier)).toBe(later);
  });

  test("a much later read wins even with a lower version, as after a database restore", () => {
    const [before, restored] = [
      keyRecord({ version: 3, asOf: NOW - MINUTE - 1 }),
      keyRecord({ version: 1, asOf: NOW }),
    ];
    expect(newest(before, restored)).toBe(restored);
  });

  test("a missing row wins against earlier and simultaneous reads, not later ones", () => {
    const absence: Sighting = { revoked: null, asOf: NOW };
    expect(newest(keyRecord({ asOf: NOW }), absence)).toBe(absence);
    const later = keyRecord({ asOf: NOW + 1 });
    expect(newest(absence, later)).toBe(later);
  });
});

describe("a record in memory", () => {
  test.each([
    ["fresh", 9_999, 0, "fresh"],
    ["ageing from ten seconds on", 10_000, 0, "ageing"],
    ["ageing up to half a minute", 29_999, 0, "ageing"],
    ["expired after it", 30_000, 0, "expired"],
    ["failing while a lookup that failed may not be repeated", 30_000, NOW + 1, "failing"],
    ["failing up to half a minute after one failed", 30_000, NOW - 24_999, "failing"],
    ["expired when that is longer ago", 30_000, NOW - 25_000, "expired"],
  ] as const)("is %s", (_, age, retryAt, expected) => {
    expect(standingOf(keyRecord({ asOf: NOW - age }), { checkedAt: NOW - age, retryAt }, NOW)).toBe(expected);
  });

  test("is trusted for 15 minutes after a D1 read, however often KV confirms it", () => {
    const record = keyRecord({ asOf: NOW - 15 * MINUTE });
    expect(isBelieved(record, NOW)).toBe(true);
    expect(isBelieved(record, NOW + 1)).toBe(false);
    expect(standingOf(record, { checkedAt: NOW, retryAt: NOW + 9 }, NOW + 1)).toBe("expired");
  });

  test("is compared with D1 again after 5 to 10 minutes, at random", () => {
    expect(isRecheckDue(keyRecord({ asOf: NOW - 5 * MINUTE }), NOW, 0)).toBe(false);
    expect(isRecheckDue(keyRecord({ asOf: NOW - 5 * MINUTE - 1 }), NOW, 0)).toBe(true);
    expect(isRecheckDue(keyRecord({ asOf: NOW - 7 * MINUTE }), NOW, 0.5)).toBe(false);
    expect(isRecheckDue(keyRecord({ asOf: NOW - 10 * MINUTE }), NOW, 0.999)).toBe(true);
  });
});
