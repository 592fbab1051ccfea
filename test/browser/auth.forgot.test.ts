import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { firstOrAll, longTest } from "../long.ts";
import { answerCalls, complaints, cutOff, CUT_OFF, fieldValues, fillIn, holdCalls, readToast } from "./auth.ts";
import { focused, openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();
const REQUEST = "/users/password-reset/request";
const EMAIL = "nobody@example.com";

function sendButton(page: Page, disabled: boolean) {
  return page.getByRole("button", { name: "Send link", disabled });
}

async function openForgot(): Promise<Page> {
  const page = await site.newPage();
  await openLive(page, "/forgot-password");
  await page.getByRole("heading", { level: 1, name: "Reset your password" }).waitFor();
  return page;
}

async function send(page: Page, email = EMAIL): Promise<void> {
  await fillIn(page, { email });
  await sendButton(page, false).click();
}

test("gets the same response whether or not there is an account", async () => {
  const page = await openForgot();
  await send(page);
  await page.getByRole("heading", { level: 1, name: "Check your email" }).waitFor();
  await page.getByText(`If an account exists for ${EMAIL}, a reset link will arrive soon.`).waitFor();
  await expect.poll(() => focused(page)).toBe("Check your email");
  await page.getByRole("link", { name: "Back to login" }).click();
  await page.waitForURL("**/login");
});

describe("the form", () => {
  test("has one required field for an address", async () => {
    const page = await openForgot();
    const field = page.getByLabel("Email");
    const kinds = await Promise.all(["type", "autocomplete", "required"].map((name) => field.getAttribute(name)));
    expect(kinds).toStrictEqual(["email", "username", ""]);
    await sendButton(page, true).waitFor();
    await fillIn(page, { email: "a" });
    await sendButton(page, false).waitFor();
  });

  longTest("says what is no address", async () => {
    const page = await openForgot();
    const calls = await answerCalls(page, REQUEST, { status: 500 });
    await send(page, "ada@example");
    await expect.poll(() => complaints(page)).toStrictEqual({ email: "Enter a valid email address" });
    await expect.poll(() => focused(page)).toBe("email");
    expect(calls).toStrictEqual([]);
  });

  test("sends one request, however often it is submitted", async () => {
    const page = await openForgot();
    const { held, release } = await holdCalls(page, REQUEST, { status: 202, body: { message: "Done." } });
    await fillIn(page, { email: EMAIL });
    await sendButton(page, false).dblclick();
    await page.getByLabel("Email").press("Enter");
    await sendButton(page, true).waitFor();
    release();
    await page.getByRole("heading", { level: 1, name: "Check your email" }).waitFor();
    expect(held).toHaveLength(1);
  });
});

describe("a link that could not be sent", () => {
  test.each(
    firstOrAll([
      [429, { error: "Too many attempts. Try again later." }, "Too many attempts. Try again later."],
      [503, { error: "The service is temporarily unavailable." }, "The service is temporarily unavailable."],
      [500, undefined, "Could not send the email"],
    ]),
  )("with a %d shows %j and keeps the address", async (status, body, title) => {
    site.expectProblem(new RegExp(`^answer ${status}: .*/password-reset/request$`));
    const page = await openForgot();
    await answerCalls(page, REQUEST, { status, body });
    await send(page);
    await expect.poll(() => readToast(page)).toStrictEqual([title]);
    await page.getByRole("alert").getByText(title).waitFor();
    await expect.poll(() => fieldValues(page)).toStrictEqual({ email: EMAIL });
  });

  longTest("because nothing could be reached says so", async () => {
    site.expectProblem(CUT_OFF);
    const page = await openForgot();
    await cutOff(page, REQUEST);
    await send(page);
    await expect
      .poll(() => readToast(page))
      .toStrictEqual(["We can’t reach the server. Check your connection and try again."]);
  });
});

test("every login page says that it requires JavaScript, when there is none", async () => {
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
