import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { longTest } from "../long.ts";
import { focused, openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

async function openAt(path: string, options?: Parameters<typeof site.newPage>[0]): Promise<Page> {
  const page = await site.newPage(options);
  await openLive(page, path);
  return page;
}

function mainLinks(page: Page) {
  return page.getByRole("navigation", { name: "Main" });
}

/** How far a section's top is below the top of the window, in pixels. */
function topOf(page: Page, id: string): Promise<number> {
  return page.evaluate<number>(`document.getElementById("${id}")?.getBoundingClientRect().top ?? 1e6`);
}

/** Below the header, close enough that its title is visible. */
async function expectInSight(page: Page, id: string): Promise<void> {
  await expect.poll(() => topOf(page, id)).toBeGreaterThan(40);
  await expect.poll(() => topOf(page, id)).toBeLessThan(140);
}

const SECTIONS = [
  ["Why", "why"],
  ["Code", "code"],
  ["Pricing", "pricing"],
] as const;

test.each(["/", "/help"])("the anchors on %s lead to their sections", async (path) => {
  const page = await openAt(path);
  for (const [label, id] of SECTIONS) {
    if (new URL(page.url()).pathname !== path) await openLive(page, path);
    await mainLinks(page).getByRole("link", { name: label, exact: true }).click();
    await page.waitForURL(`**/#${id}`);
    await expectInSight(page, id);
  }
});

longTest("an anchor leads to its section again after one has scrolled away", async () => {
  const page = await openAt("/#pricing");
  await expectInSight(page, "pricing");
  await page.evaluate("window.scrollTo(0, 0)");
  await expect.poll(() => topOf(page, "pricing")).toBeGreaterThan(1000);
  await mainLinks(page).getByRole("link", { name: "Pricing", exact: true }).click();
  await expectInSight(page, "pricing");
});

describe("the skip link", () => {
  test("is the first stop, and becomes visible there", async () => {
    const page = await openAt("/");
    const link = page.getByRole("link", { name: "Skip to content" });
    const bottom = async () => ((await link.boundingBox())?.y ?? 0) + ((await link.boundingBox())?.height ?? 0);
    await expect.poll(() => bottom()).toBeLessThan(0);
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toBe("Skip to content");
    await expect.poll(bottom).toBeGreaterThan(40);
  });

  test("moves the keyboard to the content", async () => {
    const page = await openAt("/");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
    await expect.poll(() => focused(page)).toBe("Get Started");
  });
});

describe("the menu on a small screen", () => {
  const PHONE = { width: 375, height: 740 };

  function menu(page: Page) {
    return page.getByRole("banner").locator("details").filter({ visible: true });
  }

  async function openMenu(path = "/"): Promise<Page> {
    const page = await openAt(path, PHONE);
    await menu(page).locator("summary").click();
    await menu(page).getByRole("link", { name: "Why" }).waitFor();
    return page;
  }

  test("closes on Escape and restores the focus", async () => {
    const page = await openMenu();
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toBe("Why");
    await page.keyboard.press("Escape");
    await menu(page).getByRole("link", { name: "Why" }).waitFor({ state: "hidden" });
    await expect.poll(() => focused(page)).toBe("Menu");
  });

  longTest("closes on a press beside it", async () => {
    const page = await openMenu();
    await page.mouse.click(180, 720);
    await menu(page).getByRole("link", { name: "Why" }).waitFor({ state: "hidden" });
  });

  test("closes when one of its links is followed, to the same page or another", async () => {
    const page = await openMenu();
    await menu(page).getByRole("link", { name: "Pricing" }).click();
    await menu(page).getByRole("link", { name: "Why" }).waitFor({ state: "hidden" });
    await expectInSight(page, "pricing");

    const help = await openMenu("/help");
    await menu(help).getByRole("link", { name: "Code" }).click();
    await help.waitForURL("**/#code");
    await menu(help).getByRole("link", { name: "Why" }).waitFor({ state: "hidden" });
    await expectInSight(help, "code");
  });
});
