import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./local/run.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const section = read("docs/decisions.md")
  .split(/^### /m)
  .find((text) => text.startsWith("The required packages\n"))!;
const rows = [...section.matchAll(/^\| (\S+) +\| .+ \| `(\S+)` +\|$/gm)].map(
  ([, name, file]) => [name!, file!] as const,
);

test.each(rows)("%s, in the table of docs/decisions.md, is used in %s", (name, file) => {
  expect(read(file)).toMatch(new RegExp(`"${name}["/]`));
});

test("miniflare is the version that wrangler pins", () => {
  const { devDependencies } = JSON.parse(read("package.json")) as { devDependencies: Record<string, string> };
  const { dependencies } = JSON.parse(read("node_modules/wrangler/package.json")) as {
    dependencies: Record<string, string>;
  };
  expect(devDependencies["miniflare"]).toBe(dependencies["miniflare"]);
});
