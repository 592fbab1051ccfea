import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./local/run.ts";

/** Licenses for code that may be deployed: they require a notice at most. */
const DEPLOYED = ["MIT", "ISC", "Apache-2.0", "BSD-3-Clause", "0BSD", "Unlicense", "CC0-1.0", "OFL-1.1"];
/** Tools are run but not distributed, so weak copyleft and data licenses are fine too. */
const TOOLS = [
  ...DEPLOYED,
  "BlueOak-1.0.0",
  "CC-BY-4.0",
  "PSF-2.0",
  "MPL-2.0",
  "LGPL-3.0-or-later",
  "BSD-2-Clause",
  "Zlib",
];
/** Packages whose package.json states the license in a form that the lock file omits. */
const STATED_OTHERWISE: Readonly<Record<string, string>> = { "node_modules/format": "MIT" };

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Whether an SPDX expression, such as "MIT OR (ISC AND 0BSD)", can be satisfied with allowed licenses. */
function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const inner = /\(([^()]*)\)/.exec(expression);
  if (inner !== null) {
    const verdict = isAllowed(inner[1]!, allowed) ? allowed[0]! : "NONE";
    return isAllowed(expression.replace(inner[0], verdict), allowed);
  }
  return expression
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((name) => allowed.includes(name.trim())));
}

/** Installed packages whose license is not allowed, as "name: license". */
function offenders(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .filter(([, { license = "none", dev, devOptional }]) => !isAllowed(license, dev || devOptional ? TOOLS : DEPLOYED))
    .map(([path, { license = "none" }]) => `${path.replace(/^.*node_modules\//, "")}: ${license}`);
}

test("every package in the lock file has a license that its use allows", () => {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  expect(Object.keys(lock.packages).length).toBeGreaterThan(500);
  for (const [path, license] of Object.entries(STATED_OTHERWISE)) {
    lock.packages[path] = { ...lock.packages[path]!, license };
  }
  expect(offenders(lock.packages)).toStrictEqual([]);
});

test("a copyleft license, a missing one, and a tool's license in deployed code are detected", () => {
  const packages = {
    "": { license: "GPL-3.0-only" },
    "node_modules/a": { license: "GPL-3.0-only", dev: true },
    "node_modules/b": {},
    "node_modules/c": { license: "MPL-2.0" },
    "node_modules/d": { license: "MPL-2.0", dev: true },
    "node_modules/e": { license: "(MIT OR GPL-3.0-only) AND ISC" },
    "node_modules/@x/f": { license: "MIT AND (GPL-3.0-only OR AGPL-3.0-only)" },
  };
  expect(offenders(packages)).toStrictEqual([
    "a: GPL-3.0-only",
    "b: none",
    "c: MPL-2.0",
    "@x/f: MIT AND (GPL-3.0-only OR AGPL-3.0-only)",
  ]);
});
