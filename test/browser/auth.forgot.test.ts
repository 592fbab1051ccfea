import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { firstOrAll } from "../long.ts";
import { answerCalls, fieldValues, fillIn, readToast } from "./auth.ts";
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
});
