import axe from "axe-core";
import type { Page } from "playwright-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** All rules of these tags that colors decide. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/**
 * What axe finds on the page as it is now: rule, element and what is wrong, one sentence each. It runs in the page itself: the
 * package for Playwright loads axe and opens a second page for every run, which takes several times as long.
 */
export async function axeViolations(page: Page, rules: "all" | "colors" = "all"): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const options = { runOnly: rules === "all" ? TAGS : COLOR_RULES, resultTypes: ["violations"] };
  const violations = await page.evaluate<Violation[]>(`
    axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) =>
        ({ id, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })))
  `);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const summary = failureSummary
        .split("\n")
        .slice(1)
        .map((line) => line.trim());
      return `${id}: ${target.join(" ")}: ${summary.join("; ")}`;
    }),
  );
}

/**
 * What axe finds in the state that the page is in, narrow and wide, in both themes. A theme changes colors only. Nothing is waited for:
 * colors change at once for those who have asked for less motion, as tabs do unless told otherwise.
 */
export async function axeEverywhere(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const violations = await axeViolations(page, colorScheme === "light" ? "all" : "colors");
      found.push(...violations.map((violation) => `${colorScheme}, ${width}: ${violation}`));
    }
  }
  return found;
}

/** Both themes, narrow and wide. */
export const LOOKS = [
  ["light", 375],
  ["light", 1440],
  ["dark", 375],
  ["dark", 1440],
] as const;

/** To be evaluated: whether the page is wider than its window. */
export const IS_SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
