import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Both themes, narrow and wide. */
export const LOOKS = [
  ["light", 375],
  ["light", 1440],
  ["dark", 375],
  ["dark", 1440],
] as const;

/** To be evaluated: whether the page is wider than its window. */
export const IS_SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds on the page as it is now: rule, element and what is wrong, one sentence each. */
export async function axeViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => {
      const summary = failureSummary
        .split("\n")
        .slice(1)
        .map((line) => line.trim());
      return `${id}: ${target.join(" ")}: ${summary.join("; ")}`;
    }),
  );
}

/**
 * What axe finds in the state that the page is in, in both themes, narrow and wide. Nothing is waited for: colours change at once
 * for those who have asked for less motion, as tabs do unless told otherwise.
 */
export async function axeEverywhere(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await axeViolations(page)).map((violation) => `${colorScheme}, ${width}: ${violation}`));
    }
  }
  return found;
}
