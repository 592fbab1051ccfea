import axe from "axe-core";
import type { Page } from "playwright-core";
import { longOrShort } from "../long.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/**
 * What axe finds on the page as it is now: rule, element and what is wrong, one sentence each. It runs in the page itself: the
 * package for Playwright loads axe and opens a second page for every run, which takes several times as long.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const options = { runOnly: TAGS, resultTypes: ["violations"] };
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

/** Every theme and every width; in the long form, every theme at every width. */
export const LOOKS: readonly (readonly ["light" | "dark", number])[] = [
  ["light", 375],
  ["dark", 1440],
  ...longOrShort([["light", 1440] as const, ["dark", 375] as const], []),
];

/**
 * What axe finds in the state that the page is in, in every look. Nothing is waited for: colors change at once for those who have asked
 * for less motion, as tabs do by default.
 */
export async function axeEverywhere(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, width] of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    found.push(...(await axeViolations(page)).map((violation) => `${colorScheme}, ${width}: ${violation}`));
  }
  return found;
}

/** To be evaluated: whether the page is wider than its window. */
export const IS_SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

/** Runs in the page: when it is wider than its window, the elements that may be why; not those in boxes that scroll on their own. */
export const TOO_WIDE = `
  (() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.body.querySelectorAll("*")]
      .filter((element) => element.checkVisibility() && !element.closest("pre, [role=tablist]"))
      .map((element) => [Math.round(element.getBoundingClientRect().right), element.tagName, element.className])
      .filter(([right]) => right > width)
      .concat([["and", document.documentElement.scrollWidth]])
      .slice(0, 8);
  })()
`;
