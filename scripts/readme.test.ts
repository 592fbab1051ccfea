import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { ROOT } from "./local/run.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");

test("the button deploys the repository in package.json", () => {
  const buttons = README.match(/https:\/\/deploy\.workers\.cloudflare\.com\/\?url=[^)\s]+/g);
  expect(buttons).toStrictEqual([`https://deploy.workers.cloudflare.com/?url=${manifest.repository}`]);
});

test("until an operator sets theirs, it is an address that can't exist on GitHub", () => {
  // GitHub names can't contain underscores; a name that anyone can register would let a stranger's code be deployed.
  const owner = /^https:\/\/github\.com\/([^/]+)\/[\w.-]+$/.exec(manifest.repository)?.[1];
  expect(owner).toMatch(/^([A-Za-z\d-]+|YOUR_ACCOUNT)$/);
});

test("every npm script it mentions exists", () => {
  const named = [...README.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(8);
  for (const name of named) expect(Object.keys(manifest.scripts)).toContain(name);
});
