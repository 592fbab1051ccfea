import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** One release of libphonenumber-js that brought newer metadata. */
export interface PackageRelease {
  readonly packageVersion: string;
  /** Of libphonenumber: "9.0.43". */
  readonly release: string;
  /** When libphonenumber-js brought it: "2026-11-10". */
  readonly date: string;
  /** Countries whose short numbers changed. */
  readonly shortNumbers: readonly string[];
}

/** What the changelog in the installed libphonenumber-js says, newest first: the package says nowhere else which release it carries. */
export function packageReleases(): readonly PackageRelease[] {
  const folder = dirname(createRequire(import.meta.url).resolve("libphonenumber-js/package.json"));
  return readFileSync(join(folder, "CHANGELOG.md"), "utf8")
    .split(/\r?\n(?=\d+\.\d+\.\d+ \/ \d+\.\d+\.\d+\r?\n=)/)
    .flatMap((entry) => {
      const [, packageVersion, day, month, year] = /^(\d+\.\d+\.\d+) \/ (\d+)\.(\d+)\.(\d+)/.exec(entry) ?? [];
      const release = /Updated metadata to version (\d+\.\d+\.\d+)/.exec(entry)?.[1];
      if (release === undefined || packageVersion === undefined) return [];
      const date = `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}`;
      const changed = /short number metadata for region code\(s\):([\sA-Z,]+)$/m.exec(entry)?.[1] ?? "";
      return [{ packageVersion, release, date, shortNumbers: changed.match(/\b[A-Z]{2}\b/g) ?? [] }];
    });
}

/** The release that a version of libphonenumber-js carries: the newest that its changelog names up to it. */
export function releaseIn(packageVersion: string): PackageRelease {
  const found = packageReleases().find((entry) => compareReleases(entry.packageVersion, packageVersion) <= 0);
  if (found === undefined) throw new Error(`libphonenumber-js's changelog names no release for ${packageVersion}`);
  return found;
}

/** Negative, zero or positive, as "9.0.9" is older than "9.0.10". */
export function compareReleases(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}
