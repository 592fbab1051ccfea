import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A stat card's text, line by line. */
export async function statCard(page: Page, name: string): Promise<string[]> {
  const figures = page.getByRole("region", { name: "All-time stats" });
  const card = figures.locator("dl > div").filter({ has: page.getByText(name, { exact: true }) });
  const lines = (await card.locator("dd").innerText()).split(/\s*\n\s*/);
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

/** Waits until a stat card shows this. */
export async function expectCard(page: Page, name: string, lines: readonly string[], timeout = 15_000): Promise<void> {
  await expect.poll(() => statCard(page, name), { timeout, interval: 100 }).toStrictEqual(lines);
}

/** Makes the page think that the user returns to it, from another tab or program. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
}
