import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { mailsOnceThereAre, tokenIn } from "../mailbox.ts";
import { firstOrAll } from "../long.ts";
import { answerCalls, complaints, fieldValues, fillIn, holdCalls, readToast } from "./auth.ts";
import { focused, openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();
const REGISTER = "/users/register";
const PASSWORD = "a long password";
const FILLED = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  password: PASSWORD,
  confirm_password: PASSWORD,
};

async function openRegister(): Promise<Page> {
  const page = await site.newPage();
  await openLive(page, "/register");
  return page;
}

async function register(page: Page, values: Partial<typeof FILLED> = {}): Promise<void> {
  await fillIn(page, { ...FILLED, ...values });
  await page.keyboard.press("Enter");
}

test("from nothing to the dashboard, by keyboard", async () => {
  const email = "story@example.com";
  const page = await openRegister();
  await register(page, { email: ` Story@example.com ` });
  await expect
    .poll(() => readToast(page))
    .toStrictEqual(["Account created successfully", "Check your email to activate your account."]);
  await page.getByRole("heading", { level: 1, name: "Account created" }).waitFor();
  await page.getByText("Open the link we sent to story@example.com within 24 hours.").waitFor();
  await expect.poll(() => focused(page)).toBe("Account created");

  await page.getByRole("button", { name: "Send it again" }).click();
  await expect
    .poll(() => readToast(page))
    .toStrictEqual(["If this email was used to sign up, it will arrive soon. We send up to 7 per day."]);
  const [, again] = await mailsOnceThereAre(site.worker, 2, email);
  const token = tokenIn(again!);
  await page.goto(`/verify-account?token=${token}`);
  await page.getByText("Your email address is verified.").waitFor();
  await page.waitForURL("**/login");

  await fillIn(page, { email, password: PASSWORD });
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
});

describe("the form", () => {
  test("rejects an easily guessed password before anything is sent", async () => {
    const page = await openRegister();
    const calls = await answerCalls(page, REGISTER, { status: 500 });
    for (const [password, complaint] of [
      ["password1", "This password is too common. Choose another one"],
      ["ADA@example.com", "Password is too close to your email address"],
      ["adalovelace", "Password is too close to your name"],
      ["👩‍👩‍👧", "Password must be at least 8 characters"],
    ] as const) {
      await register(page, { password, confirm_password: password });
      await expect.poll(() => complaints(page)).toStrictEqual({ password: complaint });
    }
    expect(calls).toStrictEqual([]);
  });

  test("requires a password of eight characters, twice the same", async () => {
    const page = await openRegister();
    await register(page, { password: "seven 7", confirm_password: "seven 8" });
    await expect
      .poll(() => complaints(page))
      .toStrictEqual({
        password: "Password must be at least 8 characters",
        confirm_password: "Passwords do not match",
      });
    await expect.poll(() => focused(page)).toBe("password");
    // Changing either of the two may resolve the mismatch.
    await page.keyboard.type("x");
    await expect.poll(() => complaints(page)).toStrictEqual({});
  });

  test("labels each field for password managers", async () => {
    const page = await openRegister();
    const kinds = await page
      .locator("input")
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute("autocomplete")));
    expect(kinds).toStrictEqual(["name", "email", "new-password", "new-password"]);
    await expect.poll(() => page.title()).toBe("Create account · Checkline");
  });

  test("sends one request without the repetition, however often it is submitted", async () => {
    const page = await openRegister();
    const { held, release } = await holdCalls(page, REGISTER, { status: 201, body: { message: "Done." } });
    await register(page);
    await page.getByRole("button", { name: "Create account" }).dblclick({ force: true });
    await page.locator("input[name=name]").press("Enter");
    await expect.poll(() => held.length).toBe(1);
    expect(held.map((route) => route.request().postDataJSON() as unknown)).toStrictEqual([
      { name: FILLED.name, email: FILLED.email, password: PASSWORD, verifier: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    release();
    await page.getByRole("link", { name: "Go to login" }).click();
    await page.waitForURL("**/login");
    expect(held).toHaveLength(1);
  });
});

describe("a failed registration", () => {
  test.each(
    firstOrAll([
      [
        "the server's reason",
        { error: "The service is temporarily unavailable." },
        "The service is temporarily unavailable.",
      ],
      ["its own words", undefined, "Não foi possível criar a conta."],
    ]),
  )("shows %s and keeps what was typed", async (_, body, description) => {
    site.expectProblem(/^answer 503: .*\/users\/register$/);
    const page = await openRegister();
    await answerCalls(page, REGISTER, { status: 503, body });
    await register(page);
    await expect.poll(() => readToast(page)).toStrictEqual(["Registration error", description]);
    await expect.poll(() => fieldValues(page)).toStrictEqual(FILLED);
  });
});
