import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { libraryFormatRules, libraryPlans } from "./google-library.ts";
import { type Metadata, readPlans } from "./plan-metadata.ts";
import { formatRules } from "./layouts.ts";
import type { PlanSource } from "./plan-table.ts";

/**
 * The three installed releases of libphonenumber-js: for the committed plans, for the release that
 * google-libphonenumber has, and for the release whose resources supply carriers, areas, and zones.
 */
export const PACKAGES = ["libphonenumber-js", "libphonenumber-js-of-google", "libphonenumber-js-of-resources"] as const;
export type PackageName = (typeof PACKAGES)[number];

/** Plans compiled from npm, and their origin. */
export interface PackagePlans extends ReturnType<typeof readPlans> {
  readonly formatRulesOf: PlanSource["formatRulesOf"];
  readonly metadata: Metadata;
  /** "libphonenumber-js 1.13.16" */
  readonly source: string;
  /** Of libphonenumber: "9.0.43". */
  readonly release: string;
  /** When libphonenumber-js released it: "2026-11-10". */
  readonly date: string;
}

/** The plans of an installed release of libphonenumber-js, completed from Google's library. */
export function packagePlans(name: PackageName = "libphonenumber-js"): PackagePlans {
  const folder = folderOf(name);
  const { version } = readJson(join(folder, "package.json")) as { version: string };
  const metadata = readJson(join(folder, "metadata.max.json")) as Metadata;
  const localOnlyLengthsOf = (callingCode: string, region: string) =>
    libraryPlans(callingCode).find((plan) => plan.region === region)?.localOnlyLengths ?? [];
  const plans = readPlans(metadata, localOnlyLengthsOf);
  const { release, date } = releaseIn(version);
  return {
    ...plans,
    formatRulesOf: (callingCode) => formatRules(plans.formattingOf(callingCode), libraryFormatRules(callingCode)),
    metadata,
    source: `libphonenumber-js ${version}`,
    release,
    date,
  };
}

/** A release of libphonenumber-js with newer metadata. */
interface PackageRelease {
  readonly packageVersion: string;
  readonly release: string;
  readonly date: string;
  /** Countries with any change to their plans. */
  readonly plans: readonly string[];
  /** Countries whose short numbers changed. */
  readonly shortNumbers: readonly string[];
}

/**
 * The newest package's changelog, newest first: the packages don't record their libphonenumber release anywhere else.
 */
function packageReleases(): readonly PackageRelease[] {
  return readFileSync(join(folderOf("libphonenumber-js"), "CHANGELOG.md"), "utf8")
    .split(/\r?\n(?=\d+\.\d+\.\d+ \/ \d+\.\d+\.\d+\r?\n=)/)
    .flatMap((entry) => {
      const [, packageVersion, day, month, year] = /^(\d+\.\d+\.\d+) \/ (\d+)\.(\d+)\.(\d+)/.exec(entry) ?? [];
      const release = /Updated metadata to version (\d+\.\d+\.\d+)/.exec(entry)?.[1];
      if (release === undefined || packageVersion === undefined) return [];
      const date = `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}`;
      const changed = (what: string) =>
        new RegExp(`${what} metadata for region code\\(s\\):([\\s\\dA-Z,]+)$`, "m").exec(entry)?.[1]?.match(/\w+/g) ??
        [];
      return [{ packageVersion, release, date, plans: changed("phone"), shortNumbers: changed("short number") }];
    });
}

/** The releases after the older of two, up to the newer. */
export function releasesBetween(one: string, other: string): readonly PackageRelease[] {
  const [older, newer] = [one, other].toSorted(compareReleases) as [string, string];
  return packageReleases().filter(
    ({ release }) => compareReleases(release, older) > 0 && compareReleases(release, newer) <= 0,
  );
}

/** The newest version of libphonenumber-js with a release; null for a release it skipped or has not reached. */
export function newestPackageOf(release: string): string | null {
  return packageReleases().find((entry) => entry.release === release)?.packageVersion ?? null;
}

/** Negative, zero, or positive: "9.0.9" is older than "9.0.10". */
function compareReleases(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

/** The newest release in the changelog up to a version of libphonenumber-js. */
function releaseIn(version: string): PackageRelease {
  const found = packageReleases().find(({ packageVersion }) => compareReleases(packageVersion, version) <= 0);
  if (found === undefined) throw new Error(`libphonenumber-js's changelog lists no release for ${version}`);
  return found;
}

function folderOf(name: PackageName): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
