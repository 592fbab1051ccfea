import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./local/run.ts";

/** Licenses for code that may be deployed: they require a notice at most. */
const ALLOWED = ["MIT", "ISC", "Apache-2.0", "BSD-3-Clause", "0BSD", "Unlicense", "CC0-1.0", "OFL-1.1"];

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

test("every package that may be deployed has a license that only requires a notice", () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const deployed = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional,
  );
  expect(deployed.length).toBeGreaterThan(40);
  // Of an expression such as "MIT OR CC0-1.0", every license must be allowed.
  const others = deployed.filter(
    ([, { license = "none" }]) => !license.match(/[\w.-]+/g)!.every((word) => [...ALLOWED, "AND", "OR"].includes(word)),
  );
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toStrictEqual([]);
});
