import type { Page } from "playwright-core";
import { expect } from "vitest";
import { siteOrigin } from "../../web/build-steps/site-origin.ts";

/** Retries until the assertion holds. Ten seconds are for machines that have much to do; nothing waits for their end. */
export function eventually<T>(read: () => T): ReturnType<typeof expect.poll<Awaited<T>>> {
  return expect.poll(async () => await read(), { timeout: 10_000, interval: 40 });
}

/** Runs in the page: whether React has taken it over, effects included, for only these put in the origin the page came from. */
const ALIVE = `
  Boolean(window.__reactRouterDataRouter?.state.initialized) &&
  !document.querySelector("#code")?.textContent.includes(${JSON.stringify(siteOrigin())})
`;

/** Runs in the page: waits until nothing is left to do, such as effects of components that show no sign of them. */
const IDLE = "new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 2000 }))";

/** Waits until a page answers to presses and keys. */
export async function waitUntilLive(page: Page): Promise<void> {
  // Not waitForFunction: it evaluates a string within the page, whose policy forbids that.
  await eventually(() => page.evaluate(ALIVE)).toBe(true);
  await page.evaluate(IDLE);
}

/** Opens a page and waits until it answers to presses and keys. */
export async function openLive(page: Page, path = "/"): Promise<void> {
  await page.goto(path);
  await waitUntilLive(page);
}

/** The element that has the focus: its accessible name as far as it is written down, or its words. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`
    (() => {
      const { activeElement } = document;
      return activeElement.getAttribute("aria-label") ?? activeElement.textContent.trim();
    })()
  `);
}
