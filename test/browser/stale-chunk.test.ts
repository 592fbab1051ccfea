import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeEverywhere } from "./axe.ts";
import { focused, openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

/** Makes the help page's chunk fail, as after a deployment, for a number of requests. */
async function loseHelpChunk(page: Page, times: number): Promise<void> {
  let left = times;
  await page.route(/\/assets\/help-[\w-]+\.js$/, (route) => {
    left -= 1;
    return left >= 0 ? route.fulfill({ status: 404, body: "gone" }) : route.continue();
  });
  site.expectProblem(/^answer 404: .*\/assets\/help-/);
}

/** Follows the first link to the page, wherever the design has it and whether or not it shows at this width. */
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
  test("the target page is reloaded, once", async () => {
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

  test("and stays missing, an error is shown instead of an endless reload", async () => {
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
    await expect.poll(() => focused(page)).toBe("Part of this page didn’t load");
    await expect.poll(() => page.title()).toBe("Something went wrong · Checkline");
    expect(await axeEverywhere(page)).toStrictEqual([]);
    // Not through the router, which might still lack the page.
    const left = countLoads(page);
    await page.getByRole("link", { name: "Back to the home page" }).click();
    await page.getByRole("heading", { level: 1, name: /^Know what/ }).waitFor();
    await expect.poll(() => left()).toBe(1);
  });

  test("and a page that fails to render says so, with what support needs", async () => {
    site.expectProblem(/^console error: .*Error: as if/);
    const page = await site.newPage();
    await page.route(/\/assets\/help-[\w-]+\.js$/, (route) => {
      const body = 'export default function Help() { throw new Error("as if"); }';
      return route.fulfill({ contentType: "text/javascript", body });
    });
    await openLive(page);
    await followHelpLink(page);
    await page.getByRole("heading", { name: "This page broke" }).waitFor();
    await page.getByText("Error: as if").waitFor();
  });
});
