import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createAccount, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { firstOrAll, longTest } from "../long.ts";
import { waitForMail } from "../mailbox.ts";
import { answerCalls, complaints, cutOff, CUT_OFF, fieldValues, fillIn, holdCalls, readToast } from "./auth.ts";
import { focused, openLive, waitUntilLive } from "./live.ts";
import { keepToken, storedToken } from "./signed-in.ts";
import { openSite } from "./site.ts";
import { hasDashboard, watchScripts, weightOf } from "./weight.ts";

const site = openSite();
const LOGIN = "/auth/login";
const WRONG = { email: "nobody@example.com", password: "not the password" };

async function openLogin(path = "/login"): Promise<Page> {
  const page = await site.newPage();
  await openLive(page, path);
  await page.getByRole("heading", { level: 1, name: "Log in" }).waitFor();
  return page;
}

function submitButton(page: Page, disabled: boolean) {
  return page.getByRole("button", { name: "Log in", disabled });
}

async function logIn(page: Page, credentials: { email: string; password: string }): Promise<void> {
  await fillIn(page, credentials);
  await submitButton(page, false).click();
}

/** Opens the login page like the dashboard's guard does, or like an attacker would. */
async function arriveFrom(page: Page, from: unknown): Promise<void> {
  await page.evaluate(`history.replaceState({ usr: ${JSON.stringify({ from })}, key: "guarded", idx: 0 }, "")`);
  await page.reload();
  await waitUntilLive(page);
  await page.getByRole("heading", { level: 1, name: "Log in" }).waitFor();
}

describe("the form", () => {
  test("puts the cursor into the first field, and labels the fields for password managers", async () => {
    const page = await openLogin();
    await expect.poll(() => focused(page)).toBe("email");
    const fields = page.locator("input");
    const kinds = await fields.evaluateAll((inputs) =>
      inputs.map((input) => [input.getAttribute("type"), input.getAttribute("autocomplete")]),
    );
    expect(kinds).toStrictEqual([
      ["email", "username"],
      ["password", "current-password"],
    ]);
    await page.getByRole("button", { name: "Show password" }).click();
    await expect.poll(() => page.getByLabel("Password", { exact: true }).getAttribute("type")).toBe("text");
  });

  test("shows no failure before there is one", async () => {
    const page = await openLogin();
    expect((await page.getByRole("alert").allInnerTexts()).join("")).toBe("");
    expect(await page.locator("[role=alert] svg").count()).toBe(0);
  });

  test("is disabled while a field is empty", async () => {
    const page = await openLogin();
    await submitButton(page, true).waitFor();
    await fillIn(page, { email: "ada@example.com" });
    await submitButton(page, true).waitFor();
    await fillIn(page, { password: "x" });
    await submitButton(page, false).waitFor();
    await fillIn(page, { email: "" });
    await submitButton(page, true).waitFor();
  });

  test.each(firstOrAll(["input", "change"]))("notices what a script has filled in, by %s events", async (event) => {
    const page = await openLogin();
    await page.evaluate(`
      for (const input of document.querySelectorAll("input")) {
        input.value = "ada@example.com";
        input.dispatchEvent(new Event("${event}", { bubbles: true }));
      }
    `);
    await submitButton(page, false).waitFor();
  });

  test("notices what the browser fills in, which has no event", async () => {
    const page = await openLogin();
    await submitButton(page, true).waitFor();
    const session = await page.context().newCDPSession(page);
    await Promise.all([session.send("DOM.enable"), session.send("CSS.enable")]);
    const { root } = await session.send("DOM.getDocument");
    const { nodeIds } = await session.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: "input" });
    for (const nodeId of nodeIds) {
      await session.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: ["autofill"] });
    }
    await submitButton(page, false).waitFor();
  });

  test("shows a field's problem, and focuses it, until it changes", async () => {
    const page = await openLogin();
    const calls = await answerCalls(page, LOGIN, { status: 500 });
    await fillIn(page, { email: "ada", password: "x" });
    await page.keyboard.press("Enter");
    await expect.poll(() => complaints(page)).toStrictEqual({ email: "Enter a valid email address" });
    await expect.poll(() => focused(page)).toBe("email");
    await page.keyboard.type("@");
    await expect.poll(() => complaints(page)).toStrictEqual({});
    expect(calls).toStrictEqual([]);
  });

  test("loads less than 200 KB of JavaScript, without the dashboard's", async () => {
    const page = await site.newPage();
    const loaded = watchScripts(page);
    await page.goto("/login", { waitUntil: "networkidle" });
    await submitButton(page, true).waitFor();
    const scripts = await loaded();
    expect(hasDashboard(scripts)).toBe(false);
    const bytes = weightOf("/login", scripts);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(200_000);
  });
});

describe("logging in", () => {
  test("stores the token, says so, and opens the dashboard", async () => {
    const email = emailOf(await createAccount(site.worker.db));
    const page = await openLogin();
    await logIn(page, { email: ` ${email.toUpperCase()} `, password: PASSWORD });
    await expect.poll(() => readToast(page)).toStrictEqual(["Logged in successfully"]);
    await page.waitForURL("**/dashboard");
    await expect.poll(() => storedToken(page)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    await page.getByRole("button", { name: "Log out" }).waitFor();
    await page.goBack();
    expect(new URL(page.url()).pathname).not.toBe("/login");
  });

  test.each(
    firstOrAll([
      { pathname: "//elsewhere.example/" },
      { pathname: "https://elsewhere.example/" },
      "https://elsewhere.example/",
    ]),
  )("never leads to another site: %j", async (from) => {
    const { token } = await createSignedIn(site.worker.db);
    const page = await openLogin();
    await arriveFrom(page, from);
    await answerCalls(page, LOGIN, { status: 200, body: { token, expires_at: "2030-01-01T00:00:00.000Z" } });
    await logIn(page, WRONG);
    await page.waitForURL("**/dashboard");
    await expect.poll(() => new URL(page.url()).origin).toBe(site.origin);
  });

  test("returns to the requested dashboard page", async () => {
    const email = emailOf(await createAccount(site.worker.db));
    const page = await site.newPage();
    await page.goto("/dashboard/settings?from=mail#top");
    await page.waitForURL("**/login");
    await logIn(page, { email, password: PASSWORD });
    await page.waitForURL("**/dashboard/settings?from=mail#top");
  });

  test("is skipped for logged-in visitors", async () => {
    const { token } = await createSignedIn(site.worker.db);
    const page = await openLogin();
    await keepToken(page, token);
    await page.reload();
    await page.waitForURL("**/dashboard");
    await expect.poll(() => storedToken(page)).toBe(token);
  });

  test("sends one request, however often it is submitted", async () => {
    const page = await openLogin();
    const { held, release } = await holdCalls(page, LOGIN, { status: 401 });
    site.expectProblem(/^answer 401: .*\/auth\/login$/);
    await fillIn(page, WRONG);
    await submitButton(page, false).dblclick();
    await page.locator("input[name=password]").press("Enter");
    await submitButton(page, true).waitFor();
    await page.evaluate(`document.querySelector("form").requestSubmit()`);
    release();
    await page.locator("[data-sonner-toast]").waitFor();
    expect(held).toHaveLength(1);
    await submitButton(page, false).waitFor();
  });
});

describe("a failed login", () => {
  test("shows the server's reason, keeps what was typed, and logs no one out", async () => {
    site.expectProblem(/^answer 401: .*\/auth\/login$/);
    const page = await openLogin();
    await logIn(page, WRONG);
    const reason = "Wrong email or password.";
    await expect.poll(() => readToast(page)).toStrictEqual(["Login error", reason]);
    const alert = page.getByRole("alert").filter({ hasText: "Check your email and password." });
    await alert.waitFor();
    await expect.poll(() => fieldValues(page)).toStrictEqual(WRONG);
    await expect.poll(() => new URL(page.url()).pathname).toBe("/login");
    await expect.poll(() => storedToken(page)).toBeNull();
    // Trying again brings no second toast.
    await submitButton(page, false).click();
    await alert.waitFor({ state: "detached" });
    await alert.waitFor();
    expect(await page.locator("[data-sonner-toast]").count()).toBe(1);
  });

  test("because the address is not verified yet offers its email again", async () => {
    site.expectProblem(/^answer 401: .*\/auth\/login$/);
    const email = emailOf(await createAccount(site.worker.db, { verified: false }));
    const page = await openLogin();
    await logIn(page, { email, password: PASSWORD });
    await page.getByRole("alert").getByRole("button", { name: "get a new one" }).click();
    await expect
      .poll(() => readToast(page))
      .toStrictEqual(["If this email was used to sign up, it will arrive soon. We send up to 7 per day."]);
    await waitForMail(site.worker, email, /verify/i);
  });

  longTest("has its own words where the server has none", async () => {
    site.expectProblem(/^answer 500: .*\/auth\/login$/);
    const page = await openLogin();
    await answerCalls(page, LOGIN, { status: 500 });
    await logIn(page, WRONG);
    await expect.poll(() => readToast(page)).toStrictEqual(["Login error", "Não foi possível fazer login."]);
    await page.getByRole("alert").getByText("We couldn’t log you in. Try again in a moment.").waitFor();
  });

  longTest("puts the server's complaints beside their fields", async () => {
    site.expectProblem(/^answer 400: .*\/auth\/login$/);
    const page = await openLogin();
    const fields = { password: "Too simple", elsewhere: "Unknown field" };
    await answerCalls(page, LOGIN, { status: 400, body: { error: "Not so.", code: "VALIDATION_FAILED", fields } });
    await logIn(page, WRONG);
    await expect.poll(() => readToast(page)).toStrictEqual(["Login error", "Not so."]);
    await expect.poll(() => complaints(page)).toStrictEqual({ password: "Too simple" });
    await expect.poll(() => focused(page)).toBe("password");
  });

  longTest("says so when there were too many", async () => {
    site.expectProblem(/^answer 429: .*\/auth\/login$/);
    const page = await openLogin();
    const tried = { ...WRONG, email: "guessed@example.com" };
    await page.evaluate(`Promise.all(Array.from({ length: 10 }, () => fetch("/api/v1/auth/login", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: '${JSON.stringify(tried)}',
    })))`);
    site.expectProblem(/^answer 401: .*\/auth\/login$/);
    await logIn(page, tried);
    await expect
      .poll(() => readToast(page))
      .toStrictEqual(["Login error", expect.stringMatching(/^Too many attempts\. Try again in 1[45] minutes\.$/)]);
    await expect.poll(() => fieldValues(page)).toStrictEqual(tried);
  });

  longTest("says so when the service cannot be reached", async () => {
    site.expectProblem(CUT_OFF);
    const page = await openLogin();
    await cutOff(page, LOGIN);
    await logIn(page, WRONG);
    await expect
      .poll(() => readToast(page))
      .toStrictEqual(["Login error", "We can’t reach the server. Check your connection and try again."]);
    await expect.poll(() => fieldValues(page)).toStrictEqual(WRONG);
  });
});
