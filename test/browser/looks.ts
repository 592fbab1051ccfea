import axe from "axe-core";
import type { Page } from "playwright-core";
import { longOrShort } from "../long.ts";
import { NEXT_FRAME } from "./live.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/**
 * axe's findings on the page in its current state: rule, element, and problem, one sentence each. Runs in the page
 * itself: the Playwright package loads axe and opens a second page for every run, which takes several times as long.
 */
async function axeFindings(page: Page): Promise<string[]> {
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

/** Runs in the page: what is cut off, namely dialogs, and, if the page is wider than its window, what may be why. */
const CUT_OFF = `
  (() => {
    const width = document.documentElement.clientWidth;
    const isSideways = document.documentElement.scrollWidth > width;
    return [...document.body.querySelectorAll(isSideways ? "*" : "[role=dialog], [role=alertdialog]")]
      .filter((element) => element.checkVisibility() && !element.closest("pre, [role=tablist]"))
      .map((element) => [element.getBoundingClientRect(), element])
      .filter(([{ left, right }]) => left < 0 || right > width)
      .map(([{ left, right }, { tagName, className }]) => [left, right, tagName, className].join(" "))
      .concat(isSideways ? ["scrolls sideways"] : [])
      .slice(0, 8);
  })()
`;

const PHONE = 375;
const DESKTOP = 1280;
/** In the long form, every 16 px from the narrowest phones on. */
const WIDTHS = longOrShort(
  Array.from({ length: 101 }, (_, at) => 320 + 16 * at),
  [PHONE, 768, DESKTOP],
);

/**
 * What is wrong with how the page looks in its current state: axe's findings in each theme, and what is cut off
 * at any width. With reduced motion, the tabs' default, colors change immediately. `only` for a state that a phone alone
 * has.
 */
export async function flawsOf(page: Page, only?: "phone"): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, width] of [
    ["light", PHONE],
    ["dark", only === "phone" ? PHONE : DESKTOP],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    // What follows sizes does so in the next frame.
    await page.evaluate(NEXT_FRAME);
    found.push(...(await axeFindings(page)).map((finding) => `${colorScheme}, ${width} px: ${finding}`));
  }
  for (const width of only === "phone" ? [PHONE] : WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await page.evaluate<string[]>(CUT_OFF)).map((cut) => `${width} px: ${cut}`));
  }
  return found;
}

/** What a page cuts off at a desktop's width with letters of twice the size. */
export async function cutOffByLargeLetters(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: DESKTOP, height: 900 });
  // With reduced motion, every size would change by a transition, one element after another.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.evaluate('document.documentElement.style.setProperty("font-size", "200%", "important")');
  return page.evaluate<string[]>(CUT_OFF);
}
