import { describe, expect, test } from "vitest";
import { DOC_PAGES, listedPages } from "../../web/content/docs/sections.ts";
import { builtOrigin } from "../docs-samples.ts";
import { longTest } from "../long.ts";
import { openSite } from "./site.ts";
import type { TabOptions } from "./tab.ts";
import { openLive, waitUntilLive } from "./live.ts";

const site = openSite();
const LISTED = listedPages(DOC_PAGES);

async function openPage(path: string, options: TabOptions = {}) {
  const page = await site.newPage(options);
  if (options.javaScript === false) await page.goto(path);
  else await openLive(page, path);
  return page;
}

describe("the navigation", () => {
  test("links to every page, and marks the current one", async () => {
    const page = await openPage("/docs/introduction");
    const nav = page.getByRole("navigation", { name: "Documentation" });
    for (const { slug, label } of LISTED) {
      await nav.getByRole("link", { name: label, exact: true }).click();
      await page.waitForURL(`**/docs/${slug}`);
      await nav.locator("[aria-current=page]").getByText(label, { exact: true }).waitFor();
      await expect.poll(() => page.title()).toMatch(/ · Checkline docs$/);
      await expect.poll(() => nav.locator("[aria-current=page]").count()).toBe(1);
      await expect.poll(() => page.getByRole("heading", { level: 1 }).count()).toBe(1);
    }
  });

  test("starts with the introduction", async () => {
    const page = await openPage("/docs");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/docs/introduction");
  });
});

describe("the list of headings", () => {
  test("follows the scroll", async () => {
    const page = await openPage("/docs/authentication", { height: 700 });
    const list = page.getByRole("navigation", { name: "On this page" });
    for (const id of ["roll-a-key", "test-and-live-keys", "revoke-a-key"]) {
      await page.evaluate(`document.getElementById("${id}").scrollIntoView()`);
      await list.locator(`a[href$="#${id}"][aria-current=location]`).waitFor();
      await expect.poll(() => list.locator("[aria-current]").count()).toBe(1);
    }
  });

  longTest("marks the heading of a link, also where the page ends before it can rise", async () => {
    const page = await openPage("/docs/introduction", { height: 1400 });
    const list = page.getByRole("navigation", { name: "On this page" });
    await list.getByRole("link", { name: "Next steps" }).click();
    await list.locator('a[href$="#next-steps"][aria-current=location]').waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe("#next-steps");
  });
});

describe("copying the page", () => {
  test("copies its Markdown, with the origin of the current site", async () => {
    const page = await openPage("/docs/authentication");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("Copy page").click();
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await page.getByText("Copied", { exact: true }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    const file = await (await site.fetch("/docs/authentication.md")).text();
    expect(copied).toBe(file.replaceAll(builtOrigin(), site.origin));
    expect(copied).toMatch(/^# Authentication\n/);
  });

  longTest("says so when it cannot", async () => {
    site.expectProblem(/^answer 500: .*authentication\.md$/);
    const page = await openPage("/docs/authentication");
    await page.route("**/docs/authentication.md", (route) => route.fulfill({ status: 500 }));
    await page.getByText("Copy page").click();
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await page.getByText("Couldn’t copy").waitFor();
  });
});

test("code is copied with the origin of the page", async () => {
  const page = await openPage("/docs/quickstart");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy request" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(copied).toContain(`curl -X POST ${site.origin}/api/v1/verify \\\n`);
  expect(copied).toContain(`-d '{"number": "+5511987654321"}'`);
});

describe("what is folded", () => {
  test("a field opens for its address, at first and when a link leads there", async () => {
    const page = await openPage("/docs/response-schema#field-carrier");
    await page.getByText("our corrections").waitFor();
    await page.getByRole("link", { name: "conditions", exact: true }).waitFor({ state: "hidden" });
    await page.evaluate('location.hash = "field-accepted"');
    await page.getByRole("link", { name: "conditions", exact: true }).waitFor();
  });

  test("a filter narrows the errors to a code or a status, and an address empties it", async () => {
    const page = await openPage("/docs/errors");
    const filter = page.getByRole("searchbox", { name: "Filter the errors" });
    const errors = page.getByRole("main").getByRole("article").getByRole("article");
    const all = await errors.count();
    await filter.fill("rate_lim");
    await expect.poll(() => errors.count()).toBe(1);
    await page.getByText("1 found").waitFor();
    await page.getByRole("button", { name: "409", exact: true }).click();
    await expect.poll(() => errors.getByRole("heading", { name: "RATE_LIMITED" }).count()).toBe(0);
    await page.evaluate('location.hash = "error-rate_limited"');
    await expect.poll(() => errors.count()).toBe(all);
    await filter.fill("no such error");
    await page.getByText("Nothing matches").waitFor();
  });
});

describe("a checklist", () => {
  test("is checked by keyboard, counted, and remembered", async () => {
    const page = await openPage("/docs/testing");
    const list = page.getByRole("region", { name: "Send these, check the responses" });
    await list.getByText(/^0 of \d+ done$/).waitFor();
    await list.getByRole("checkbox").nth(1).focus();
    await page.keyboard.press("Space");
    await list.getByText(/^1 of \d+ done$/).waitFor();
    await page.reload();
    await waitUntilLive(page);
    await list.getByText(/^1 of \d+ done$/).waitFor();
    await expect.poll(() => list.getByRole("checkbox").nth(1).isChecked()).toBe(true);
    await list.getByRole("button", { name: "Clear" }).click();
    await list.getByText(/^0 of \d+ done$/).waitFor();
  });
});

describe("the language picker", () => {
  test("shows one of seven panels, and remembers the choice on every page", async () => {
    const page = await openPage("/docs/sdks");
    await page.getByRole("tab", { name: "JavaScript", selected: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tabpanel", { name: "Python" }).getByText("pip install").first().waitFor();
    await expect.poll(() => page.getByRole("tabpanel").count()).toBe(1);
    await openLive(page, "/docs/sandbox");
    await page.getByRole("region", { name: "Console" }).getByText("verify.py", { exact: true }).waitFor();
  });
});

describe("the frameworks", () => {
  test("are shown one at a time; the address selects one, and follows the selection", async () => {
    const page = await openPage("/docs/frameworks#express");
    await page.getByRole("tabpanel", { name: "Express" }).getByText("server.mjs", { exact: true }).waitFor();
    expect(await page.getByRole("tabpanel").count()).toBe(1);
    await page.getByRole("tab", { name: "React Router" }).click();
    await page.getByText("app/routes/sign-up.jsx", { exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe("#react-router");
    await page.evaluate('location.hash = "nextjs"');
    await page.getByRole("tab", { name: "Next.js", selected: true }).waitFor();
  });

  test("are all shown without JavaScript", async () => {
    const page = await openPage("/docs/frameworks", { javaScript: false });
    for (const file of ["app/sign-up/page.jsx", "app/routes/sign-up.jsx", "server.mjs"]) {
      await expect.poll(() => page.getByText(file, { exact: true }).first().isVisible()).toBe(true);
    }
  });
});

describe("on a small screen", () => {
  test("the menu opens, navigates, and closes", async () => {
    const page = await openPage("/docs/introduction", { width: 375, height: 812 });
    await page.getByRole("banner").locator("summary").click();
    const nav = page.locator("header").getByRole("navigation", { name: "Documentation" });
    await nav.getByRole("link", { name: "Sandbox" }).click();
    await page.waitForURL("**/docs/sandbox");
    await nav.waitFor({ state: "hidden" });
    await page.getByRole("banner").locator("summary").click();
    await nav.waitFor();
    await page.keyboard.press("Escape");
    await nav.waitFor({ state: "hidden" });
  });

  test("without JavaScript the menu opens and navigates, and nothing useless shows", async () => {
    const page = await openPage("/docs/introduction", { width: 375, height: 812, javaScript: false });
    await expect.poll(() => page.getByRole("button", { name: /Search|Copy|Send/ }).count()).toBe(0);
    await page.getByRole("banner").locator("summary").click();
    await page.locator("header").getByRole("link", { name: "Authentication" }).click();
    await page.waitForURL("**/docs/authentication");
    await page.getByRole("navigation", { name: "On this page" }).locator("summary").click();
    await page.getByRole("link", { name: "Test and live keys" }).first().click();
    await expect.poll(() => new URL(page.url()).hash).toBe("#test-and-live-keys");
  });
});
