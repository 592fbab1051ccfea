import type { Locator, Page } from "playwright-core";
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
      await page.locator("[role=option][data-highlighted]").getByText("RATE_LIMITED").waitFor();
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
    const selected = () => page.locator("[role=option][data-highlighted]").getAttribute("id");
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

  test("opens the language that a hit is under", async () => {
    const page = await openSearch();
    await page.keyboard.type("composer");
    await page.locator("[role=option][data-highlighted]").getByText("PHP", { exact: true }).waitFor();
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
    // The examples are there again, and the field keeps the focus.
    await page.getByRole("button", { name: "line_type" }).click();
    await page.getByRole("option").first().waitFor();
    expect(await focusedField(page).inputValue()).toBe("line_type");
  });

  test("scrolls to what is chosen by key", async () => {
    const page = await openSearch();
    await field(page).fill("key");
    await page.getByText("12 results").waitFor();
    const list = page.getByRole("listbox").locator("..");
    const endOf = async (part: Locator) => {
      const { y, height } = (await part.boundingBox())!;
      return y + height;
    };
    for (let at = 1; at < 12; at += 1) {
      await page.keyboard.press("ArrowDown");
      const option = page.getByRole("option").nth(at);
      await option.and(page.locator("[role=option][data-highlighted]")).waitFor();
      await expect.poll(async () => (await endOf(list)) - (await endOf(option))).toBeGreaterThanOrEqual(0);
    }
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
