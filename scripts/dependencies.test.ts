import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./local/run.ts";

interface Package {
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
  /** Whether it comes in the archive of the package that it is in, whose hash covers it. */
  readonly inBundle?: boolean;
  /** Not in a lock of packages from the configured registry. */
  readonly resolved?: string;
  readonly link?: boolean;
}

const read = <T>(path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8")) as T;

// npm before version 11 ignores `allowScripts`: this stops a new install script from being merged unseen.
test("only the packages in allowScripts have install scripts", () => {
  const { allowScripts } = read<{ allowScripts: Record<string, boolean> }>("package.json");
  const { packages } = read<{ packages: Record<string, Package> }>("package-lock.json");
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.split("node_modules/").at(-1)!);
  expect([...new Set(names)].toSorted()).toStrictEqual(Object.keys(allowScripts).toSorted());
});

test("every package has a hash, and comes from npm's registry", () => {
  for (const path of ["package-lock.json", ".ci/deploy/package-lock.json"]) {
    const { "": _project, ...packages } = read<{ packages: Record<string, Package> }>(path).packages;
    for (const { integrity = "", inBundle = false, resolved, link } of Object.values(packages)) {
      expect(inBundle || integrity.startsWith("sha512-")).toBe(true);
      expect(link).toBeUndefined();
      if (resolved !== undefined) expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//);
    }
  }
});
