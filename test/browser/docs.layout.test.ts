import { basename } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { SDK_PACKAGES } from "../../sdks/packages.ts";
import { DOC_PAGES, listedPages } from "../../web/content/docs/sections.ts";
import { builtOrigin } from "../docs-samples.ts";
import { longOrShort, longTest } from "../long.ts";
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

  longTest("goes page by page, forth and back", async () => {
    const page = await openPage(`/docs/${LISTED[0]!.slug}`);
    const pager = page.getByRole("navigation", { name: "Pages" });
    await expect.poll(() => pager.locator("[rel=prev]").count()).toBe(0);
    for (const { slug } of LISTED.slice(1)) {
      await pager.locator("[rel=next]").click();
      await page.waitForURL(`**/docs/${slug}`);
      await expect.poll(() => page.evaluate("window.scrollY")).toBe(0);
    }
    await pager.locator("[rel=next]").waitFor({ state: "detached" });
    await pager.locator("[rel=prev]").click();
    await page.waitForURL(`**/docs/${LISTED.at(-2)!.slug}`);
  });

  test("starts with the introduction", async () => {
    const page = await openPage("/docs");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/docs/introduction");
  });

  test("is reached from the Docs menu of the landing page", async () => {
    const page = await openPage("/");
    const main = page.getByRole("navigation", { name: "Main" });
    await main.getByText("Docs", { exact: true }).click();
    await main.getByRole("link", { name: "API reference" }).click();
    await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor();
  });
});

describe("the list of headings", () => {
  test.each(["/docs/verify", "/docs/integration"])("is shown once at every width: %s", async (path) => {
    const page = await openPage(path);
    for (const width of [375, 768, 1024, 1180, 1279, 1280, 1360, 1439, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const lists = page.getByRole("navigation", { name: "On this page" });
      await expect.poll(() => lists.filter({ visible: true }).count(), { message: `at ${width} pixels` }).toBe(1);
    }
  });

  test("follows the scroll", async () => {
    const page = await openPage("/docs/introduction", { height: 700 });
    const list = page.getByRole("navigation", { name: "On this page" });
    for (const id of [
      "your-first-call",
      "what-the-response-tells-you",
      "generate-a-test-key",
      "what-it-cant-tell-you",
    ]) {
      await page.evaluate(`document.getElementById("${id}").scrollIntoView()`);
      await list.locator(`a[href$="#${id}"][aria-current=location]`).waitFor();
      await expect.poll(() => list.locator("[aria-current]").count()).toBe(1);
    }
  });

  test.each(["introduction", "verify", "changelog"])("marks the first at the top: %s", async (slug) => {
    const page = await openPage(`/docs/${slug}`, { width: 1440, height: 400 });
    const list = page.getByRole("navigation", { name: "On this page" });
    await expect.poll(() => list.getByRole("link").first().getAttribute("aria-current")).toBe("location");
    expect(await list.locator("[aria-current]").count()).toBe(1);
  });

  longTest("marks the heading of a link, also where the page ends before it can rise", async () => {
    const page = await openPage("/docs/introduction", { height: 1400 });
    const list = page.getByRole("navigation", { name: "On this page" });
    await list.getByRole("link", { name: "Next steps" }).click();
    await list.locator('a[href$="#next-steps"][aria-current=location]').waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe("#next-steps");
  });
});

/** Where the words above the title end. */
const END_OF_GROUP = `(() => {
  const words = document.createRange();
  words.selectNodeContents(document.querySelector("article > header > p"));
  return words.getBoundingClientRect().right;
})()`;

test.each(["changelog", "from-libphonenumber", "verify"])("the actions leave room for the group: %s", async (slug) => {
  const page = await openPage(`/docs/${slug}`);
  const action = page.getByRole("button", { name: "Copy page as Markdown" });
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const group = await page.evaluate<number>(END_OF_GROUP);
    const { x } = (await action.boundingBox())!;
    expect(x - group, `at ${width} pixels`).toBeGreaterThan(8);
  }
});

describe("the samples of a call", () => {
  async function placesAt(page: Page, width: number) {
    await page.setViewportSize({ width, height: 900 });
    const split = page.locator(".doc-split").first();
    const text = (await split.locator("> :first-child").boundingBox())!;
    const samples = (await split.locator("> .doc-side").boundingBox())!;
    return { text, samples };
  }

  test("are below its parameters in a narrow window, and to the right in a wide one, where they stay visible", async () => {
    const page = await openPage("/docs/verify");
    for (const width of [375, 768, 1100]) {
      const { text, samples } = await placesAt(page, width);
      expect(samples.x, `at ${width} pixels`).toBe(text.x);
      expect(samples.y, `at ${width} pixels`).toBeGreaterThan(text.y + text.height);
    }
    const { text, samples } = await placesAt(page, 1180);
    expect(samples.x).toBeGreaterThan(text.x + text.width);
    expect(samples.y).toBeCloseTo(text.y, 0);

    await page.goto("/docs/verify-batch");
    await page.setViewportSize({ width: 1440, height: 1000 });
    const side = page.getByRole("group", { name: "Verify a batch", exact: true });
    const end = page.getByText("Counting.", { exact: true });
    await end.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const box = (await side.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(64);
    expect(box.y + box.height).toBeLessThan(1000);
  });
});

test("the console of a call is as wide as the call, with the response beside the form", async () => {
  const page = await openPage("/docs/verify", { width: 1440 });
  const region = page.getByRole("region", { name: "Console" });
  const wide = (await region.boundingBox())!;
  const bar = (await page.locator(".doc-call").boundingBox())!;
  expect([wide.x, wide.width]).toStrictEqual([bar.x, bar.width]);
  const placeOfForm = async () => (await region.locator("form").boundingBox())!;
  const placeOfAnswer = async () => (await region.getByText("The response appears here.").boundingBox())!;
  const form = await placeOfForm();
  const answer = await placeOfAnswer();
  expect(answer.x).toBeGreaterThan(form.x + form.width);
  expect(answer.y).toBeLessThan(form.y + form.height);
  await page.setViewportSize({ width: 375, height: 812 });
  const above = await placeOfForm();
  expect((await placeOfAnswer()).y).toBeGreaterThan(above.y + above.height);
});

test.each([320, 375, 1440])("a call within a sentence is never in two boxes, at %i pixels", async (width) => {
  const page = await site.newPage({ width });
  await page.goto(`${site.origin}/docs/changelog`);
  const calls = page.locator("main li code").filter({ hasText: /^(GET|POST) / });
  const boxes = await calls.evaluateAll((all: { getClientRects(): { length: number } }[]) =>
    all.map((code) => code.getClientRects().length),
  );
  expect(boxes.length).toBeGreaterThan(3);
  expect(new Set(boxes)).toStrictEqual(new Set([1]));
});

test("a name within a sentence stays on one line of a phone", async () => {
  const page = await site.newPage({ width: 375 });
  await page.goto(`${site.origin}/docs/integration`);
  const lines = await page.evaluate<number[]>(`
    [...document.querySelectorAll("main p code.whitespace-nowrap")].map((code) => code.getClientRects().length)
  `);
  expect(new Set(lines)).toStrictEqual(new Set([1]));
});

describe("the fields of a call", () => {
  test("collapse the values of a long type", async () => {
    const page = await openPage("/docs/verify");
    const fields = page.getByLabel("Parameters of verify", { exact: true });
    const field = fields.locator("> div").filter({ hasText: "accept_types" });
    await field.getByText("string[] | null · 11 values").waitFor();
    const value = field.getByText('"toll_free"');
    await value.waitFor({ state: "hidden" });
    await field.locator("summary").focus();
    await page.keyboard.press("Enter");
    await value.waitFor();
  });
});

describe("a call of the account API", () => {
  test("folds its fields away until they are asked for", async () => {
    const page = await openPage("/docs/account-api");
    const fields = page.getByLabel("Response of GET /api/v1/account/me");
    await fields.waitFor({ state: "hidden" });
    await page.locator("summary").getByText("/api/v1/account/me", { exact: true }).click();
    await fields.getByText("is_verified").waitFor();
  });
});

describe("copying the page", () => {
  test("copies its Markdown, with the origin of the current site", async () => {
    const page = await openPage("/docs/authentication");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy page as Markdown" }).click();
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
    await page.getByRole("button", { name: "Copy page as Markdown" }).click();
    await page.getByText("Couldn’t copy").waitFor();
  });
});

test("code is copied with the origin of the page", async () => {
  const page = await openPage("/docs/introduction");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy request" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(copied).toContain(`curl -X POST ${site.origin}/api/v1/verify \\\n`);
  expect(copied).toContain(`-d '{"number": "+5511987654321"}'`);
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
    await page.getByText("The same call as code").click();
    await page.getByRole("tab", { name: "Python", selected: true }).waitFor();
  });

  longTest("shows all of them without JavaScript", async () => {
    const page = await openPage("/docs/sdks", { javaScript: false });
    for (const { example } of SDK_PACKAGES) {
      const file = basename(example.source);
      await expect.poll(() => page.locator(".label").getByText(file, { exact: true }).first().isVisible()).toBe(true);
    }
  });
});

describe("the frameworks", () => {
  test("are shown one at a time; the address selects one, and follows the selection", async () => {
    const page = await openPage("/docs/frameworks#django");
    await page.getByRole("tabpanel", { name: "Django" }).getByText("forms.py", { exact: true }).waitFor();
    expect(await page.getByRole("tabpanel").count()).toBe(1);
    await page.getByRole("tab", { name: "Rails" }).click();
    await page.getByText("app/validators/phone_validator.rb", { exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe("#rails");
    await page.evaluate('location.hash = "spring"');
    await page.getByRole("tab", { name: "Spring", selected: true }).waitFor();
  });

  test("are all shown without JavaScript", async () => {
    const page = await openPage("/docs/frameworks", { javaScript: false });
    for (const file of ["app/api/sign-up/route.js", "server.mjs", "lib/sign_up_form.dart"]) {
      await expect.poll(() => page.getByText(file, { exact: true }).first().isVisible()).toBe(true);
    }
  });
});

describe("the way to the console", () => {
  test.each(["introduction", "verify"])("is in the first screen: %s", async (slug) => {
    const page = await openPage(`/docs/${slug}`, { width: 1280, height: 665 });
    const link = page.getByRole("link", { name: "Try it without a key" });
    const { y, height } = (await link.boundingBox())!;
    expect(y + height).toBeLessThan(665);
    await link.click();
    await expect
      .poll(async () => (await page.getByRole("region", { name: "Console" }).boundingBox())?.y)
      .toBeLessThan(300);
  });
});

test("every page's text begins at the same place", async () => {
  for (const width of [1024, 1280, 1440]) {
    const starts = new Set<number>();
    for (const slug of ["introduction", "verify"]) {
      const page = await openPage(`/docs/${slug}`, { width });
      starts.add((await page.getByRole("heading", { level: 1 }).boundingBox())!.x);
    }
    expect(starts.size, `at ${width} pixels`).toBe(1);
  }
});

describe("an unknown page of the docs", () => {
  test("is a 404 with links to existing pages", async () => {
    site.expectProblem(/^answer 404: .*\/docs\/no-such-page$/);
    const page = await openPage("/docs/no-such-page");
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    await expect.poll(() => page.title()).toMatch(/not found/i);
    await page.getByRole("main").getByRole("link", { name: "Sandbox" }).click();
    await page.getByRole("heading", { level: 1, name: "Sandbox" }).waitFor();
  });
});

describe("on a small screen", () => {
  test.each(longOrShort(["light", "dark"] as const, ["dark"] as const))(
    "the menu opens, navigates, and closes: %s",
    async (theme) => {
      const page = await openPage("/docs/introduction", { theme, width: 375, height: 812 });
      await page.locator("header summary").click();
      const nav = page.locator("header").getByRole("navigation", { name: "Documentation" });
      await nav.waitFor();
      await nav.getByRole("link", { name: "Sandbox" }).click();
      await page.waitForURL("**/docs/sandbox");
      await nav.waitFor({ state: "hidden" });
      await page.locator("header summary").click();
      await nav.waitFor();
      await page.keyboard.press("Escape");
      await nav.waitFor({ state: "hidden" });
    },
  );

  test("without JavaScript the menu opens and navigates, and nothing useless shows", async () => {
    const page = await openPage("/docs/introduction", { width: 375, height: 812, javaScript: false });
    await expect.poll(() => page.getByRole("button", { name: /Search|Copy page/ }).count()).toBe(0);
    await page.locator("header summary").click();
    await page.locator("header").getByRole("link", { name: "Authentication" }).click();
    await page.waitForURL("**/docs/authentication");
    await page.getByRole("navigation", { name: "On this page" }).locator("summary").click();
    await page.getByRole("link", { name: "Test and live keys" }).first().click();
    await expect.poll(() => new URL(page.url()).hash).toBe("#test-and-live-keys");
  });
});
