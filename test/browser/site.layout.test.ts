import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { firstOrAll, longTest } from "../long.ts";
import { TOO_WIDE } from "./axe.ts";
import { demoOf, openDemo } from "./demo.ts";
import { openLive, shiftOf, waitUntilLive, WATCH_SHIFTS } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

describe("at 320 pixels nothing needs sideways scrolling", () => {
  longTest("while the menu is open", async () => {
    const page = await site.newPage({ width: 320, height: 640 });
    await openLive(page);
    await page.getByRole("banner").locator("summary").filter({ visible: true }).click();
    await page.getByRole("banner").getByRole("link", { name: "Get Started" }).filter({ visible: true }).waitFor();
    await expect.poll(() => page.evaluate(TOO_WIDE)).toStrictEqual([]);
  });

  test("when the demo shows a full response", async () => {
    const page = await openDemo(site);
    await page.setViewportSize({ width: 320, height: 640 });
    const { field, button, answer } = demoOf(page);
    await field.fill("+55 11 98765 4321");
    await button.click();
    await answer.getByText("Full response").click();
    await answer.getByRole("group", { name: "Response as JSON" }).waitFor();
    await expect.poll(() => page.evaluate(TOO_WIDE)).toStrictEqual([]);
    await field.fill("x".repeat(40));
    await button.click();
    await answer.getByText("reason: NOT_A_NUMBER").waitFor();
    await expect.poll(() => page.evaluate(TOO_WIDE)).toStrictEqual([]);
  });

  longTest("with every question open", async () => {
    const page = await site.newPage({ width: 320, height: 640 });
    await openLive(page, "/help");
    for (const summary of await page.getByRole("main").locator("summary").all()) await summary.click();
    await expect.poll(() => page.evaluate(TOO_WIDE)).toStrictEqual([]);
  });
});

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

test.each(firstOrAll([375, 1440]))(
  "hardly anything shifts while the landing page loads and is read, at %d",
  async (width) => {
    const page = await site.newPage({ width, reducedMotion: false });
    await page.addInitScript({ content: WATCH_SHIFTS });
    await openLive(page);
    await page.evaluate("document.fonts.ready.then(() => {})");
    await scrollToEnd(page);
    await page.waitForTimeout(300);
    expect(await shiftOf(page)).toBeLessThan(0.02);
  },
);

test("the first paint is the page itself, before any script has arrived", async () => {
  const page = await site.newPage();
  const gate = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  const paints = `performance.getEntriesByName("first-contentful-paint").length`;
  await expect.poll(() => page.evaluate(paints)).toBe(1);
  const main = page.getByRole("main");
  await expect.poll(() => main.getByRole("link", { name: "Get Started" }).first().isVisible()).toBe(true);
  await expect.poll(() => main.getByRole("figure").getByText("São Paulo").isVisible()).toBe(true);
  await expect
    .poll(() => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pricing" }).isVisible())
    .toBe(true);
  gate.resolve();
  await waitUntilLive(page);
});
