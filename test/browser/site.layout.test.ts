import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { firstOrAll, longTest } from "../long.ts";
import { TOO_WIDE } from "./axe.ts";
import { demoOf, openDemo } from "./demo.ts";
import { NEXT_FRAME, openLive, shiftOf, waitUntilLive, WATCH_SHIFTS } from "./live.ts";
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
  await page.evaluate(NEXT_FRAME);
  const main = page.getByRole("main");
  await expect.poll(() => main.getByRole("link", { name: "Get Started" }).first().isVisible()).toBe(true);
  await expect.poll(() => main.getByRole("figure").getByText("São Paulo").isVisible()).toBe(true);
  await expect
    .poll(() => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pricing" }).isVisible())
    .toBe(true);
  gate.resolve();
  await waitUntilLive(page);
});

test.each(["why", "compare", "code", "demo", "pricing"])("#%s comes to rest right below the header", async (id) => {
  const page = await site.newPage({ width: 1280, height: 665 });
  await openLive(page, `/#${id}`);
  const header = (await page.getByRole("banner").boundingBox())!;
  // Both have a border, one over the other.
  await expect.poll(async () => Math.round((await page.locator(`#${id}`).boundingBox())!.y - header.height)).toBe(-1);
});

test("on a phone, the comparison shows every answer below its name, and nothing to the side", async () => {
  const page = await site.newPage({ width: 375, height: 812 });
  await openLive(page);
  const table = page.getByRole("table", { name: "Checkline and the alternatives" });
  for (const cell of await table.getByRole("cell").all()) {
    const { x, width } = (await cell.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(375);
  }
  const named = `[...document.querySelectorAll("#compare td")].map((cell) => getComputedStyle(cell, "::before").content)`;
  const names = await page.evaluate<string[]>(named);
  expect(names.slice(0, 4)).toStrictEqual(['"Checkline"', '"libphonenumber"', '"Twilio Lookup"', '"numverify"']);
});

test("what the API is for lines up: requests, and responses, each start at one height", async () => {
  const page = await site.newPage({ width: 1280, height: 665 });
  await openLive(page);
  const tops = `[...document.querySelectorAll("[aria-labelledby=uses-title] dl > div")].map((part) => Math.round(part.getBoundingClientRect().top))`;
  const [request, response, ...others] = await page.evaluate<number[]>(tops);
  expect(others).toStrictEqual([request, response, request, response, request, response]);
});
