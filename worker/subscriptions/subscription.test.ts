import { expect, test } from "vitest";
import { isActive } from "./subscription.ts";

const NOW = Date.UTC(2026, 0, 1);

test.each([
  ["none", null, false],
  ["one that does not run out", { status: "active", expiresAt: null }, true],
  ["one that has a millisecond left", { status: "active", expiresAt: NOW + 1 }, true],
  ["one that runs out now", { status: "active", expiresAt: NOW }, false],
  ["one that has run out", { status: "active", expiresAt: NOW - 1 }, false],
  ["one that was ended early", { status: "ended", expiresAt: NOW + 1 }, false],
] as const)("%s", (_, subscription, expected) => {
  expect(isActive(subscription, NOW)).toBe(expected);
});
