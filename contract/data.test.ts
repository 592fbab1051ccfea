import { expect, test } from "vitest";
import * as v from "valibot";
import manifest from "./data-manifest.json" with { type: "json" };
import {
  DATA_RELEASES,
  dataReleaseName,
  endedRegisters,
  REGISTER_RELEASES,
  registerReleases,
  registerReleaseText,
} from "./data.ts";
import { service } from "./endpoints/service.ts";

test("a release has its source and, if known, its date", () => {
  const date = "2026-11-10";
  expect(dataReleaseName({ source: "libphonenumber-js 1.13.16", release: "9.0.43", date })).toBe(
    "libphonenumber 9.0.43 (Nov 10, 2026)",
  );
  expect(dataReleaseName({ source: "tzdb, in Node 24.21.0", release: "2026c", date: null })).toBe("tzdb 2026c");
  expect(dataReleaseName(DATA_RELEASES.country_time_zones)).toMatch(/^tzdb \d{4}[a-z]$/);
});

test("a register has ended on the day after its last, and one that was left out never does", () => {
  const { US } = REGISTER_RELEASES;
  const others = Object.fromEntries(Object.keys(REGISTER_RELEASES).map((country) => [country, null]));
  const releases = { ...others, US } as typeof REGISTER_RELEASES;
  expect(endedRegisters(releases, US!.unassigned_until)).toStrictEqual([]);
  expect(endedRegisters(releases, "9999-12-31")).toStrictEqual(["US"]);
});

test("a register says which ranges are unassigned up to its last day for that, and then only who holds them", () => {
  const release = { source: "CNAC", date: "2025-09-12", unassigned_until: "2025-12-12" };
  expect(registerReleaseText(release, "2025-12-12")).toBe(
    "Sep 12, 2025. Says which ranges are unassigned until Dec 12, 2025.",
  );
  expect(registerReleaseText(release, "2025-12-13")).toBe(
    "Sep 12, 2025. Holders only: after Dec 12, 2025, it’s too old to say that a range is unassigned.",
  );
});

test("a register that's missing from the manifest is null in health, and the others have their dates", () => {
  const { "allocation-us.jsonl": _, ...others } = manifest;
  const left = registerReleases(others);
  expect(left).toStrictEqual({ ...REGISTER_RELEASES, US: null });
  expect(v.is(service.health.success.schema.entries.registers, left)).toBe(true);
});
