import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Runs before a page's own scripts: where React finds its developer tools, it tells them when it has changed the page and run all
 * effects of that. The first time it has taken over the prerendered page, with every listener in place.
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

/** Waits until a page answers to presses and keys. */
export async function waitUntilLive(page: Page): Promise<void> {
  // Not waitForFunction: it evaluates a string within the page, whose policy forbids that.
  const isLive = "window.hasReactRun === true && window.__reactRouterDataRouter?.state.initialized === true";
  await expect.poll(() => page.evaluate<boolean>(isLive)).toBe(true);
}

/** Opens a page and waits until it answers to presses and keys. */
export async function openLive(page: Page, path = "/"): Promise<void> {
  await page.goto(path);
  await waitUntilLive(page);
}

/** The element that has the focus: a field's name, else its label as far as it is written down, else its words. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`
    (() => {
      const { activeElement } = document;
      return activeElement.getAttribute("name") ?? activeElement.getAttribute("aria-label") ?? activeElement.textContent.trim();
    })()
  `);
}
