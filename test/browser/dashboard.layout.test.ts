import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { Sample } from "../../worker/ledger/part.ts";
import { createSignedIn } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { partOf } from "../usage.ts";
import { longOrShort } from "../long.ts";
import { setUsage } from "../notices.ts";
import { TOO_WIDE, WIDTHS } from "./axe.ts";
import { fillIn, phase, start } from "./dashboard.bulk-page.ts";
import { generate, openTry, reveal } from "./dashboard.keys-page.ts";
import { shiftOf, WATCH_SHIFTS } from "./live.ts";
import { addKey, atRest, openDashboard, signedInPage, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const LONG_NAME = "Checkout service of the production cluster in Frankfurt";

/** Resizes the page from narrow to wide and returns every width at which it would scroll sideways. */
async function sweep(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const wide = await page.evaluate<unknown[]>(TOO_WIDE);
    if (wide.length > 0) found.push(`${width}: ${JSON.stringify(wide)}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

/** An account with long names, much usage, and little quota. */
async function createBusy(): Promise<SignedIn> {
  const account = await createSignedIn(site.worker.db);
  const key = await addKey(site, account, "test", LONG_NAME);
  await storeUsage(site, account, [
    { country: "VC", count: 1_234_567 },
    { country: "US", count: 250_000, ago: 1 },
    { country: "US", count: 98_765, outcome: "failure", ago: 1 },
  ]);
  await setUsage(site.worker, account.id, 990);
  const activity = Array.from({ length: 3 }, (_, at): Sample => ({
    at: Date.now() - at * 1000,
    request_id: `req_0198fa3c7e2b7c0da1f${at}`,
    key_id: key.id,
    operation: "verify",
    status: 503,
    code: "TEMPORARILY_UNAVAILABLE",
    country: "VC",
    numbers: 1,
    duration_ms: 12_345,
    data_center: "FRA",
  }));
  await site.worker.env.LEDGER.getByName(account.id).record(partOf(account.id, [], { activity }));
  return account;
}

test("no dashboard page scrolls sideways, from 320 to 1920 px", { timeout: longOrShort(600_000, 90_000) }, async () => {
  const account = await createBusy();
  const page = await openDashboard(site, account);
  await page.getByRole("row", { name: new RegExp(LONG_NAME) }).waitFor();
  expect(await sweep(page), "keys").toStrictEqual([]);
  await openTry(page);
  expect(await sweep(page), "try it").toStrictEqual([]);
  await page.getByRole("tab", { name: "Keys", exact: true }).click();
  await page.getByRole("button", { name: /^Manage / }).click();
  await page.getByRole("dialog", { name: "Manage key" }).waitFor();
  expect(await sweep(page), "manage").toStrictEqual([]);
  await page.keyboard.press("Escape");
  await generate(page, "Short");
  expect(await sweep(page), "new key").toStrictEqual([]);
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await reveal(page).waitFor({ state: "detached" });

  const places = [
    ["/dashboard/activity", "TEMPORARILY_UNAVAILABLE"],
    ["/dashboard/reports", "Top countries"],
    ["/dashboard/settings", "Member since"],
    ["/dashboard/settings/subscription", "Usage"],
    ["/dashboard/settings/security", "This browser"],
  ] as const;
  for (const [path, text] of places) {
    await page.goto(path);
    await page.getByText(text).filter({ visible: true }).first().waitFor();
    expect(await sweep(page), path).toStrictEqual([]);
  }
  await page.goto("/dashboard/bulk");
  await fillIn(page, ["+5511987654321", "x".repeat(60), ""]);
  expect(await sweep(page), "bulk").toStrictEqual([]);
  await start(page);
  await phase(page, "done");
  expect(await sweep(page), "bulk, done").toStrictEqual([]);
});

test("the first visit, at 320 px and at 200% zoom of 1280 px", async () => {
  const account = await createSignedIn(site.worker.db, { subscription: "none" });
  const page = await openDashboard(site, account);
  await page.getByRole("region", { name: "Getting started" }).waitFor();
  expect(await sweep(page)).toStrictEqual([]);
});

test("the header has room for the longest mode and quota", async () => {
  const account = await createSignedIn(site.worker.db);
  await setUsage(site.worker, account.id, 700);
  const page = await openDashboard(site, account, "/dashboard/reports?mode=both");
  await page.getByText("Top countries").first().waitFor();
  await page.getByText("700 of 1,000 verifications").filter({ visible: true }).waitFor();
  expect(await sweep(page)).toStrictEqual([]);
});

test("a call is readable on the narrowest phone without scrolling", async () => {
  const page = await openDashboard(site, await createBusy(), "/dashboard/activity", { width: 320 });
  const region = page.getByRole("region", { name: "Calls, newest first" });
  await region.getByText("TEMPORARILY_UNAVAILABLE").filter({ visible: true }).first().waitFor();
  const sideways =
    "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('main table').parentElement)";
  expect(await page.evaluate(sideways)).toBe(0);
});

test("prints the page without navigation, and keeps bars visible in forced colors", async () => {
  const account = await createBusy();
  const page = await openDashboard(site, account, "/dashboard/reports");
  await page.getByText("Top countries").first().waitFor();
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByRole("banner").isVisible()).toBe(false);
  await expect.poll(() => page.getByRole("navigation", { name: "Dashboard" }).isVisible()).toBe(false);
  await expect.poll(() => page.getByRole("heading", { level: 1, name: "Reports" }).isVisible()).toBe(true);
  await page.emulateMedia({ media: "screen", forcedColors: "active" });
  const bar = page.locator("[data-level] span[style]").filter({ visible: true });
  await bar.waitFor();
  const [color, ground] = await page.evaluate<[string, string]>(`
    (() => {
      const bar = document.querySelector("header [data-level] span[style]");
      return [bar, bar.parentElement].map((each) => getComputedStyle(each).backgroundColor);
    })()
  `);
  expect(color).not.toBe(ground);
  const [grid, axis, valid, invalid] = await page.evaluate<string[]>(`
    (() => {
      const look = (selector) => getComputedStyle(document.querySelector("[data-chart] " + selector));
      return [
        look("g:nth-of-type(2) line").stroke,
        look("g:nth-of-type(1) line").stroke,
        look("[data-day] rect").fill,
        look("[data-day] path").fill,
      ];
    })()
  `);
  // Lighter than the axis, and the system's, not ours.
  expect(grid).not.toBe(axis);
  expect(valid).not.toBe(invalid);
  await page.getByRole("link", { name: "Activity" }).click();
  const button = page.getByRole("button", { name: "Auto-refresh" });
  await button.waitFor();
  const dot = 'getComputedStyle(document.querySelector("[aria-pressed] span.size-2")).backgroundColor';
  const on = await page.evaluate<string>(dot);
  await button.click();
  expect(await page.evaluate<string>(dot)).not.toBe(on);
});

describe.each([375, 1440])("at %d pixels", (width) => {
  test.each([
    ["/dashboard", "Laptop"],
    ["/dashboard/reports", "Top Countries"],
    ["/dashboard/activity", "No calls"],
    ["/dashboard/bulk", "Numbers"],
    ["/dashboard/settings", "Member since"],
    ["/dashboard/settings/subscription", "Usage"],
    ["/dashboard/settings/security", "This browser"],
  ])("hardly anything of %s shifts while it loads", async (path, text) => {
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
    await page.getByText(text).filter({ visible: true }).first().waitFor();
    await atRest(page);
    expect(await shiftOf(page)).toBeLessThan(0.02);
  });
});
