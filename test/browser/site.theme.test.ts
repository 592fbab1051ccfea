import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { firstOrAll, longTest } from "../long.ts";
import { holdScripts, NEXT_FRAME, openLive, waitUntilLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

const LIGHT = "rgb(251, 250, 247)";
const DARK = "rgb(17, 19, 22)";

/** The painted background color. */
function ground(page: Page): Promise<string> {
  return page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
}

function choice(page: Page, label: string) {
  return page.getByRole("group", { name: "Theme" }).getByLabel(label);
}

async function openHome(theme: "light" | "dark" = "light"): Promise<Page> {
  const page = await site.newPage({ theme });
  await openLive(page);
  return page;
}

/** Selects like a visitor, by clicking the label. */
async function choose(page: Page, label: string): Promise<void> {
  await page.getByRole("group", { name: "Theme" }).getByText(label, { exact: true }).click();
}

describe("the theme", () => {
  test.each(
    firstOrAll([
      ["light", LIGHT],
      ["dark", DARK],
    ] as const),
  )("follows the system at first: %s", async (theme, color) => {
    const page = await openHome(theme);
    expect(await ground(page)).toBe(color);
    await expect.poll(() => choice(page, "System").isChecked()).toBe(true);
  });

  test.each(
    firstOrAll([
      ["light", "Dark", DARK],
      ["dark", "Light", LIGHT],
    ] as const),
  )("is what the visitor selects, regardless of the system, and is remembered: %s, %s", async (...row) => {
    const [theme, label, color] = row;
    const page = await openHome(theme);
    await choose(page, label);
    await expect.poll(() => ground(page)).toBe(color);
    await page.reload();
    expect(await ground(page)).toBe(color);
    await expect.poll(() => choice(page, label).isChecked()).toBe(true);
    await openLive(page, "/help");
    expect(await ground(page)).toBe(color);
    await expect.poll(() => choice(page, label).isChecked()).toBe(true);
  });

  test("follows the system again after System is selected, immediately when it changes", async () => {
    const page = await openHome("light");
    await choose(page, "Dark");
    await expect.poll(() => ground(page)).toBe(DARK);
    await choose(page, "System");
    await expect.poll(() => ground(page)).toBe(LIGHT);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => ground(page)).toBe(DARK);
    await page.reload();
    expect(await ground(page)).toBe(DARK);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(() => ground(page)).toBe(LIGHT);
    await expect.poll(() => page.evaluate("localStorage.getItem('theme')")).toBeNull();
  });

  longTest("is chosen with the arrow keys", async () => {
    const page = await openHome();
    await choice(page, "System").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => ground(page)).toBe(DARK);
    await expect.poll(() => choice(page, "Dark").isChecked()).toBe(true);
  });

  longTest("is the system's where something else is stored", async () => {
    const page = await site.newPage({ theme: "dark" });
    await page.addInitScript({ content: "localStorage.setItem('theme', 'sepia')" });
    await openLive(page);
    expect(await ground(page)).toBe(DARK);
    await expect.poll(() => choice(page, "System").isChecked()).toBe(true);
  });

  longTest("can be chosen where storage is closed", async () => {
    const page = await site.newPage();
    await page.addInitScript({
      content: `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("Closed"); } })`,
    });
    await openLive(page);
    await choose(page, "Dark");
    await expect.poll(() => ground(page)).toBe(DARK);
  });

  test("is white on paper, whatever was chosen", async () => {
    const page = await openHome("dark");
    await choose(page, "Dark");
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => ground(page)).toBe("rgb(255, 255, 255)");
    // Nor is there anything to press.
    const buttons = page
      .getByRole("main")
      .getByRole("link", { name: /^(Get Started|Read the docs|Email us about Pro)$/ });
    expect(await buttons.count()).toBe(0);
  });

  test("marks what is chosen where the system forces its colors", async () => {
    const page = await openHome();
    await page.emulateMedia({ forcedColors: "active" });
    const grounds = await page.evaluate<string[]>(`
      [...document.querySelectorAll("footer label")].map((label) => getComputedStyle(label).backgroundColor)
    `);
    expect(grounds).toHaveLength(3);
    expect(grounds[1]).toBe(grounds[2]);
    expect(grounds[0]).not.toBe(grounds[1]);
    const lines = await page.evaluate<string[]>(`
      [...document.querySelectorAll("#code [role=tab]")].map((tab) => getComputedStyle(tab).borderBottomColor)
    `);
    expect(new Set(lines.slice(1)).size).toBe(1);
    expect(lines[0]).not.toBe(lines[1]);
  });
});

describe("a page never flashes the other theme", () => {
  test.each(
    firstOrAll([
      ["light", "dark", DARK],
      ["dark", "light", LIGHT],
    ] as const),
  )("system %s, chosen %s", async (system, chosen, color) => {
    const page = await site.newPage({ theme: system });
    await openLive(page);
    await page.evaluate(`localStorage.setItem("theme", "${chosen}")`);

    const release = await holdScripts(page);
    await page.reload({ waitUntil: "commit" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.evaluate(NEXT_FRAME);
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe(chosen);
    expect(await ground(page)).toBe(color);

    release();
    await waitUntilLive(page);
    expect(await ground(page)).toBe(color);
    await expect.poll(() => choice(page, chosen === "dark" ? "Dark" : "Light").isChecked()).toBe(true);
  });
});
