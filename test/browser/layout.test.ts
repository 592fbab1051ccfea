import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { PATHS } from "../../web/pages.ts";
import { createSignedIn } from "../factories.ts";
import { firstOrAll } from "../long.ts";
import { setUsage } from "../notices.ts";
import { holdScripts, NEXT_FRAME, openLive, shiftOf, waitUntilLive, WATCH_SHIFTS } from "./live.ts";
import { addKey, atRest, openDashboard, signedInPage, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();

/** Scrolls to the end of the page in steps, like a reader. */
async function scrollToEnd(page: Page): Promise<void> {
  const left = "document.documentElement.scrollHeight - window.innerHeight - window.scrollY";
  await page.mouse.move(600, 400);
  for (let turns = 0; turns < 60 && (await page.evaluate<number>(left)) > 1; turns += 1) {
    await page.mouse.wheel(0, 500);
    await page.waitForTimeout(30);
  }
  await expect.poll(() => page.evaluate<number>(left)).toBeLessThanOrEqual(1);
}

describe.each(firstOrAll([375, 1440]))("at %d pixels, hardly anything shifts", (width) => {
  test("while the landing page loads and is read", async () => {
    const page = await site.newPage({ width, reducedMotion: false });
    await page.addInitScript({ content: WATCH_SHIFTS });
    await openLive(page);
    await page.evaluate("document.fonts.ready.then(() => {})");
    await scrollToEnd(page);
    await page.waitForTimeout(300);
    expect(await shiftOf(page)).toBeLessThan(0.02);
  });

  test.each(PATHS.filter((path) => path.startsWith("/dashboard")))("while %s loads", async (path) => {
    const account = await createSignedIn(site.worker.db);
    await addKey(site, account, "test", "Laptop");
    await storeUsage(site, account, [{ country: "BR", count: 3 }]);
    const page = await signedInPage(site, account.token, { width });
    await page.addInitScript({ content: WATCH_SHIFTS });
    // One response after the other.
    let delay = 0;
    await page.route("**/api/v1/**", async (route) => {
      delay += 150;
      await setTimeout(delay);
      await route.continue();
    });
    await page.goto(path);
    await page.getByRole("button", { name: "Log out" }).waitFor();
    await atRest(page);
    expect(await shiftOf(page)).toBeLessThan(0.02);
  });
});

test("the first paint is the page itself, before any script has arrived", async () => {
  const page = await site.newPage();
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate(NEXT_FRAME);
  const main = page.getByRole("main");
  await expect.poll(() => main.getByRole("link", { name: "Get Started" }).first().isVisible()).toBe(true);
  await expect.poll(() => main.getByRole("figure").getByText("São Paulo").first().isVisible()).toBe(true);
  release();
  await waitUntilLive(page);
});

test.each(["/#why", "/#pricing", "/docs/verify#response", "/docs/errors#error-rate_limited"])(
  "the header doesn't cover what %s leads to",
  async (address) => {
    const page = await site.newPage();
    await openLive(page, address);
    const target = page.locator(`[id="${address.split("#")[1]}"]`);
    const header = (await page.getByRole("banner").boundingBox())!;
    const isInSight = async () => {
      const { y } = (await target.boundingBox())!;
      // Both may have a border, one over the other.
      return y > header.height - 2 && y < page.viewportSize()!.height / 2;
    };
    await expect.poll(isInSight).toBe(true);
  },
);

test.each([["/docs/from-twilio-lookup", ".doc-table td:nth-child(3)", ["Differences"]]])(
  "on a phone, the cells of a table on %s have their columns' names",
  async (path, cells, names) => {
    const page = await site.newPage({ width: 375 });
    await openLive(page, path);
    const found = `[...document.querySelectorAll("${cells}")].map((cell) => getComputedStyle(cell, "::before").content)`;
    const first = (await page.evaluate<string[]>(found)).slice(0, names.length);
    expect(first).toStrictEqual(names.map((name) => `"${name}"`));
  },
);

describe("the dashboard", () => {
  async function openReports(): Promise<Page> {
    const account = await createSignedIn(site.worker.db);
    await storeUsage(site, account, [
      { country: "VC", count: 1_234_567 },
      { country: "US", count: 250_000, ago: 1 },
      { country: "US", count: 98_765, outcome: "failure", ago: 1 },
    ]);
    await setUsage(site.worker, account.id, 990);
    const page = await openDashboard(site, account, "/dashboard/reports");
    await page.getByText("Top countries").first().waitFor();
    return page;
  }

  test("is printed without navigation", async () => {
    const page = await openReports();
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => page.getByRole("banner").isVisible()).toBe(false);
    await expect.poll(() => page.getByRole("navigation", { name: "Dashboard" }).isVisible()).toBe(false);
    await expect.poll(() => page.getByRole("heading", { level: 1, name: "Reports" }).isVisible()).toBe(true);
  });

  test("shows bars and switches where the system forces its colors", async () => {
    const page = await openReports();
    await page.emulateMedia({ forcedColors: "active" });
    await page.locator("[data-level] span[style]").filter({ visible: true }).waitFor();
    const [bar, ground, valid, invalid] = await page.evaluate<string[]>(`
      (() => {
        const look = (selector) => getComputedStyle(document.querySelector(selector));
        return [
          look("header [data-level] span[style]").backgroundColor,
          look("header [data-level] :has(> span[style])").backgroundColor,
          look("[data-chart] [data-day] rect").fill,
          look("[data-chart] [data-day] path").fill,
        ];
      })()
    `);
    expect(bar).not.toBe(ground);
    expect(valid).not.toBe(invalid);
    await page.getByRole("link", { name: "Activity" }).click();
    const button = page.getByRole("button", { name: "Auto-refresh" });
    await button.waitFor();
    const dot = 'getComputedStyle(document.querySelector("[aria-pressed] span.size-2")).backgroundColor';
    const on = await page.evaluate<string>(dot);
    await button.click();
    expect(await page.evaluate<string>(dot)).not.toBe(on);
  });
});
