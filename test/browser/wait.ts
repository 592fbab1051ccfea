import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Waits until an expression is true in the page. Playwright's own waitForFunction would evaluate it where the policy forbids that. */
export async function waitUntil(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>(`Boolean(${expression})`), { timeout: 15_000 }).toBe(true);
}

/** Waits until the page answers to presses and keys. */
export function waitForScript(page: Page): Promise<void> {
  return waitUntil(page, "window.__reactRouterDataRouter?.state.initialized");
}
