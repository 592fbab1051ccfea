import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();
const CLIENT = join(import.meta.dirname, "../../web/build/client");

/** Bytes of JavaScript, compressed, that the landing page may load by itself. */
const BUDGET = 150_000;

test("the landing page loads less than 150 KB of JavaScript", async () => {
  const page = await site.newPage();
  const scripts = new Set<string>();
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (/\bjavascript\b/.test(response.headers()["content-type"] ?? "")) scripts.add(pathname);
  });
  await openLive(page);
  await page.waitForLoadState("networkidle");
  const sizes = await Promise.all(
    [...scripts].map(async (name) => [name, gzipSync(await readFile(join(CLIENT, name))).length] as const),
  );
  const sum = sizes.reduce((total, [, size]) => total + size, 0);
  console.log(`The landing page loads ${(sum / 1000).toFixed(1)} kB of JavaScript in ${sizes.length} files.`);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sum, JSON.stringify(sizes)).toBeLessThan(BUDGET);
});
