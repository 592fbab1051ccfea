import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { PATHS } from "../../web/pages.ts";
import { storeChecks } from "../../worker/status/checks.ts";
import { createSignedIn } from "../factories.ts";
import { longOrShort } from "../long.ts";
import { answerCalls, complaints, fillIn, holdCalls, stayHere } from "./auth.ts";
import { demoOf } from "./demo.ts";
import { openLive } from "./live.ts";
import { cutOffByLargeLetters, flawsOf } from "./looks.ts";
import { signedInPage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const UNKNOWN = "/no-such-page";
/**
 * In the short form, one page per layout: packages share one, guides too, and legal texts. Those of the states below are
 * not opened twice.
 */
const TRIED = longOrShort(
  PATHS.filter((path) => !path.startsWith("/dashboard")),
  ["/policy", "/about", "/sdks/go", "/docs/introduction", "/docs/api-reference", "/docs/response-schema", "/docs/sdks"],
);

async function openPage(path: string): Promise<Page> {
  const page = await site.newPage();
  await openLive(page, path);
  return page;
}

/** Waits for the title of a page that replaces its form. */
async function title(page: Page, name: string): Promise<Page> {
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  return page;
}

/** Submits a form whose call gets this response. */
async function submit(
  path: string,
  call: string,
  values: Record<string, string>,
  answer: Parameters<typeof answerCalls>[2],
) {
  const page = await site.newPage();
  await answerCalls(page, call, answer);
  if (answer.status >= 400) site.expectProblem(new RegExp(`^answer ${answer.status}: .*${call}$`));
  await openLive(page, path);
  await fillIn(page, values);
  await page.keyboard.press("Enter");
  return page;
}

/** A page's look with something open, filled in, or responded to. */
const STATES: Readonly<Record<string, () => Promise<Page>>> = {
  async "the demo's response, a sample in another language, and the Docs menu"() {
    const page = await openPage("/");
    await page.getByRole("tab", { name: "Flutter" }).click();
    const { field, button, answer, badge } = demoOf(page);
    await field.fill("+55 11 98765 4321");
    await button.click();
    await answer.getByRole("button", { name: "See the full JSON" }).click();
    await answer.getByRole("group", { name: "Response as JSON" }).waitFor();
    await badge.waitFor({ state: "detached" });
    await page.evaluate("window.scrollTo(0, 0)");
    await page.getByRole("navigation", { name: "Main" }).locator("summary").click();
    await page.getByRole("link", { name: "View sandbox scenarios" }).waitFor();
    return page;
  },
  async "every question of the help page"() {
    const page = await openPage("/help");
    for (const summary of await page.getByRole("main").locator("summary:has(h3)").all()) await summary.click();
    await page.getByRole("main").locator("details[open]").last().locator("p").first().waitFor();
    return page;
  },
  async "an unknown page"() {
    site.expectProblem(/^answer 404: .*\/no-such-page$/);
    return openPage(UNKNOWN);
  },
  async "an unknown page of the docs"() {
    site.expectProblem(/^answer 404: .*\/docs\/no-such-page$/);
    return openPage(`/docs${UNKNOWN}`);
  },
  async "results of the docs' search"() {
    const page = await openPage("/docs/introduction");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search the docs" }).fill("key");
    await page.getByRole("option").first().waitFor();
    return page;
  },
  async "a response in the docs' console"() {
    const page = await openPage("/docs/sandbox");
    const region = page.getByRole("region", { name: "Console" });
    await region.getByRole("button", { name: "Send" }).click();
    await region.getByRole("group", { name: "Response", exact: true }).waitFor();
    return page;
  },
  async "a call of the account API"() {
    const page = await openPage("/docs/account-api");
    await page.locator("summary").getByText("/api/v1/account/me", { exact: true }).click();
    return page;
  },
  async "a failing check, and the days as a table"() {
    const at = Date.now();
    await storeChecks(site.worker.db, [
      { component: "verification", at, successful: true, latencyMs: 7, p95Ms: 41 },
      { component: "key_store", at, successful: false, latencyMs: null },
    ]);
    const page = await openPage("/status");
    await page.locator("summary", { hasText: "View as table" }).click();
    return page;
  },
  async "a login that failed"() {
    const error = { error: "Wrong email or password.", code: "INVALID_CREDENTIALS" };
    const credentials = { email: "nobody@example.com", password: "not the password" };
    const page = await submit("/login", "/auth/login", credentials, { status: 401, body: error });
    await page.getByRole("alert").getByRole("button").waitFor();
    return page;
  },
  async "a login's second step"() {
    const second_factor = { challenge: "challenge", totp: true, passkey_options: { challenge: "AA" } };
    const error = { error: "A second step is required.", code: "SECOND_FACTOR_REQUIRED", second_factor };
    const credentials = { email: "ada@example.com", password: "a password" };
    return title(
      await submit("/login", "/auth/login", credentials, { status: 401, body: error }),
      "Two-factor authentication",
    );
  },
  async "mistakes in a registration"() {
    const page = await openPage("/register");
    await fillIn(page, { name: "  ", email: "ada@example.com", password: "seven 7", confirm_password: "seven 8" });
    await page.keyboard.press("Enter");
    await expect.poll(() => complaints(page)).toHaveProperty("confirm_password");
    return page;
  },
  async "an account that was created"() {
    const password = "a long password";
    const values = { name: "Ada", email: "ada@example.com", password, confirm_password: password };
    const page = await submit("/register", "/users/register", values, { status: 201, body: { message: "Done." } });
    return title(page, "Account created");
  },
  async "a link to a new password that was sent"() {
    const sent = { status: 202, body: { message: "Done." } };
    const page = await submit("/forgot-password", "/users/password-reset/request", { email: "ada@example.com" }, sent);
    return title(page, "Check your email");
  },
  "the form of a new password": () => openPage("/reset-password?token=good"),
  async "a new password"() {
    const saved = { status: 200, body: { message: "Your password has been reset." } };
    const page = await site.newPage();
    await stayHere(page, 1800);
    await answerCalls(page, "/users/password-reset/execute", saved);
    await openLive(page, "/reset-password?token=good");
    await fillIn(page, { new_password: "a long password", confirm_password: "a long password" });
    await page.keyboard.press("Enter");
    return title(page, "Password saved");
  },
  async "an email being verified"() {
    const page = await site.newPage();
    await holdCalls(page, "/users/verify", { status: 200 });
    await page.goto("/verify-account?token=good");
    await page.getByText("This is taking longer than usual.").waitFor();
    return page;
  },
  async "an email that can't be verified yet"() {
    site.expectProblem(/^answer 503: .*\/users\/verify$/);
    const page = await site.newPage();
    await answerCalls(page, "/users/verify", { status: 503, body: { error: "Not now.", code: "X" } });
    await page.goto("/verify-account?token=good");
    return title(page, "Couldn’t verify yet.");
  },
  async "a registration in another browser"() {
    site.expectProblem(/^answer 403: .*\/users\/verify$/);
    const page = await site.newPage();
    const body = { error: "Registered elsewhere.", code: "REGISTERED_ELSEWHERE" };
    await answerCalls(page, "/users/verify", { status: 403, body });
    await page.goto("/verify-account?token=good");
    await page.getByRole("button", { name: "Choose a new password instead" }).click();
    return title(page, "Choose a new password");
  },
  async "a change of email that was undone"() {
    const page = await site.newPage();
    const keys = [{ name: "Checkout", mode: "live", hint: "abcd" }];
    const body = { message: "The change is undone.", keys_with_changed_limits: keys };
    await answerCalls(page, "/users/email-change/undo", { status: 200, body });
    await openLive(page, "/undo-email-change?token=good");
    await page.getByRole("button", { name: "Undo the change" }).click();
    return title(page, "Change undone");
  },
  async "a page that fails to render"() {
    site.expectProblem(/^console error: .*Error: as if/);
    const page = await site.newPage();
    const body = 'export default function Status() { throw new Error("as if"); }';
    await page.route(/\/assets\/status-(?!view-)[\w-]+\.js$/, (route) =>
      route.fulfill({ contentType: "text/javascript", body }),
    );
    await openLive(page);
    await page.getByRole("contentinfo").getByRole("link", { name: "Status" }).first().click();
    await page.getByText("Error: as if").waitFor();
    return page;
  },
};

test.each(TRIED)("%s fits every window, and has no axe findings", async (path) => {
  expect(await flawsOf(await openPage(path))).toStrictEqual([]);
});

test.each(Object.keys(STATES))("so does %s", async (state) => {
  expect(await flawsOf(await STATES[state]!())).toStrictEqual([]);
});

test("so does the menu of a phone, with an invalid number below it", async () => {
  const page = await site.newPage({ width: 375 });
  await openLive(page);
  const { field, answer } = demoOf(page);
  await field.fill("+1 202 055 0000");
  await field.press("Enter");
  await answer.getByText("reason: UNASSIGNED_RANGE").waitFor();
  await page.evaluate("window.scrollTo(0, 0)");
  await page.getByRole("banner").locator("summary").filter({ visible: true }).click();
  await page.getByRole("banner").getByRole("link", { name: "Sign In" }).filter({ visible: true }).waitFor();
  expect(await flawsOf(page, "phone")).toStrictEqual([]);
});

test("so does the menu of the docs", async () => {
  const page = await site.newPage({ width: 375 });
  await openLive(page, "/docs/introduction");
  await page.getByRole("banner").locator("summary").click();
  await page.getByRole("banner").getByRole("navigation", { name: "Documentation" }).waitFor();
  expect(await flawsOf(page, "phone")).toStrictEqual([]);
});

test("every page has room for letters of twice the size", { timeout: longOrShort(600_000, 60_000) }, async () => {
  const page = await site.newPage();
  for (const path of new Set([...TRIED, "/", "/help", "/status", "/login", "/register", "/docs/sandbox"])) {
    await openLive(page, path);
    expect(await cutOffByLargeLetters(page), path).toStrictEqual([]);
  }
});

test("below the dashboard, a logged-in user is led back there first", async () => {
  site.expectProblem(/^answer 404: .*\/dashboard\/no-such-page$/);
  const page = await signedInPage(site, (await createSignedIn(site.worker.db)).token);
  await page.goto("/dashboard/no-such-page");
  const links = page.getByRole("main").getByRole("link", { name: /^Back to / });
  await expect.poll(() => links.allInnerTexts()).toStrictEqual(["Back to the dashboard", "Back to the home page"]);
});

test("the contents of a legal text mark the section being read", async () => {
  const page = await openPage("/policy");
  const list = page.getByRole("navigation", { name: "Contents" }).filter({ visible: true });
  const current = list.locator("[aria-current=location]");
  await expect.poll(() => current.allInnerTexts()).toStrictEqual([expect.stringContaining("In short")]);
  await list.getByRole("link", { name: "Emails" }).click();
  await expect.poll(() => current.allInnerTexts()).toStrictEqual([expect.stringContaining("Emails")]);
});
