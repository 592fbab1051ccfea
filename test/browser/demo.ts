import type { Page, Route } from "playwright-core";
import { openLive } from "./live.ts";
import type { Site } from "./site.ts";

/** The API's call behind the demo's button. */
export const LOOK_UP = "**/api/v1/demo/lookup";

/** The demo's parts, by what a visitor sees of them. */
export function demoOf(page: Page) {
  const section = page.locator("#demo");
  return {
    section,
    field: page.getByLabel("Phone number"),
    /** Under any of its names. */
    button: section.getByRole("button", { name: /^(Verify|Try again in \d+ s)$/ }),
    /** What the simulation says. */
    verdict: section.locator("p[aria-live]"),
    badge: section.getByRole("heading", { name: /^Preview/ }).locator("span"),
    /** Where the engine's response appears. */
    answer: section.locator("[data-real]"),
  };
}

/** Opens the landing page with a demo that nobody has used yet: all tests of a file come from one address, and five a minute is its due. */
export async function openDemo(site: Site, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  await site.worker.env.DB.prepare("DELETE FROM sign_in_attempts").run();
  const page = await site.newPage();
  await prepare?.(page);
  await openLive(page);
  return page;
}

/** The same with a clock that stands still until a test moves it. */
export async function openDemoAtRest(site: Site): Promise<Page> {
  const page = await openDemo(site, (fresh) => fresh.clock.install());
  await page.clock.pauseAt(Date.now() + 3_600_000);
  return page;
}

/** Holds the lookups of a page back, to be answered one by one in the order in which they were asked. */
export async function holdLookUps(page: Page): Promise<{ readonly asked: readonly Route[] }> {
  const asked: Route[] = [];
  await page.route(LOOK_UP, (route) => void asked.push(route));
  return { asked };
}
