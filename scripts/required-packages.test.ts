import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./local/run.ts";

const REQUIRED = [
  "@cloudflare/workers-types",
  "@noble/hashes",
  "drizzle-orm",
  "hono",
  "jose",
  "libphonenumber-js",
  "miniflare",
  "react",
  "react-dom",
  "react-router",
  "valibot",
  "vite",
  "vitest",
  "wrangler",
];

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const section = read("docs/decisions.md")
  .split(/^### /m)
  .find((text) => text.startsWith("The required packages\n"))!;
const rows = [...section.matchAll(/^\| (\S+) +\| .+ \| `(\S+)` +\|$/gm)].map(
  ([, name, file]) => [name!, file!] as const,
);

describe("the table of required packages in docs/decisions.md", () => {
  test("has each once", () => {
    expect(rows.map(([name]) => name).toSorted()).toStrictEqual(REQUIRED);
  });

  test.each(rows)("%s is used in %s", (name, file) => {
    expect(read(file)).toMatch(new RegExp(`"${name}["/]`));
  });
});

test("miniflare is the version that wrangler pins", () => {
  const { devDependencies } = JSON.parse(read("package.json")) as { devDependencies: Record<string, string> };
  const { dependencies } = JSON.parse(read("node_modules/wrangler/package.json")) as {
    dependencies: Record<string, string>;
  };
  expect(devDependencies["miniflare"]).toBe(dependencies["miniflare"]);
});
