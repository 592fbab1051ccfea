import { expect, test } from "vitest";
import { SDK_VERSION } from "../../contract/sdks.ts";
import { SDK_PACKAGES } from "../../sdks/packages.ts";
import { brokenReleases, readReleased, servedDigest, withRelease } from "./released.ts";

test("released packages are served with their released bytes", () => {
  expect(brokenReleases(readReleased())).toStrictEqual([]);
});

test("a release is recorded once, with the digests of what is served", () => {
  const once = withRelease({}, SDK_VERSION);
  expect(Object.keys(once[SDK_VERSION]!)).toStrictEqual(SDK_PACKAGES.map(({ id }) => id));
  expect(once[SDK_VERSION]!["python"]).toBe(servedDigest("python", SDK_VERSION));
  expect(withRelease(once, SDK_VERSION)).toStrictEqual(once);
  expect(brokenReleases(once)).toStrictEqual([]);
});

test("one changed byte of a released package is detected, and is not recorded over", () => {
  const once = withRelease({}, SDK_VERSION);
  const changed = (id: string) => (id === "ruby" ? "0".repeat(64) : once[SDK_VERSION]![id]!);
  const complaint = `ruby ${SDK_VERSION} is released, but its bytes have changed. Raise SDK_VERSION.`;
  expect(brokenReleases(once, changed)).toStrictEqual([complaint]);
  expect(() => withRelease(once, SDK_VERSION, changed)).toThrow(complaint);
});

test("an older release stays where it was", () => {
  const released = { "0.9.0": withRelease({}, SDK_VERSION)[SDK_VERSION]! };
  expect(brokenReleases(released)).toHaveLength(SDK_PACKAGES.length);
  expect(brokenReleases(released)[0]).toBe("javascript 0.9.0 is released, but its package is missing.");
});

test("a package that is missing, or not in the list, is reported", () => {
  expect(() => withRelease({}, "9.9.9")).toThrow("There is no package of javascript 9.9.9");
  expect(brokenReleases({ [SDK_VERSION]: {} })[0]).toBe(`javascript ${SDK_VERSION} is not in sdks/released.json.`);
});
