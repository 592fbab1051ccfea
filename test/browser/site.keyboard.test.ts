import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { longOrShort } from "../long.ts";
import { NEXT_FRAME, openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

/** Runs in the page: numbers every Tab stop in document order, and counts them. */
const NUMBER_STOPS = `
  (() => {
    const radios = new Set();
    const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(
      (element) => {
        if (element.tabIndex < 0 || element.disabled || !element.checkVisibility({ visibilityProperty: true })) return false;
        if (element.type !== "radio") return true;
        // The Tab key stops at a group once, at what is chosen.
        return element.checked && !radios.has(element.name) && radios.add(element.name);
      },
    );
    stops.forEach((element, at) => (element.dataset.stop = at));
    return stops.length;
  })()
`;

interface Stop {
  readonly at: number;
  readonly name: string;
  readonly outlined: boolean;
  readonly inView: boolean;
}

/**
 * Runs in the page: the focused element once it is painted, and whether its focus is visible. Even with reduced motion,
 * changes take a millisecond. A hidden control's ring is on its label.
 */
const CURRENT_STOP = `
  (async () => {
    await ${NEXT_FRAME};
    const element = document.activeElement;
    const ringed = element.type === "radio" ? element.closest("label") : element;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(ringed);
    const { top, bottom, width, height } = ringed.getBoundingClientRect();
    return {
      at: Number(element.dataset.stop ?? -1),
      name: (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 60) || element.outerHTML.slice(0, 120),
      outlined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && outlineColor !== "rgba(0, 0, 0, 0)",
      inView: bottom > 0 && top < window.innerHeight && width > 0 && height > 0,
    };
  })()
`;

async function walk(page: Page, count: number, key: string): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let at = 0; at < count; at += 1) {
    await page.keyboard.press(key);
    stops.push(await page.evaluate<Stop>(CURRENT_STOP));
  }
  return stops;
}

const WALKS = [
  ["/", 1440],
  ["/help", 375],
  ["/", 375],
  ["/help", 1440],
  ["/policy", 1440],
] as const;

describe.each(longOrShort(WALKS, WALKS.slice(0, 2)))("%s at %d pixels", (path, width) => {
  test("lets the Tab key reach everything, in page order, with a visible focus ring", async () => {
    const page = await site.newPage({ width });
    await openLive(page, path);
    const count = await page.evaluate<number>(NUMBER_STOPS);
    expect(count).toBeGreaterThan(10);
    const stops = await walk(page, count, "Tab");
    expect(stops.map(({ at, name }) => [at, name])).toStrictEqual(stops.map(({ name }, at) => [at, name]));
    expect(stops.filter(({ outlined }) => !outlined)).toStrictEqual([]);
    expect(stops.filter(({ inView }) => !inView)).toStrictEqual([]);
  });
});

test("nothing covers what Shift+Tab reaches, such as the sticky header", async () => {
  const page = await site.newPage();
  await openLive(page);
  const count = await page.evaluate<number>(NUMBER_STOPS);
  await page.locator(`[data-stop="${count - 1}"]`).focus();
  const covered = `
    (async () => {
      await ${NEXT_FRAME};
      const element = document.activeElement;
      const { left, width, top, bottom } = element.getBoundingClientRect();
      const middle = (Math.max(top, 0) + Math.min(bottom, window.innerHeight)) / 2;
      const hit = document.elementFromPoint(left + width / 2, middle);
      return hit !== null && (element.contains(hit) || hit.contains(element)) ? null : element.outerHTML.slice(0, 120);
    })()
  `;
  const hidden = [];
  for (let at = 0; at < count - 1; at += 1) {
    await page.keyboard.press("Shift+Tab");
    const found = await page.evaluate<string | null>(covered);
    if (found !== null) hidden.push(found);
  }
  expect(hidden).toStrictEqual([]);
});

test("questions open and close with Enter and Space, and their links are then reachable", async () => {
  const page = await site.newPage();
  await openLive(page, "/help");
  const first = page.getByRole("main").locator("details:has(h3)").first();
  await first.locator("summary").focus();
  await page.keyboard.press("Enter");
  await first.getByRole("link", { name: "dashboard" }).waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("dashboard");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Space");
  await expect.poll(() => first.getByRole("link", { name: "dashboard" }).isVisible()).toBe(false);
});
