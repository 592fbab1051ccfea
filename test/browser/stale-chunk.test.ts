import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

/** Lets the chunk of the help page be gone, as after a deployment: so often, and then it is there. */
async function loseHelpChunk(page: Page, times: number): Promise<void> {
  let left = times;
  await page.route(/\/assets\/help-[\w-]+\.js$/, (route) => {
    left -= 1;
    return left >= 0 ? route.fulfill({ status: 404, body: "gone" }) : route.continue();
  });
  site.expectProblem(/^answer 404: .*\/assets\/help-/);
}

/** Follows the first link to the page, wherever the design has it and whether it shows at this width or not. */
async function followHelpLink(page: Page): Promise<void> {
  await page
    .locator(`a[href="/help"]`)
    .first()
    .evaluate((link: { click(): void }) => link.click());
}

function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("load", () => (loads += 1));
  return () => loads;
}

describe("when a page's chunk is gone after a deployment", () => {
  test("the page is loaded again, once, where the reader was going", async () => {
    const page = await site.newPage();
    await openLive(page);
    await loseHelpChunk(page, 1);
    const loads = countLoads(page);
    await followHelpLink(page);
    await page.waitForURL("**/help");
    await page.waitForLoadState("load");
    await expect.poll(() => page.title()).toMatch(/help/i);
    expect(loads()).toBe(1);
  });

  test("and stays away, an error is shown instead of loading without end", async () => {
    site.expectProblem(/^console error: Error loading route module/);
    site.expectProblem(/^console error: StaleChunkError/);
    const page = await site.newPage();
    await openLive(page);
    await loseHelpChunk(page, Number.POSITIVE_INFINITY);
    await followHelpLink(page);
    await page.waitForURL("**/help");
    await openLive(page);
    const loads = countLoads(page);
    await followHelpLink(page);
    await page.getByRole("heading", { name: /didn’t load/ }).waitFor();
    await page.waitForTimeout(300);
    expect(loads()).toBe(0);
  });
});
