import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { longOrShort } from "../long.ts";
import { axeViolations } from "./axe.ts";
import { demoOf } from "./demo.ts";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

/** States of a page beyond its initial one. */
const STATES: Readonly<Record<string, { path: string; width: number; bringAbout: (page: Page) => Promise<void> }>> = {
  "the demo answered, its response unfolded, and the Docs menu open": {
    path: "/",
    width: 1440,
    async bringAbout(page) {
      const { field, button, answer, badge } = demoOf(page);
      await field.fill("+55 11 98765 4321");
      await button.click();
      await answer.getByText("Full response").click();
      await answer.getByRole("group", { name: "Response as JSON" }).waitFor();
      await badge.waitFor({ state: "detached" });
      await page.evaluate("window.scrollTo(0, 0)");
      await page.getByRole("navigation", { name: "Main" }).locator("summary").click();
      await page.getByRole("link", { name: "View sandbox scenarios" }).waitFor();
    },
  },
  "an invalid number, and the menu of a small screen open": {
    path: "/",
    width: 375,
    async bringAbout(page) {
      const { field, answer } = demoOf(page);
      await field.fill("+1 202 055 0000");
      await field.press("Enter");
      await answer.getByText("reason: UNASSIGNED_RANGE").waitFor();
      await page.evaluate("window.scrollTo(0, 0)");
      await page.getByRole("banner").locator("summary").filter({ visible: true }).click();
      await page.getByRole("banner").getByRole("link", { name: "Sign In" }).filter({ visible: true }).waitFor();
    },
  },
  "every question open": {
    path: "/help",
    width: 1440,
    async bringAbout(page) {
      for (const summary of await page.getByRole("main").locator("summary").all()) await summary.click();
      await page.getByRole("main").locator("details[open]").last().locator("p").first().waitFor();
    },
  },
  "the language changed, and the toast shown": {
    path: "/",
    width: 1440,
    async bringAbout(page) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("tab", { name: "Flutter" }).click();
      await page.getByRole("button", { name: "Copy request in Flutter" }).click();
      await page.locator("[data-sonner-toast][data-mounted=true]").filter({ hasText: "Copied" }).waitFor();
    },
  },
};

describe.each(["light", "dark"] as const)("no axe findings in the %s theme", (theme) => {
  // Half of them in each theme; in the long form, all.
  const names = Object.keys(STATES).filter((_, at) => longOrShort(true, at % 2 === (theme === "light" ? 0 : 1)));
  test.each(names)("with %s", async (name) => {
    const { path, width, bringAbout } = STATES[name]!;
    const page = await site.newPage({ theme, width });
    await openLive(page, path);
    await bringAbout(page);
    expect(await axeViolations(page)).toStrictEqual([]);
  });
});
