import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { PATHS, SITE_PATHS } from "../../web/pages.ts";
import { createSignedIn } from "../factories.ts";
import { longOrShort } from "../long.ts";
import { axeEverywhere, TOO_WIDE } from "./axe.ts";
import { waitUntilLive } from "./live.ts";
import { signedInPage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const UNKNOWN = "/no-such-page";
/**
 * One page per layout, and in the long form all: packages share one, guides too, and the dashboard's redirect a visitor
 * to the login page.
 */
const LAID_OUT = longOrShort(
  PATHS,
  PATHS.filter(
    (path) => !/^\/(sdks\/(?!go)|dashboard\/|terms|docs\/(?!introduction|api-|response-|sdk|sandbox))/.test(path),
  ),
);

/**
 * Waits until the page has loaded. The dashboard redirects visitors to the login page; the address changes before the
 * page does.
 */
async function heading(page: Page, isLedAway: boolean): Promise<void> {
  await page.getByRole("heading", { level: 1, ...(isLedAway && { name: "Log in" }) }).waitFor();
}

async function openPage(path: string): Promise<Page> {
  const page = await site.newPage({ width: 320, height: 640 });
  if (path === UNKNOWN) site.expectProblem(/^answer 404: .*\/no-such-page$/);
  await page.goto(path);
  await waitUntilLive(page);
  await heading(page, path.startsWith("/dashboard"));
  await page.evaluate("document.fonts.ready.then(() => {})");
  return page;
}

test.each([...LAID_OUT, UNKNOWN])("%s fits every window, with no axe findings", async (path) => {
  const page = await openPage(path);
  // The narrowest phones, and a desktop window at 200%.
  for (const [width, height] of [
    [320, 640],
    [640, 450],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => page.evaluate(TOO_WIDE), { message: `at ${width} pixels` }).toStrictEqual([]);
  }
  expect(await axeEverywhere(page)).toStrictEqual([]);
  if (SITE_PATHS.includes(path)) {
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await page.evaluate("document.querySelector('main').offsetWidth"), "as wide as its header").toBe(1440);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  // With reduced motion, every size would change by a transition, one element after another.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.evaluate('document.documentElement.style.setProperty("font-size", "200%", "important")');
  await expect.poll(() => page.evaluate(TOO_WIDE), { message: "with letters of twice the size" }).toStrictEqual([]);
});

test("every page shows its content without JavaScript", async () => {
  const page = await site.newPage({ javaScript: false });
  const empty: string[] = [];
  for (const path of PATHS) {
    await page.goto(path);
    await heading(page, false);
    if ((await page.getByRole("main").innerText()) === "") empty.push(path);
  }
  expect(empty).toStrictEqual([]);
});

test("an unknown path is a 404 that says so", async () => {
  const page = await openPage(UNKNOWN);
  await expect.poll(() => page.title()).toMatch(/not found/i);
  expect(await page.getByRole("link", { name: "Back to the dashboard" }).count()).toBe(0);
});

test("below the dashboard, a logged-in user is led back there first", async () => {
  site.expectProblem(/^answer 404: .*\/dashboard\/no-such-page$/);
  const page = await signedInPage(site, await createSignedIn(site.worker.db).then(({ token }) => token));
  await page.goto("/dashboard/no-such-page");
  const links = page.getByRole("main").getByRole("link", { name: /^Back to / });
  await expect.poll(() => links.allInnerTexts()).toStrictEqual(["Back to the dashboard", "Back to the home page"]);
  expect(await links.first().getAttribute("href")).toBe("/dashboard");
});

test("the contents of a legal text mark the section being read", async () => {
  const page = await site.newPage({ width: 1280, height: 665 });
  await page.goto("/policy");
  await waitUntilLive(page);
  const list = page.getByRole("navigation", { name: "Contents" }).filter({ visible: true });
  const current = list.locator("[aria-current=location]");
  await expect.poll(() => current.allInnerTexts()).toStrictEqual([expect.stringContaining("In short")]);
  await list.getByRole("link", { name: "Emails" }).click();
  await expect.poll(() => current.allInnerTexts()).toStrictEqual([expect.stringContaining("Emails")]);
});
