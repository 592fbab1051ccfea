import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { longOrShort } from "../long.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/**
 * axe's findings on the page in its current state: rule, element, and problem, one sentence each. Runs in the page
 * itself: the Playwright package loads axe and opens a second page for every run, which takes several times as long.
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

type Look = readonly [theme: "light" | "dark", width: number];
const LIGHT: Look = ["light", 375];
const DARK: Look = ["dark", 1440];

/** Every theme at every width; in the short form, a narrow light page or a wide dark one. */
export function looks(short: "light" | "dark"): readonly Look[] {
  return longOrShort([["dark", 375], ["light", 1440], LIGHT, DARK], [short === "light" ? LIGHT : DARK]);
}

/**
 * axe's findings for the page's current state, in every look; in the short form, half of the tests use one look and
 * half the other. No waiting is needed: with reduced motion, the tabs' default, colors change immediately. Leaves the
 * window wide.
 */
export async function axeEverywhere(page: Page): Promise<string[]> {
  const found: string[] = [];
  const { currentTestName = "" } = expect.getState();
  for (const [colorScheme, width] of looks(currentTestName.length % 2 === 0 ? "light" : "dark")) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    found.push(...(await axeViolations(page)).map((violation) => `${colorScheme}, ${width}: ${violation}`));
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

/** Every 16 px from 320 to 1920; in the short form, around each breakpoint. */
export const WIDTHS = longOrShort(
  Array.from({ length: 101 }, (_, at) => 320 + 16 * at),
  [320, 384, 624, 640, 752, 768, 1008, 1024, 1264, 1280, 1424, 1440, 1920],
);

/** For evaluation: whether the page is wider than its window. */
export const IS_SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

/** Runs in the page: if it is wider than its window, the elements that may be why, except those in scrollable boxes. */
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
