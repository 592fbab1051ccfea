import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openDemo } from "./demo.ts";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

function figureOf(page: Page) {
  return page.getByRole("figure", { name: "The anatomy of a number" });
}

describe("the first screen", () => {
  test.each([
    [1280, 665],
    [1440, 790],
  ])("has the whole drawing, at %i by %i pixels", async (width, height) => {
    const page = await site.newPage({ width, height });
    await openLive(page);
    const country = figureOf(page).getByText("Brazil", { exact: true }).last();
    const box = await country.boundingBox();
    expect(box!.y + box!.height).toBeLessThanOrEqual(height);
  });

  test("verifies the visitor's own number, and draws it", async () => {
    const page = await openDemo(site);
    const figure = figureOf(page);
    await figure.getByLabel("Your own number").fill("+44 20 7981 3000");
    await figure.getByRole("button", { name: "Verify" }).click();
    await figure.getByText("Landline", { exact: true }).waitFor();
    await figure.getByRole("img", { name: "Valid", exact: true }).waitFor();
    expect(await figure.getByRole("radio", { checked: true }).count()).toBe(0);
    await figure.getByRole("radio", { name: "United States" }).check();
    await figure.getByText("America/New_York").waitFor();
  });

  test("says what is wrong with a number, and marks what it lacks", async () => {
    const page = await openDemo(site);
    const figure = figureOf(page);
    await figure.getByLabel("Your own number").fill("+55 11 8765 4321");
    await page.keyboard.press("Enter");
    await figure.getByRole("img", { name: "Invalid" }).waitFor();
    expect(await figure.locator("ins").innerText()).toBe("9");
    await figure.getByRole("button", { name: "Try this number" }).click();
    await figure.getByText("America/Sao_Paulo").waitFor();
    expect(await figure.getByLabel("Your own number").inputValue()).toBe("+5511987654321");
  });
});

describe("the bar about Vonage Number Insight", () => {
  test("leads to its guide until its last day, and is gone after it without a new build", async () => {
    const page = await site.newPage();
    const bar = page.getByRole("complementary", { name: "Announcement" });
    await page.clock.setFixedTime("2027-02-04T20:00:00Z");
    await page.goto("/");
    expect(await bar.getByRole("link").getAttribute("href")).toBe("/docs/from-vonage-number-insight");
    await page.clock.setFixedTime("2027-02-05T20:00:00Z");
    await page.reload();
    await expect.poll(() => bar.isVisible()).toBe(false);
  });
});
