import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { PATHS, SITE_PATHS } from "../../web/pages.ts";
import { longTest } from "../long.ts";
import { openSite } from "./site.ts";

const site = openSite();

async function openWithout(path: string, width = 1440): Promise<Page> {
  const page = await site.newPage({ javaScript: false, width });
  await page.goto(path);
  return page;
}

test("without JavaScript, every page is readable, and those of the site have their header and footer", async () => {
  const page = await site.newPage({ javaScript: false });
  for (const path of PATHS) {
    await page.goto(path);
    expect((await page.getByRole("heading", { level: 1 }).innerText()).length, path).toBeGreaterThan(1);
    expect(await page.getByRole("main").innerText(), path).not.toBe("");
    if (!SITE_PATHS.includes(path)) continue;
    const [link, legal] = [
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Why" }),
      page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }),
    ];
    expect((await page.getByRole("main").innerText()).length, path).toBeGreaterThan(300);
    expect([await link.isVisible(), await legal.isVisible()], path).toStrictEqual([true, true]);
  }
});

describe("without JavaScript, the landing page", () => {
  test("shows all eight samples under their languages' names, and no tabs", async () => {
    const page = await openWithout("/");
    const samples = page.locator("#code");
    const names = ["REST", "Ruby", "Python", "PHP", "Node.js", "Go", "Java", "Flutter"];
    for (const name of names) {
      expect(await samples.getByRole("heading", { level: 3, name, exact: true }).isVisible()).toBe(true);
      expect(await samples.getByLabel(`Request in ${name}`, { exact: true }).isVisible()).toBe(true);
    }
    expect(await samples.getByRole("heading", { level: 3 }).allInnerTexts()).toStrictEqual([...names, "Response"]);
    expect(await samples.getByRole("tablist").count()).toBe(0);
  });

  test("says that the demo needs JavaScript, and hides it", async () => {
    const page = await openWithout("/");
    // Not by its text: Playwright finds none within a noscript.
    const notice = page.locator("#demo noscript p");
    expect(await notice.isVisible()).toBe(true);
    expect(await notice.innerText()).toContain("The demo needs JavaScript.");
    expect(await page.getByLabel("Phone number").isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "Verify" }).isVisible()).toBe(false);
  });

  longTest("shows the anatomy of a number", async () => {
    const page = await openWithout("/");
    const figure = page.getByRole("figure");
    for (const text of ["São Paulo", "TIM", "Mobile"]) {
      await figure.getByText(text).filter({ visible: true }).first().waitFor();
    }
  });

  test("links to its sections", async () => {
    const page = await openWithout("/");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pricing" }).click();
    await expect.poll(async () => (await page.locator("#pricing").boundingBox())?.y ?? 0).toBeLessThan(140);
  });
});

test.each(["/", "/docs/sandbox"])("without JavaScript, %s shows no control that does nothing", async (path) => {
  const page = await openWithout(path);
  expect(await page.locator("button, input, select").filter({ visible: true }).count()).toBe(0);
});

describe("without JavaScript, disclosures still open", () => {
  test("the Docs menu", async () => {
    const page = await openWithout("/");
    const menu = page.getByRole("navigation", { name: "Main" }).locator("details");
    expect(await menu.getByRole("link", { name: "Introduction" }).isVisible()).toBe(false);
    await menu.locator("summary").click();
    await menu.getByRole("link", { name: "Introduction" }).waitFor();
    await menu.getByRole("link", { name: "View sandbox scenarios" }).waitFor();
  });

  longTest("the menu on a small screen", async () => {
    const page = await openWithout("/help", 375);
    const menu = page.getByRole("banner").locator("details").filter({ visible: true });
    await menu.locator("summary").click();
    await menu.getByRole("link", { name: "Get Started" }).waitFor();
  });

  test("every question on the help page", async () => {
    const page = await openWithout("/help");
    const items = await page.getByRole("main").locator("details:has(h3)").all();
    expect(items).toHaveLength(5);
    for (const item of items) {
      expect(await item.locator("p").first().isVisible()).toBe(false);
      await item.locator("summary").click();
      await item.locator("p").first().waitFor();
    }
  });
});

test("without JavaScript, the status page links to the status itself, and doesn't seem to load", async () => {
  const page = await openWithout("/status");
  expect(await page.getByRole("link", { name: "/api/v1/status" }).getAttribute("href")).toBe("/api/v1/status");
  expect(await page.locator("[aria-busy]").isVisible()).toBe(false);
});

test("without JavaScript, an unknown address returns 404 and says so", async () => {
  site.expectProblem(/^answer 404: .*\/no\/such\/page$/);
  const page = await site.newPage({ javaScript: false });
  const response = await page.goto("/no/such/page");
  expect(response?.status()).toBe(404);
  const main = page.getByRole("main");
  expect(await main.getByRole("heading", { level: 1, name: "404. Oops! Page not found" }).isVisible()).toBe(true);
  for (const [name, path] of [
    ["Back to the home page", "/"],
    ["Read the docs", "/docs/introduction"],
    ["status page", "/status"],
  ] as const) {
    expect(await main.getByRole("link", { name }).getAttribute("href")).toBe(path);
  }
});

test("without JavaScript, every login page says that it requires it", async () => {
  const page = await site.newPage({ javaScript: false });
  for (const path of [
    "/login",
    "/register",
    "/verify-account",
    "/confirm-email",
    "/undo-email-change",
    "/forgot-password",
    "/reset-password",
  ]) {
    await page.goto(path);
    await expect.poll(() => page.locator("main noscript").innerText()).toContain("This page needs JavaScript.");
  }
});
