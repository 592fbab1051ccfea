import { and, eq, isNull } from "drizzle-orm";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { apiKeys, sessions } from "../../schema.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { createAccount, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { tokenIn, waitForMail } from "../mailbox.ts";
import { post } from "../requests.ts";
import { firstOrAll } from "../long.ts";
import { answerCalls, complaints, fieldValues, fillIn, readToast, stayHere } from "./auth.ts";
import { closeReveal, generateButton, openForm } from "./dashboard.keys-page.ts";
import { focused, openLive } from "./live.ts";
import { keepToken, storedToken } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const EXECUTE = "/users/password-reset/execute";
const NEW = "a new password of the tests";
const FILLED = { new_password: NEW, confirm_password: NEW };
const SAVED = { status: 200, body: { message: "Your password has been reset. You can now log in." } };

function saveButton(page: Page, disabled: boolean) {
  return page.getByRole("button", { name: "Save new password", disabled });
}

async function openReset(token = "a-token"): Promise<Page> {
  const page = await site.newPage();
  await openLive(page, `/reset-password?token=${token}`);
  await page.getByRole("heading", { level: 1, name: "Choose a new password" }).waitFor();
  return page;
}

async function save(page: Page, values: Partial<typeof FILLED> = {}): Promise<void> {
  await fillIn(page, { ...FILLED, ...values });
  await saveButton(page, false).click();
}

test("a forgotten password, from the login page to the dashboard", async () => {
  const email = emailOf(await createAccount(site.worker.db));
  const page = await site.newPage();
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("heading", { level: 1, name: "Reset your password" }).waitFor();
  await fillIn(page, { email });
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByRole("heading", { level: 1, name: "Check your email" }).waitFor();

  await page.goto(`/reset-password?token=${tokenIn(await waitForMail(site.worker, email, /password/i))}`);
  await save(page);
  await page.getByRole("heading", { level: 1, name: "Password saved" }).waitFor();
  await page.waitForURL("**/login");
  await page.getByText(SAVED.body.message).waitFor();

  await fillIn(page, { email, password: NEW });
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
});

test("a saved password leads to the keys, and offers to revoke those that may be someone else's", async () => {
  const { id, email } = await createSignedIn(site.worker.db);
  const key = { db: site.worker.db, now: Date.now(), userId: id, mode: "live" } as const;
  await insertApiKey({ ...key, name: "Production" });
  await insertApiKey({ ...key, name: "Theirs", createdFrom: "Safari on iPhone, Brazil" });
  const page = await openReset();
  await answerCalls(page, EXECUTE, SAVED);
  await save(page);
  await page.waitForURL("**/login");
  await fillIn(page, { email, password: PASSWORD });
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  const review = page.getByRole("alertdialog", { name: "Review your API keys" });
  await review.waitFor();
  expect(await review.getByRole("checkbox", { name: /Theirs/ }).isChecked()).toBe(true);
  expect(await review.getByRole("checkbox", { name: /Production/ }).isChecked()).toBe(false);
  await review.getByRole("button", { name: "Revoke selected" }).click();
  await review.waitFor({ state: "detached" });
  const working = eq(apiKeys.userId, id);
  const rows = await site.worker.db
    .select()
    .from(apiKeys)
    .where(and(working, isNull(apiKeys.revokedAt)));
  expect(rows.map(({ name }) => name)).toStrictEqual(["Production"]);
  await page.reload();
  await page.getByText("You also have 1 live key.").waitFor();
  expect(await review.count()).toBe(0);
});

test("nothing is asked about keys where there are none, nor once there is one", async () => {
  const { email } = await createSignedIn(site.worker.db);
  const page = await openReset();
  await answerCalls(page, EXECUTE, SAVED);
  await save(page);
  await page.waitForURL("**/login");
  await fillIn(page, { email, password: PASSWORD });
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  await openForm(page);
  await generateButton(page).click();
  await closeReveal(page);
  await page.getByText("1 of 10").waitFor();
  expect(await page.getByRole("alertdialog").count()).toBe(0);
});

test("the token leaves the address bar immediately, goes nowhere, and is not used up by opening the link", async () => {
  const email = emailOf(await createAccount(site.worker.db));
  await site.worker.fetch("/api/v1/users/password-reset/request", post(null, { email }));
  const token = tokenIn(await waitForMail(site.worker, email, /password/i));
  for (const path of ["/reset-password", "/verify-account"]) {
    const { headers } = await site.worker.fetch(`${path}?token=${token}`);
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  }
  for (const _ of ["a scanner", "the owner"]) {
    const page = await site.newPage();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (!request.isNavigationRequest()) sent.push(`${request.url()} ${JSON.stringify(request.headers())}`);
    });
    await openLive(page, `/reset-password?token=${token}`);
    await expect.poll(() => page.url()).toMatch(/\/reset-password$/);
    await saveButton(page, true).waitFor();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((request) => request.includes(token))).toStrictEqual([]);
    if (_ === "a scanner") continue;
    await save(page);
    await page.getByRole("heading", { level: 1, name: "Password saved" }).waitFor();
  }
  expect(site.worker.logs().join("\n")).not.toContain(token);
});

test("a logged-in visitor also gets to the login page, and that session ends", async () => {
  const { id, token } = await createSignedIn(site.worker.db);
  const page = await openReset();
  await keepToken(page, token);
  await answerCalls(page, EXECUTE, SAVED);
  await save(page);
  await page.waitForURL("**/login");
  await page.getByRole("button", { name: "Log in" }).waitFor();
  await expect.poll(() => storedToken(page)).toBeNull();
  await expect.poll(() => site.worker.db.$count(sessions, eq(sessions.userId, id))).toBe(0);
});

test("a password problem that only the server can find shows at its field", async () => {
  const email = emailOf(await createAccount(site.worker.db));
  await site.worker.fetch("/api/v1/users/password-reset/request", post(null, { email }));
  const page = await openReset(tokenIn(await waitForMail(site.worker, email, /password/i)));
  site.expectProblem(/^answer 400: .*\/password-reset\/execute$/);
  await save(page, { new_password: email, confirm_password: email });
  await expect
    .poll(() => complaints(page))
    .toStrictEqual({ new_password: "Password is too close to your email address" });
  await expect.poll(() => focused(page)).toBe("new_password");
  expect(await page.locator("[data-sonner-toast]").count()).toBe(0);
});

describe("the form", () => {
  test("requires eight characters, twice the same", async () => {
    const page = await openReset();
    const calls = await answerCalls(page, EXECUTE, { status: 500 });
    await save(page, { new_password: "seven 7" });
    await expect
      .poll(() => complaints(page))
      .toStrictEqual({
        new_password: "Min 8 characters",
        confirm_password: "Passwords do not match",
      });
    await expect.poll(() => focused(page)).toBe("new_password");
    await save(page, { confirm_password: "another password" });
    await expect.poll(() => complaints(page)).toStrictEqual({ confirm_password: "Passwords do not match" });
    await expect.poll(() => focused(page)).toBe("confirm_password");
    expect(calls).toStrictEqual([]);
  });
});

describe("a saved password", () => {
  test("is announced", async () => {
    const page = await site.newPage();
    await stayHere(page, 1800);
    await answerCalls(page, EXECUTE, SAVED);
    await openLive(page, "/reset-password?token=a-token");
    await save(page);
    await page.getByText("Redirecting to login...").waitFor();
    await expect.poll(() => focused(page)).toBe("Password saved");
    const described = await page.evaluate<string>(
      `document.getElementById(document.activeElement.getAttribute("aria-describedby")).textContent`,
    );
    expect(described).toContain(`${SAVED.body.message}Redirecting to login...`);
  });
});

describe("a link that does not work", () => {
  test.each(firstOrAll(["/reset-password", "/reset-password?token=", `/reset-password?token=${"x".repeat(201)}`]))(
    "%s offers another one",
    async (path) => {
      const page = await site.newPage();
      await page.goto(path);
      await page.getByRole("heading", { level: 1, name: "Missing or invalid token." }).waitFor();
      await page.getByRole("link", { name: "Request new link" }).click();
      await page.waitForURL("**/forgot-password");
    },
  );

  test("is detected by the server", async () => {
    site.expectProblem(/^answer 400: .*\/password-reset\/execute$/);
    const page = await openReset("never-sent");
    await save(page);
    await page.getByRole("heading", { level: 1, name: "Missing or invalid token." }).waitFor();
    await expect.poll(() => focused(page)).toBe("Missing or invalid token.");
    await expect
      .poll(() => page.getByRole("link", { name: "Request new link" }).getAttribute("href"))
      .toBe("/forgot-password");
    await expect.poll(() => page.locator("[data-sonner-toast]").count()).toBe(0);
    await page.getByRole("link", { name: "Back to login" }).click();
    await page.waitForURL("**/login");
  });
});

describe("a password that could not be saved", () => {
  test.each(
    firstOrAll([
      [429, { error: "Too many attempts. Try again later." }, "Too many attempts. Try again later."],
      [500, undefined, "Failed to reset password"],
    ]),
  )("with a %d shows %j and keeps what was typed", async (status, body, title) => {
    site.expectProblem(new RegExp(`^answer ${status}: .*/password-reset/execute$`));
    const page = await openReset();
    await answerCalls(page, EXECUTE, { status, body });
    await save(page);
    await expect.poll(() => readToast(page)).toStrictEqual([title]);
    await page.getByRole("alert").getByText(title).waitFor();
    await expect.poll(() => fieldValues(page)).toStrictEqual(FILLED);
  });
});
