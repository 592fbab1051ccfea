import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { PATHS } from "../../web/pages.ts";
import { createSignedIn } from "../factories.ts";
import { longOrShort } from "../long.ts";
import { readToast } from "./auth.ts";
import { openForm } from "./dashboard.keys-page.ts";
import { focused, openLive, waitUntilLive } from "./live.ts";
import { atRest, openDashboard, signedInPage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();

const OFFLINE = /^request failed: .*ERR_INTERNET_DISCONNECTED$/;
const HELD = ["The page didn’t load", "You’re offline. It opens once you’re back."];
const RETRYING = ["The page didn’t load", "We’re trying again."];
const DASHBOARD = PATHS.filter((path) => path.startsWith("/dashboard"));

/** Takes a chunk away: by a deployment, a fault, or a lost connection. Returns what brings it back. */
async function loseChunk(page: Page, name: string, how: "gone" | "failing" | "offline"): Promise<() => Promise<void>> {
  const context = page.context();
  const status = how === "gone" ? 404 : 503;
  await page.route(new RegExp(`/assets/${name}-[\\w-]+\\.js$`), (route) =>
    how === "offline" ? route.abort("internetdisconnected") : route.fulfill({ status, body: "no" }),
  );
  await context.setOffline(how === "offline");
  site.expectProblem(how === "offline" ? OFFLINE : new RegExp(`^answer ${status}: .*/assets/${name}-`));
  return async () => {
    await page.unrouteAll();
    await context.setOffline(false);
  };
}

/** Follows the first link to a page, wherever the design has it and whether or not it shows at this width. */
async function follow(page: Page, path: string): Promise<void> {
  await page
    .locator(`a[href="${path}"]`)
    .first()
    .evaluate((link: { click(): void }) => link.click());
}

/** Counts the documents that a page loads from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("load", () => (loads += 1));
  return () => loads;
}

/** The heading that the page has while its own script runs. */
async function expectPage(page: Page, path: string): Promise<void> {
  await page.waitForURL(`**${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

describe("offline", () => {
  test.each(longOrShort(DASHBOARD, ["/dashboard", "/dashboard/settings/security"]))(
    "every page of the dashboard opens from %s",
    async (start) => {
      site.expectProblem(OFFLINE);
      const page = await openDashboard(site, await createSignedIn(site.worker.db), start);
      // The other pages' code is fetched once the browser is idle.
      await page.locator('link[rel=modulepreload][href*="/login-"]').waitFor({ state: "attached" });
      await atRest(page);
      await page.context().setOffline(true);
      const loads = countLoads(page);
      for (const path of DASHBOARD.toSorted((a, b) => a.split("/").length - b.split("/").length)) {
        await follow(page, path);
        await expectPage(page, path);
        // Settings share their heading: the next link must not be one of the page that leaves.
        await page.locator(`a[href="${path}"][aria-current=page]`).first().waitFor({ state: "attached" });
      }
      await page.getByText("You’re offline.").first().waitFor();
      expect(loads()).toBe(0);
    },
  );

  const links = [
    ["/docs/introduction", "errors"],
    ["/", "introduction"],
    ["/help", "errors"],
    ["/docs/verify", "errors"],
    ["/docs/sandbox", "errors"],
    ["/docs/changelog", "errors"],
  ] as const;
  test.each(longOrShort(links, links.slice(0, 1)))(
    "from %s, a link to %s waits for the connection",
    async (start, to) => {
      const page = await site.newPage();
      await openLive(page, start);
      const restore = await loseChunk(page, to, "offline");
      const loads = countLoads(page);
      await follow(page, `/docs/${to}`);
      await expect.poll(() => readToast(page)).toStrictEqual(HELD);
      expect(new URL(page.url()).pathname).toBe(start);
      await restore();
      await expectPage(page, `/docs/${to}`);
      await expect.poll(() => page.locator("[data-sonner-toast]").count()).toBe(0);
      expect(loads()).toBe(0);
    },
  );

  test("back waits as well", async () => {
    const page = await site.newPage();
    await openLive(page, "/docs/introduction");
    await follow(page, "/docs/errors");
    await expectPage(page, "/docs/errors");
    // The new document has never loaded the page before.
    await page.reload();
    await waitUntilLive(page);
    const restore = await loseChunk(page, "introduction", "offline");
    const loads = countLoads(page);
    await page.evaluate("history.back()");
    await expect.poll(() => readToast(page)).toStrictEqual(HELD);
    await page.getByRole("heading", { level: 1, name: "Errors" }).waitFor();
    await restore();
    await page.getByRole("heading", { level: 1, name: "Introduction" }).waitFor();
    expect(loads()).toBe(0);
  });
});

/** A dashboard whose reports' code can't be loaded, with a half-written name. */
async function openHalfWritten(how: "gone" | "failing") {
  const { token } = await createSignedIn(site.worker.db);
  const page = await signedInPage(site, token);
  const restore = await loseChunk(page, "reports", how);
  await page.goto("/dashboard");
  await atRest(page);
  await openForm(page);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Half a name");
  return { page, restore, name, loads: countLoads(page) };
}

describe("while the code of a page fails to load", () => {
  test("it's tried again, and what was typed is kept", async () => {
    const { page, restore, name, loads } = await openHalfWritten("failing");
    await follow(page, "/dashboard/reports");
    await expect.poll(() => readToast(page)).toStrictEqual(RETRYING);
    await restore();
    await expectPage(page, "/dashboard/reports");
    await follow(page, "/dashboard");
    await openForm(page);
    expect(await name.inputValue()).toBe("Half a name");
    expect(loads()).toBe(0);
  });

  test("who types on stays", async () => {
    const { page, restore, name } = await openHalfWritten("failing");
    await follow(page, "/dashboard/reports");
    await expect.poll(() => readToast(page)).toStrictEqual(RETRYING);
    await name.fill("A name");
    await expect.poll(() => page.locator("[data-sonner-toast]").count()).toBe(0);
    await restore();
    // Longer than until the next try.
    await page.waitForTimeout(3500);
    await expectPage(page, "/dashboard");
    expect(await name.inputValue()).toBe("A name");
  });
});

describe("after a deployment", () => {
  test("a link loads the new page, with one load", async () => {
    const page = await site.newPage();
    await openLive(page, "/docs/introduction");
    await loseChunk(page, "help", "gone");
    const loads = countLoads(page);
    await follow(page, "/help");
    await page.waitForURL("**/help");
    await page.getByRole("heading", { level: 1, name: "Help" }).waitFor();
    expect(loads()).toBe(1);
  });

  test("a draft is kept until its writer reloads", async () => {
    const { page, name, loads } = await openHalfWritten("gone");
    await follow(page, "/dashboard/reports");
    await expect.poll(() => readToast(page)).toContain("Checkline was updated");
    expect(await name.inputValue()).toBe("Half a name");
    expect(loads()).toBe(0);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.waitForURL("**/dashboard/reports");
  });

  test("a part of a page that's missing says so, and the page stays", async () => {
    const page = await site.newPage();
    await openLive(page, "/docs/introduction");
    await loseChunk(page, "search-dialog", "gone");
    const loads = countLoads(page);
    await page.keyboard.press("Control+k");
    await expect
      .poll(() => readToast(page))
      .toContain("Checkline may have been updated. Reload the page when you’re ready.");
    expect(loads()).toBe(0);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload" }).click();
    await expect.poll(() => loads()).toBe(1);
    await waitUntilLive(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search the docs" }).waitFor();
  });
});

test("a page that fails to render says so, with what support needs", async () => {
  site.expectProblem(/^console error: .*Error: as if/);
  const page = await site.newPage();
  await page.route(/\/assets\/status-(?!view-)[\w-]+\.js$/, (route) => {
    const body = 'export default function Status() { throw new Error("as if"); }';
    return route.fulfill({ contentType: "text/javascript", body });
  });
  await openLive(page);
  await follow(page, "/status");
  await page.getByText("Error: as if").waitFor();
  await expect.poll(() => focused(page)).toBe("This page broke");
  // Not through the router, which might be broken too.
  const loads = countLoads(page);
  await page.getByRole("link", { name: "Back to the home page" }).click();
  await page.getByRole("heading", { level: 1, name: /^Verify any/ }).waitFor();
  await expect.poll(() => loads()).toBe(1);
});
