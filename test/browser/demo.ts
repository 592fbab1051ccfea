import type { Page, Route } from "playwright-core";
import { openLive } from "./live.ts";
import type { Site } from "./site.ts";

/** The API call behind the demo's button. */
export const LOOK_UP = "**/api/v1/demo/lookup";

/** The demo's parts, by what a visitor sees. */
export function demoOf(page: Page) {
  const section = page.locator("#demo");
  return {
    section,
    field: page.getByLabel("Phone number"),
    /** With any of its labels. */
    button: section.getByRole("button", { name: /^(Verify|Try again in \d+ s)$/ }),
    /** Under the field: the simulation's message, or the result in one line. */
    verdict: section.locator("p[aria-live]"),
    /** The simulation's verdict, beside the label. */
    badge: section.locator("label + span").first(),
    /** The engine's response. */
    answer: section.locator("[data-real]"),
  };
}

/**
 * Opens the landing page with an unused demo: all tests in a file share one address, whose lookups
 * per minute are limited.
 */
export async function openDemo(site: Site, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  await site.worker.env.DB.prepare("DELETE FROM sign_in_attempts").run();
  const page = await site.newPage();
  await prepare?.(page);
  await openLive(page);
  return page;
}

/** The same with a clock that is frozen until a test advances it. */
export async function openDemoAtRest(site: Site): Promise<Page> {
  const page = await openDemo(site, (fresh) => fresh.clock.install());
  await page.clock.pauseAt(Date.now() + 3_600_000);
  return page;
}

/** Holds a page's lookups, to be released one by one in order. */
export async function holdLookUps(page: Page): Promise<{ readonly asked: readonly Route[] }> {
  const asked: Route[] = [];
  await page.route(LOOK_UP, (route) => void asked.push(route));
  return { asked };
}
