import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { firstOrAll, longTest } from "../long.ts";
import { openSite } from "./site.ts";
import type { TabOptions } from "./tab.ts";
import { openLive } from "./live.ts";

const site = openSite();

async function openSearch(options: TabOptions = {}, keys = "Control+k"): Promise<Page> {
  const page = await site.newPage(options);
  await openLive(page, "/docs/introduction");
  await page.keyboard.press(keys);
  await focusedField(page).waitFor();
  return page;
}

function field(page: Page) {
  return page.getByRole("combobox", { name: "Search the docs" });
}

/** The field once it accepts input: it gets the focus a moment after it appears. */
function focusedField(page: Page) {
  return field(page).and(page.locator(":focus"));
}

describe("the search", () => {
  test.each(firstOrAll(["Control+k", "Meta+k", "/"]))(
    "opens with %s, finds, and navigates by keyboard alone",
    async (keys) => {
      const page = await openSearch({}, keys);
      await page.keyboard.type("rate limited");
      await page.getByRole("option", { selected: true }).getByText("RATE_LIMITED").waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL("**/docs/errors#error-rate_limited");
      await field(page).waitFor({ state: "detached" });
      await page.getByRole("heading", { name: "RATE_LIMITED" }).waitFor();
    },
  );

  longTest("moves through the results with the arrow keys, around the ends too", async () => {
    const page = await openSearch();
    await field(page).fill("key");
    const options = page.getByRole("option");
    await options.nth(2).waitFor();
    const selected = () => page.getByRole("option", { selected: true }).getAttribute("id");
    const ids = await options.evaluateAll((elements: { id: string }[]) => elements.map((element) => element.id));
    await expect.poll(() => selected()).toBe(ids[0]);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => selected()).toBe(ids[1]);
    await expect.poll(() => field(page).getAttribute("aria-activedescendant")).toBe(ids[1]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => selected()).toBe(ids.at(-1));
  });

  longTest("closes with Escape and gives the focus back", async () => {
    const page = await site.newPage();
    await openLive(page, "/docs/introduction");
    const button = page.getByRole("button", { name: "Search the docs" });
    await button.click();
    await focusedField(page).waitFor();
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "detached" });
    await button.and(page.locator(":focus")).waitFor();
  });

  longTest("does not take a slash that is typed into a field", async () => {
    const page = await site.newPage();
    await openLive(page, "/docs/sandbox");
    await page.getByLabel("Number", { exact: true }).fill("");
    await page.getByLabel("Number", { exact: true }).press("/");
    await expect.poll(() => page.getByLabel("Number", { exact: true }).inputValue()).toBe("/");
    await expect.poll(() => field(page).count()).toBe(0);
  });

  longTest("ranks what a heading says above what a text says", async () => {
    const page = await openSearch();
    await page.keyboard.type("sandbox");
    const first = page.getByRole("option").first();
    await first.waitFor();
    await expect.poll(() => first.getAttribute("href")).toBe("/docs/sandbox");
  });

  longTest("finds a word by its beginning, and one that is mistyped", async () => {
    const page = await openSearch();
    await field(page).fill("idempot");
    await page.getByRole("option").getByText("Idempotency", { exact: false }).first().waitFor();
    await field(page).fill("authentcation");
    await page.getByRole("option").getByText("Authentication").first().waitFor();
  });

  test("opens the language that a hit is under", async () => {
    const page = await openSearch();
    await page.keyboard.type("composer");
    await page.getByRole("option", { selected: true }).getByText("PHP", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "PHP", selected: true }).waitFor();
    await page.getByText("composer require").filter({ visible: true }).waitFor();
  });

  test("says when there is nothing", async () => {
    const page = await openSearch();
    await page.getByText("Try RATE_LIMITED").waitFor();
    await field(page).fill("xyzzyplugh");
    await page.getByText("No results for “xyzzyplugh”. Use fewer or different words.").waitFor();
    await page.getByText("0 results").waitFor();
    expect(await page.getByRole("dialog").getByText("choose").count()).toBe(0);
    // The examples are there again, and the field keeps the focus.
    await page.getByRole("button", { name: "line_type" }).click();
    await page.getByRole("option").first().waitFor();
    await page.getByRole("dialog").getByText("choose").waitFor();
    expect(await focusedField(page).inputValue()).toBe("line_type");
  });

  test.each([
    [720, 450, 2],
    [1280, 600, 4],
    [375, 812, 6],
  ])("fits into a window of %d by %d pixels, with %d results", async (width, height, rows) => {
    const page = await openSearch({ width, height });
    await field(page).fill("key");
    await page.getByText("12 results").waitFor();
    const { y, height: tall } = (await page.getByRole("dialog").boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + tall).toBeLessThanOrEqual(height);
    const list = (await page.getByRole("listbox").locator("..").boundingBox())!;
    expect(list.height).toBe(rows * 84);
  });

  test("searches an example, and shows whole results only", async () => {
    const page = await openSearch();
    await page.getByRole("button", { name: "how to roll a key" }).click();
    await page.getByRole("option", { selected: true }).getByText("Roll a key").first().waitFor();
    await field(page).fill("key");
    await page.getByText("12 results").waitFor();
    const heights = await page
      .getByRole("listbox")
      .evaluate(
        (list: {
          parentElement: { clientHeight: number };
          querySelector(selector: string): { clientHeight: number };
        }) => [list.parentElement.clientHeight, list.querySelector("[role=option]").clientHeight],
      );
    expect(heights[0]! % heights[1]!).toBe(0);
  });

  test("keeps what is chosen by key above the fade, and doesn't scroll for what is pointed at", async () => {
    const page = await openSearch();
    await field(page).fill("key");
    await page.getByText("12 results").waitFor();
    const scrolled = () =>
      page
        .getByRole("listbox")
        .evaluate((list: { parentElement: { scrollTop: number } }) => list.parentElement.scrollTop);
    // Not by `hover()`, which scrolls itself.
    const { x, y } = (await page.getByRole("option").nth(5).boundingBox())!;
    await page.mouse.move(x + 40, y + 40);
    await page.getByRole("option", { selected: true }).and(page.getByRole("option").nth(5)).waitFor();
    expect(await scrolled()).toBe(0);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await expect.poll(scrolled).toBe(84);
    await field(page).fill("keys");
    await expect.poll(scrolled).toBe(0);
  });

  test("loads nothing before it is opened, and then works offline", async () => {
    const page = await site.newPage();
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    await openLive(page, "/docs/introduction");
    expect(loaded.filter((url) => url.includes("search"))).toStrictEqual([]);
    await page.keyboard.press("/");
    await page.getByText("Try RATE_LIMITED").waitFor();
    await focusedField(page).waitFor();
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "detached" });
    await page.context().setOffline(true);
    await page.keyboard.press("/");
    await field(page).fill("carrier");
    await page.getByRole("option").first().waitFor();
  });

  test("says that its index failed to load, and retries", async () => {
    site.expectProblem(/^answer 500: .*search-index\.json$/);
    const page = await site.newPage();
    let failing = true;
    await page.route("**/docs/search-index.json", (route) =>
      failing ? route.fulfill({ status: 500 }) : route.continue(),
    );
    await openLive(page, "/docs/introduction");
    await page.keyboard.press("Control+k");
    await page.getByText("didn’t load").waitFor();
    await page.getByRole("link", { name: "list of errors" }).waitFor();
    failing = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await field(page).fill("carrier");
    await page.getByRole("option").first().waitFor();
  });
});
