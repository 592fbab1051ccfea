import { describe, expect, test } from "vitest";
import { PAGES } from "../../web/pages.ts";
import { axeViolations, LOOKS } from "./axe.ts";
import { openSite } from "./site.ts";

const site = openSite();
const UNKNOWN = "/no-such-page";

/** Runs in the page: when it is wider than its window, the elements that may be why, widest first. */
const SIDEWAYS = `
  const width = document.documentElement.clientWidth;
  document.documentElement.scrollWidth <= width ? [] : [...document.body.querySelectorAll("*")]
    .map((element) => ({ element, right: Math.round(element.getBoundingClientRect().right) }))
    .filter(({ right }) => right > width)
    .sort((a, b) => b.right - a.right)
    .slice(0, 12)
    .map(({ element, right }) => right + " px: " + element.tagName.toLowerCase() + "." + element.getAttribute("class"));
`;

async function openPage(path: string, options: Parameters<typeof site.newPage>[0]) {
  const page = await site.newPage(options);
  if (path === UNKNOWN) site.expectProblem(/^answer 404: .*\/no-such-page$/);
  await page.goto(path);
  // The dashboard leads who is not signed in to the login page; the address changes before the page does.
  const isLedAway = path.startsWith("/dashboard") && options?.javaScript !== false;
  await page.getByRole("heading", { level: 1, ...(isLedAway && { name: "Log in" }) }).waitFor();
  return page;
}

describe.each([...PAGES.map((page) => page.path), UNKNOWN])("%s", (path) => {
  test("needs no sideways scrolling at 320 pixels", async () => {
    const page = await openPage(path, { width: 320, height: 640 });
    await expect.poll(() => page.evaluate(SIDEWAYS)).toStrictEqual([]);
  });

  test.each(LOOKS)("has nothing that axe finds: %s, %d pixels", async (theme, width) => {
    const page = await openPage(path, { theme, width });
    expect(await axeViolations(page)).toStrictEqual([]);
  });
});

describe.each(PAGES.map((page) => page.path))("%s without JavaScript", (path) => {
  test("shows its content", async () => {
    const page = await openPage(path, { javaScript: false });
    expect(await page.getByRole("main").innerText()).not.toBe("");
  });
});

test("an unknown path answers 404 and says so", async () => {
  const page = await openPage(UNKNOWN, {});
  await expect.poll(() => page.title()).toMatch(/not found/i);
});
