import { expect, test } from "vitest";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";
import { watchScripts, weightOf } from "./weight.ts";

const site = openSite();

/** The budget for compressed JavaScript of the landing page, in bytes. */
const BUDGET = 200_000;

test("the landing page loads less than 200 KB of JavaScript", async () => {
  const page = await site.newPage();
  const loaded = watchScripts(page);
  await openLive(page);
  await page.waitForLoadState("networkidle");
  const scripts = await loaded();
  expect(scripts.length).toBeGreaterThan(3);
  expect(weightOf("The landing page", scripts)).toBeLessThan(BUDGET);
});
