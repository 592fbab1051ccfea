import { expect, test } from "vitest";
import { DATA_RELEASES, dataReleaseName } from "./data.ts";

test("a release has its source and, if known, its date", () => {
  const date = "2026-11-10";
  expect(dataReleaseName({ source: "libphonenumber-js 1.13.16", release: "9.0.43", date })).toBe(
    "libphonenumber 9.0.43 (Nov 10, 2026)",
  );
  expect(dataReleaseName({ source: "tzdb, in Node 24.21.0", release: "2026c", date: null })).toBe("tzdb 2026c");
  expect(dataReleaseName(DATA_RELEASES.country_time_zones)).toMatch(/^tzdb \d{4}[a-z]$/);
});
