import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { SDK_PACKAGES } from "../../sdks/packages.ts";
import { longOrShort, longTest } from "../long.ts";
import { NEXT_FRAME, openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

async function openAt(path: string): Promise<Page> {
  const page = await site.newPage();
  await openLive(page, path);
  return page;
}

function tab(page: Page, name: string) {
  return page.getByRole("tab", { name, exact: true, selected: true });
}

/** Waits until the tabs are below the page's header, with the heading above them visible. */
async function expectTabsOnTop(page: Page): Promise<void> {
  const header = await page.getByRole("banner").boundingBox();
  const top = async (role: "heading" | "tablist", name: string) =>
    (await page.getByRole(role, { name }).boundingBox())!.y;
  await expect.poll(() => top("heading", "Install and use")).toBeGreaterThan(header!.y + header!.height);
  await expect.poll(() => top("tablist", "Language")).toBeLessThan(170);
}

describe("an address with an SDK language", () => {
  test.each(longOrShort(SDK_PACKAGES, SDK_PACKAGES.slice(-2)))(
    "#$id shows $label, and its tabs",
    async ({ id, label }) => {
      const page = await openAt(`/docs/sdks#${id}`);
      await tab(page, label).waitFor();
      await expectTabsOnTop(page);
    },
  );

  test("shows it when the Docs menu links there", async () => {
    const page = await openAt("/");
    const menu = page.getByRole("navigation", { name: "Main" }).locator("details");
    await menu.locator("summary").click();
    await menu.getByRole("link", { name: "Ruby SDK" }).click();
    await tab(page, "Ruby").waitFor();
    await expectTabsOnTop(page);
  });

  longTest("shows it when it changes, again too", async () => {
    const page = await openAt("/docs/sdks#ruby");
    await tab(page, "Ruby").waitFor();
    for (const label of ["Dart", "Go"]) {
      await page.evaluate(`location.hash = "dart"`);
      await tab(page, "Dart").waitFor();
      await page.getByRole("tab", { name: label, exact: true }).click();
      await tab(page, label).waitFor();
    }
    await page.evaluate(`location.hash = "dart"`);
    await tab(page, "Dart").waitFor();
  });

  longTest("follows the language that is chosen, without a move", async () => {
    const page = await openAt("/docs/sdks#php");
    await tab(page, "PHP").waitFor();
    const scrolled = () => page.evaluate<number>("window.scrollY");
    await expect.poll(scrolled).toBeGreaterThan(0);
    const anchor = await scrolled();
    await page.evaluate("window.scrollBy(0, -60)");
    await expect.poll(scrolled).not.toBe(anchor);
    const before = await scrolled();
    await page.getByRole("tab", { name: "Ruby", exact: true }).click();
    await page.waitForURL("**/docs/sdks#ruby");
    await page.evaluate(NEXT_FRAME);
    expect(await scrolled()).toBe(before);
    await page.reload();
    await tab(page, "Ruby").waitFor();
  });

  longTest("names it to returning visitors", async () => {
    const page = await openAt("/docs/sdks#php");
    await tab(page, "PHP").waitFor();
    await page.getByRole("tab", { name: "Ruby", exact: true }).click();
    await page.waitForURL("**/docs/sdks#ruby");
    await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Sandbox" }).click();
    await page.waitForURL("**/docs/sandbox");
    await page.goBack();
    await page.waitForURL("**/docs/sdks#ruby");
    await tab(page, "Ruby").waitFor();
  });

  test("appears on an SDK's page, which has an example and its files", async () => {
    const page = await openAt("/sdks/go");
    await page.getByRole("group", { name: "Example" }).getByText("client.Verify").waitFor();
    await page.getByRole("link", { name: "go.mod" }).waitFor({ state: "hidden" });
    await page.getByText(/^Show \d+ files$/).click();
    await page.getByRole("link", { name: "go.mod" }).waitFor();
    await page.getByRole("link", { name: "the documentation" }).click();
    await tab(page, "Go").waitFor();
    await expectTabsOnTop(page);
  });

  test("leads to all languages without JavaScript", async () => {
    const page = await site.newPage({ javaScript: false });
    await page.goto("/docs/sdks#php");
    await expect.poll(async () => (await page.locator("[data-samples]").boundingBox())!.y).toBeLessThan(170);
    for (const { label } of SDK_PACKAGES)
      await page.locator("[data-samples] p").getByText(label, { exact: true }).waitFor();
  });
});

describe("the menu of a call's languages", () => {
  test("applies its choice to all pages", async () => {
    const page = await openAt("/docs/sandbox");
    const menus = page.getByLabel("Language", { exact: true }).and(page.locator("select"));
    await menus.first().selectOption("Ruby");
    await expect.poll(() => page.getByText("verify.rb", { exact: true }).count()).toBe(3);
    // Each with the number of its own request.
    await page.getByRole("group", { name: "verify.rb" }).getByText("+12025550109").waitFor();
    await openLive(page, "/docs/service");
    await page.getByRole("group", { name: "get.rb" }).getByText("/api/v1/health").waitFor();
  });
});

/** Runs in the page: the tab stops among code and tables, and those of them that do scroll. */
const STOPS = `
  (() => {
    const all = [...document.querySelectorAll("pre, section:has(> table)")];
    const scrolling = all.filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight);
    const stops = all.filter((each) => each.tabIndex === 0 && each.hasAttribute("tabindex"));
    return { all: all.length, stops: stops.length, same: stops.every((each) => scrolling.includes(each)) && stops.length === scrolling.length };
  })()
`;

test("code and tables are tab stops only while they scroll", async () => {
  const page = await site.newPage({ width: 1440 });
  await openLive(page, "/docs/verify-stream");
  const stops = () => page.evaluate<{ all: number; stops: number; same: boolean }>(STOPS);
  await expect.poll(async () => (await stops()).same).toBe(true);
  const { all, stops: wide } = await stops();
  expect(wide).toBeLessThan(all);
  await page.setViewportSize({ width: 320, height: 800 });
  await expect.poll(async () => (await stops()).same).toBe(true);
});
