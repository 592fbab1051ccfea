import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { firstOrAll, longTest } from "../long.ts";
import { focused, openLive } from "./live.ts";
import { cutOffByLargeLetters } from "./looks.ts";
import { openSite } from "./site.ts";

const site = openSite();

function docs(page: Page) {
  return page.getByRole("navigation", { name: "Main" }).locator("details");
}

function trigger(page: Page) {
  return docs(page).locator("summary");
}

function isOpen(page: Page): Promise<boolean> {
  return docs(page).getByRole("link", { name: "View sandbox scenarios" }).isVisible();
}

async function openHome(): Promise<Page> {
  const page = await site.newPage();
  await openLive(page);
  return page;
}

async function openByKey(): Promise<Page> {
  const page = await openHome();
  await trigger(page).focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => isOpen(page)).toBe(true);
  return page;
}

describe("the Docs menu opens", () => {
  test("by a click, and closes by another", async () => {
    const page = await openHome();
    await expect.poll(() => isOpen(page)).toBe(false);
    await trigger(page).click();
    await expect.poll(() => isOpen(page)).toBe(true);
    await trigger(page).click();
    await expect.poll(() => isOpen(page)).toBe(false);
  });

  test.each(firstOrAll(["Enter", "Space"]))("by %s, keeping the focus in place", async (key) => {
    const page = await openHome();
    await trigger(page).focus();
    await page.keyboard.press(key);
    await expect.poll(() => isOpen(page)).toBe(true);
    await expect.poll(() => focused(page)).toBe("Docs");
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toMatch(/^Introduction/);
  });

  longTest("by ArrowDown on its first link, and by ArrowUp on its last", async () => {
    const page = await openByKey();
    await expect.poll(() => focused(page)).toMatch(/^Introduction/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => isOpen(page)).toBe(true);
    await expect.poll(() => focused(page)).toBe("View sandbox scenarios");
  });
});

test("arrow keys, Home, and End move through the Docs menu, wrapping around, and don't scroll the page", async () => {
  const page = await openByKey();
  const stops = [];
  for (const key of ["ArrowDown", "ArrowUp", "ArrowUp", "ArrowDown", "End", "Home", "End", "ArrowUp"]) {
    await page.keyboard.press(key);
    stops.push((await focused(page)).replace(/(reference|Introduction).*/, "$1"));
  }
  expect(stops).toStrictEqual([
    "API reference",
    "Introduction",
    "View sandbox scenarios",
    "Introduction",
    "View sandbox scenarios",
    "Introduction",
    "View sandbox scenarios",
    "Dart SDK",
  ]);
  await expect.poll(() => page.evaluate("window.scrollY")).toBe(0);
});

describe("the Docs menu closes", () => {
  test("on Escape, and restores the focus", async () => {
    const page = await openByKey();
    await page.keyboard.press("Escape");
    await expect.poll(() => isOpen(page)).toBe(false);
    await expect.poll(() => focused(page)).toBe("Docs");
  });

  longTest("on a press beside it", async () => {
    const page = await openByKey();
    await page.mouse.click(1200, 700);
    await expect.poll(() => isOpen(page)).toBe(false);
  });

  longTest("when Tab leaves it at its end, and Shift+Tab at its beginning", async () => {
    const page = await openByKey();
    await page.keyboard.press("End");
    await page.keyboard.press("Tab");
    await expect.poll(() => isOpen(page)).toBe(false);
    await expect.poll(() => focused(page)).toBe("Sign In");
    await page.keyboard.press("Shift+Tab");
    await expect.poll(() => focused(page)).toBe("Docs");
    await page.keyboard.press("Enter");
    await expect.poll(() => isOpen(page)).toBe(true);
    await page.keyboard.press("Shift+Tab");
    await expect.poll(() => isOpen(page)).toBe(false);
    await expect.poll(() => focused(page)).toBe("Pricing");
  });

  test.each(
    firstOrAll([
      ["Introduction", "/docs/introduction"],
      ["View sandbox scenarios", "/docs/sandbox"],
    ]),
  )("when %s is followed", async (name, path) => {
    const page = await openHome();
    await trigger(page).click();
    await docs(page).getByRole("link", { name }).click();
    await page.waitForURL(`**${path}`);
    await expect.poll(() => isOpen(page)).toBe(false);
  });
});

longTest("the Docs menu can be scrolled to its end in a low window", async () => {
  const page = await site.newPage({ width: 768, height: 450 });
  await openLive(page);
  await trigger(page).click();
  const last = docs(page).getByRole("link", { name: "View sandbox scenarios" });
  await last.scrollIntoViewIfNeeded();
  const box = await last.boundingBox();
  expect(box!.y + box!.height).toBeLessThanOrEqual(450);
});

test("has room for letters of twice the size", async () => {
  const page = await openByKey();
  expect(await cutOffByLargeLetters(page)).toStrictEqual([]);
});
