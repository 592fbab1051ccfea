import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { readToast } from "./auth.ts";
import { focused, openLive, waitUntilLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

/** Makes a chunk fail, as after a deployment, for a number of requests. */
async function loseChunk(page: Page, name: string, times: number): Promise<void> {
  let left = times;
  await page.route(new RegExp(`/assets/${name}-[\\w-]+\\.js$`), (route) => {
    left -= 1;
    return left >= 0 ? route.fulfill({ status: 404, body: "gone" }) : route.continue();
  });
  site.expectProblem(new RegExp(`^answer 404: .*/assets/${name}-`));
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

describe("after a deployment, an open page", () => {
  test("whose link needs a missing chunk is reloaded, and then the link works", async () => {
    site.expectProblem(/^console error: Error loading route module/);
    site.expectProblem(/^console error: TypeError: Failed to fetch dynamically imported module/);
    const page = await site.newPage();
    await openLive(page);
    await loseChunk(page, "help", 1);
    const loads = countLoads(page);
    await followHelpLink(page);
    await expect.poll(() => loads()).toBe(1);
    await waitUntilLive(page);
    await followHelpLink(page);
    await page.waitForURL("**/help");
    await expect.poll(() => page.title()).toMatch(/help/i);
    expect(loads()).toBe(1);
  });

  test("whose component needs one is reloaded, and then the component works", async () => {
    const page = await site.newPage();
    await openLive(page, "/docs/introduction");
    await loseChunk(page, "search-dialog", 1);
    const loads = countLoads(page);
    await page.keyboard.press("Control+k");
    await expect.poll(() => loads()).toBe(1);
    await waitUntilLive(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search the docs" }).waitFor();
    expect(loads()).toBe(1);
  });

  test("is not reloaded again if the chunk stays missing", async () => {
    const page = await site.newPage();
    await openLive(page, "/docs/introduction");
    await loseChunk(page, "search-dialog", Number.POSITIVE_INFINITY);
    const loads = countLoads(page);
    await page.keyboard.press("Control+k");
    await expect.poll(() => loads()).toBe(1);
    await waitUntilLive(page);
    await page.keyboard.press("Control+k");
    const message = ["Search didn’t load", "Check your connection and try again."];
    await expect.poll(() => readToast(page)).toStrictEqual(message);
    await page.waitForTimeout(300);
    expect(loads()).toBe(1);
  });
});

test("a page that fails to render says so, with what support needs", async () => {
  site.expectProblem(/^console error: .*Error: as if/);
  const page = await site.newPage();
  await page.route(/\/assets\/help-[\w-]+\.js$/, (route) => {
    const body = 'export default function Help() { throw new Error("as if"); }';
    return route.fulfill({ contentType: "text/javascript", body });
  });
  await openLive(page);
  await followHelpLink(page);
  await page.getByText("Error: as if").waitFor();
  await expect.poll(() => focused(page)).toBe("This page broke");
  // Not through the router, which might be broken too.
  const loads = countLoads(page);
  await page.getByRole("link", { name: "Back to the home page" }).click();
  await page.getByRole("heading", { level: 1, name: /^Know what/ }).waitFor();
  await expect.poll(() => loads()).toBe(1);
});
