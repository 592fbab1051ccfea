import { expect, test } from "vitest";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";
import { hasDashboard, watchScripts, weightOf } from "./weight.ts";

const site = openSite();

/** The landing page's budget for compressed JavaScript, in bytes and in files. */
const BUDGET = { bytes: 200_000, files: 30 };

test("the landing page loads at most 200 KB of JavaScript in 30 files, without the dashboard's", async () => {
  const page = await site.newPage();
  const loaded = watchScripts(page);
  await openLive(page);
  await page.waitForLoadState("networkidle");
  const scripts = await loaded();
  expect(scripts.length).toBeGreaterThan(3);
  expect(scripts.length).toBeLessThanOrEqual(BUDGET.files);
  expect(weightOf("The landing page", scripts)).toBeLessThanOrEqual(BUDGET.bytes);
  expect(hasDashboard(scripts)).toBe(false);
});
