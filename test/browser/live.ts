import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Runs before a page's own scripts: poses as React's developer tools, which React notifies after it has changed the
 * page and run all effects. The first time, it has hydrated the prerendered page, with every listener attached.
 */
export const WATCH_REACT = `
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot() {},
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {
      window.hasReactRun = true;
    },
  };
`;

/** Waits until a page responds to clicks and keys. */
export async function waitUntilLive(page: Page): Promise<void> {
  // Not waitForFunction: it evaluates a string within the page, which its policy forbids.
  const isLive = "window.hasReactRun === true && window.__reactRouterDataRouter?.state.initialized === true";
  await expect.poll(() => page.evaluate<boolean>(isLive)).toBe(true);
}

/** Holds the page's scripts until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

/** Waits, in the page, until a frame was drawn. */
export const NEXT_FRAME =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))";

/** Opens a page and waits until it responds to clicks and keys. */
export async function openLive(page: Page, path = "/"): Promise<void> {
  await page.goto(path);
  await waitUntilLive(page);
}

/** The focused element: a field's name, else its label attribute, else its text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`
    (() => {
      const { activeElement } = document;
      return activeElement.getAttribute("name") ?? activeElement.getAttribute("aria-label") ?? activeElement.textContent.trim();
    })()
  `);
}

/** Runs before a page's own scripts: records layout shifts that don't follow a click or key. */
export const WATCH_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) window.shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 120))]);
    }
  }).observe({ type: "layout-shift", buffered: true });
`;

/** The sum of a page's layout shifts so far; prints them. */
export async function shiftOf(page: Page): Promise<number> {
  const shifts = await page.evaluate<[value: number, ...nodes: string[]][]>("window.shifts");
  for (const shift of shifts) console.log(`Layout shift in ${page.url()}: ${JSON.stringify(shift)}`);
  return shifts.reduce((sum, [value]) => sum + value, 0);
}

/** Chooses from a menu that has all its countries only once it's reached for. */
export async function chooseCountry(menu: Locator, country: string): Promise<void> {
  await menu.focus();
  await menu.selectOption(country);
}
