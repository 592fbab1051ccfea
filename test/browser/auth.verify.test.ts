import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { sessions, users } from "../../schema.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import { startAttempts } from "../attempts.ts";
import { createAccount, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { mailsOnceThereAre, tokenIn, waitForMail } from "../mailbox.ts";
import { post } from "../requests.ts";
import { firstOrAll, longTest } from "../long.ts";
import { answerCalls, complaints, cutOff, CUT_OFF, fillIn, holdCalls, readToast, stayHere, stopClock } from "./auth.ts";
import { focused, openLive } from "./live.ts";
import { keepToken, storedToken } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const VERIFY = "/users/verify";
const SENTENCE = "Your email address is verified.";

const NONCE = "the nonce of the browser that registered";

/** A link emailed to a user with the test password. */
async function freshLink() {
  const verifier = createHash("sha256").update(NONCE).digest("hex");
  const email = emailOf(await createAccount(site.worker.db, { verified: false, verifier }));
  const response = await site.fetch("/api/v1/users/verify/resend", post(null, { email }));
  expect(response.status).toBe(202);
  return { email, token: tokenIn(await waitForMail(site.worker, email, /verify/i)) };
}

/** A page in the browser that registered. */
async function registeredPage(): Promise<Page> {
  const page = await site.newPage();
  await page.addInitScript(`localStorage.setItem("registrationNonce", ${JSON.stringify(NONCE)})`);
  return page;
}

async function isVerified(email: string): Promise<boolean> {
  const account = await site.worker.db.select().from(users).where(eq(users.email, email)).get();
  return account!.verifiedAt !== null;
}

const ELSEWHERE = /^answer 403: .*\/users\/verify$/;

async function openLink(page: Page, token: string): Promise<void> {
  await page.goto(`/verify-account?token=${token}`);
}

function title(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

describe("a good token", () => {
  test("is used once, ends the session of a logged-in visitor, and the login page follows", async () => {
    const { token } = await freshLink();
    const another = await createSignedIn(site.worker.db);
    const page = await registeredPage();
    await openLive(page, "/");
    await keepToken(page, another.token);
    const calls: string[] = [];
    const referrers: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/")) calls.push(pathname);
      referrers.push(request.headers()["referer"] ?? "");
    });
    await openLink(page, token);
    await page.waitForURL("**/login");
    expect(calls).toStrictEqual(["/api/v1/users/verify", "/api/v1/auth/logout"]);
    await expect.poll(() => site.worker.db.$count(sessions, eq(sessions.userId, another.id))).toBe(0);
    expect(referrers.length).toBeGreaterThan(5);
    expect(referrers.filter((referrer) => referrer.includes("verify-account"))).toStrictEqual([]);
    await expect.poll(() => storedToken(page)).toBeNull();
    // The message is still visible, and the link with the token is not in the history.
    await page.getByText(SENTENCE).waitFor();
    await expect.poll(() => page.evaluate("history.length")).toBe(3);
  });

  test("shows progress, then the result, and redirects after 1400 ms", async () => {
    const page = await site.newPage();
    await page.clock.install();
    const { held, release } = await holdCalls(page, VERIFY, { status: 200, body: { message: SENTENCE } });
    await openLink(page, "good");
    await title(page, "Verifying your email...");
    await expect.poll(() => held.length).toBe(1);
    // The token has left the address bar, but a reload still finds it.
    await page.waitForURL(({ pathname, search }) => pathname === "/verify-account" && search === "");
    await page.reload();
    await expect.poll(() => held.length).toBe(2);
    expect(held.map((route) => route.request().postDataJSON() as unknown)).toStrictEqual([
      { token: "good" },
      { token: "good" },
    ]);
    await stopClock(page);
    release();
    await page.getByText("Redirecting to login...").waitFor();
    await expect.poll(() => page.getByRole("main").innerText()).toContain(SENTENCE);
    await page.clock.runFor(1300);
    await title(page, "Email verified");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/verify-account");
    await page.clock.runFor(200);
    await page.waitForURL("**/login");
  });

  longTest("lets those go on who do not want to wait, and only once", async () => {
    const page = await site.newPage();
    await page.clock.install();
    const { held, release } = await holdCalls(page, VERIFY, { status: 200, body: { message: SENTENCE } });
    await openLink(page, "good");
    await expect.poll(() => held.length).toBe(1);
    await stopClock(page);
    release();
    await page.getByRole("link", { name: "Go now" }).click();
    await page.waitForURL("**/login");
    await page.getByRole("link", { name: "Create account" }).click();
    await page.waitForURL("**/register");
    await page.clock.runFor(3000);
    await expect.poll(() => new URL(page.url()).pathname).toBe("/register");
  });

  test("is announced", async () => {
    const page = await site.newPage();
    await stayHere(page, 1400);
    const { release } = await holdCalls(page, VERIFY, { status: 200, body: { message: SENTENCE } });
    await openLink(page, "good");
    const region = page.locator("main [aria-live=polite]");
    await region.getByText("Verifying your email...").waitFor();
    await region.getByText("This is taking longer than usual. Keep this page open.").waitFor();
    release();
    await region.getByText("Redirecting to login...").waitFor();
  });
});

describe("a token that the server rejects", () => {
  test("fails the second time, and says why", async () => {
    const { token } = await freshLink();
    expect((await site.fetch(`/api/v1/users/verify?token=${token}`)).status).toBe(200);
    site.expectProblem(/^answer 400: .*\/users\/verify/);
    const page = await site.newPage();
    await openLink(page, token);
    await title(page, "Verification failed.");
    await page.getByText("This link is invalid, expired, or already used.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.getByRole("link", { name: "Go to Login", exact: true }).click();
    await page.waitForURL("**/login");
  });
});

describe("when the token may still be valid", () => {
  test.each(
    firstOrAll([
      ["too many have asked", 429, "Too many attempts. Try again later."],
      ["the service is out of order", 503, "The service is temporarily unavailable."],
    ]),
  )("because %s, it can be retried", async (_, status, error) => {
    site.expectProblem(new RegExp(`^answer ${status}: .*/users/verify`));
    const page = await site.newPage();
    await answerCalls(page, VERIFY, { status, body: { error, code: "X" } });
    await openLink(page, "good");
    await page.getByText(error, { exact: true }).waitFor();
    expect(await page.locator("h1:focus").count()).toBe(0);
    const { held, release } = await holdCalls(page, VERIFY, { status, body: { error, code: "X" } });
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => focused(page)).toBe("Verifying your email...");
    release();
    await expect.poll(() => focused(page)).toBe("Couldn’t verify yet.");
    expect(held).toHaveLength(1);
    await page.getByText(error, { exact: true }).waitFor();
  });

  test("because nothing could be reached, it is not lost", async () => {
    site.expectProblem(CUT_OFF);
    const { token } = await freshLink();
    const page = await registeredPage();
    await page.clock.install();
    await cutOff(page, VERIFY);
    await openLink(page, token);
    await title(page, "Couldn’t verify yet.");
    await page.getByText("We can’t reach the server. Check your connection and try again.").waitFor();
    await page.unrouteAll();
    await stopClock(page);
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await expect.poll(() => focused(page)).toBe("Email verified");
    await page.getByText(SENTENCE).waitFor();
    await page.clock.runFor(1500);
    await page.waitForURL("**/login");
  });
});

describe("without a token", () => {
  test.each(firstOrAll(["/verify-account", "/verify-account?token=", "/verify-account?token=%20"]))(
    "%s says so",
    async (path) => {
      const page = await site.newPage();
      const calls = await answerCalls(page, VERIFY, { status: 500 });
      await page.goto(path);
      await title(page, "Missing token.");
      await expect.poll(() => page.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/login");
      expect(calls).toStrictEqual([]);
    },
  );
});

test("strangers who registered an address first, and used up its emails, get nothing when its owner opens a link", async () => {
  // A new one for a retry.
  const email = `victim-${Date.now()}@example.com`;
  const { setCount } = startAttempts(site.worker);
  const stranger = { name: "Mallory", email, password: "a password of the stranger" };
  for (let index = 0; index < 5; index += 1) await site.fetch("/api/v1/users/register", post(null, stranger));
  const emails = await mailsOnceThereAre(site.worker, 5, email);
  await setCount(10, LIMITS.verificationMail, email);
  const page = await site.newPage();
  await openLive(page, "/register");
  const password = "a password of the owner";
  await fillIn(page, { name: "Ada Lovelace", email, password, confirm_password: password });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Account created" }).waitFor();

  // A scanner opens the link first, running its scripts.
  site.expectProblem(ELSEWHERE);
  const scanner = await site.newPage();
  await openLink(scanner, tokenIn(emails[4]!));
  await title(scanner, "Confirm it’s you");
  expect(await isVerified(email)).toBe(false);

  await openLink(page, tokenIn(emails[4]!));
  await page.waitForURL("**/login");
  await fillIn(page, { email, password });
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  const credentials = { email, password: stranger.password };
  expect((await site.fetch("/api/v1/auth/login", post(null, credentials))).status).toBe(401);
});

describe("a link in another browser", () => {
  test("asks for the registration's password, and uses nothing up before", async () => {
    site.expectProblem(ELSEWHERE);
    site.expectProblem(/^answer 400: .*\/users\/verify$/);
    const { email, token } = await freshLink();
    const page = await site.newPage();
    await page.clock.install();
    await openLink(page, token);
    await title(page, "Confirm it’s you");
    expect(await isVerified(email)).toBe(false);
    const button = page.getByRole("button", { name: "Verify email" });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await fillIn(page, { password: "not the password" });
    await page.keyboard.press("Enter");
    await expect
      .poll(() => complaints(page))
      .toStrictEqual({ password: expect.stringMatching(/^That password doesn't match this link\./) });
    await expect.poll(() => focused(page)).toBe("password");
    await page.getByRole("link", { name: "Reset password" }).waitFor();
    expect(await isVerified(email)).toBe(false);
    await fillIn(page, { password: PASSWORD });
    await stopClock(page);
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("Email verified");
    await page.clock.runFor(1500);
    await page.waitForURL("**/login");
    await page.getByText(SENTENCE).waitFor();
    expect(await isVerified(email)).toBe(true);
  });

  test("accepts a new password and a name instead, and validates them before sending", async () => {
    site.expectProblem(ELSEWHERE);
    const { email, token } = await freshLink();
    const page = await site.newPage();
    await openLink(page, token);
    await page.getByRole("button", { name: "Choose a new password instead" }).click();
    await title(page, "Choose a new password");
    const calls: string[] = [];
    page.on("request", (request) => void (request.method() === "POST" && calls.push(request.url())));
    for (const [password, complaint] of [
      ["short", "Password must be at least 8 characters"],
      ["iloveyou", "This password is too common. Choose another one"],
      ["Grace-Hopper", "Password is too close to your name"],
      ["Checkline", "Password is too close to the name of this service"],
      ["zzzzzzzzzzzz", "Password must not be one character repeated"],
    ] as const) {
      await fillIn(page, { name: "Grace Hopper", new_password: password, confirm_password: password });
      await page.keyboard.press("Enter");
      await expect.poll(() => complaints(page)).toStrictEqual({ new_password: complaint });
    }
    expect(calls).toStrictEqual([]);
    // Only the server knows the address.
    site.expectProblem(/^answer 400: .*\/users\/verify$/);
    await fillIn(page, { new_password: email, confirm_password: email });
    await page.keyboard.press("Enter");
    await expect
      .poll(() => complaints(page))
      .toStrictEqual({ new_password: "Password is too close to your email address" });
    await expect.poll(() => focused(page)).toBe("new_password");
    expect(await page.locator("[data-sonner-toast]").count()).toBe(0);
    await fillIn(page, { new_password: "a password after all", confirm_password: "a password after all" });
    await page.keyboard.press("Enter");
    await page.waitForURL("**/login");
    await fillIn(page, { email, password: "a password after all" });
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard");
  });

  longTest("that stops working while the form is open says so", async () => {
    site.expectProblem(ELSEWHERE);
    site.expectProblem(/^answer 400: .*\/users\/verify$/);
    const { token } = await freshLink();
    const page = await site.newPage();
    await openLink(page, token);
    await title(page, "Confirm it’s you");
    expect((await site.fetch(`/api/v1/users/verify?token=${token}`)).status).toBe(200);
    await fillIn(page, { password: PASSWORD });
    await page.keyboard.press("Enter");
    await title(page, "Verification failed.");
    await expect.poll(() => focused(page)).toBe("Verification failed.");
    await page.getByText("This link is invalid, expired, or already used.").waitFor();
  });

  longTest("that cannot be reached keeps the form and what was typed", async () => {
    site.expectProblem(ELSEWHERE);
    site.expectProblem(CUT_OFF);
    const { token } = await freshLink();
    const page = await site.newPage();
    await openLink(page, token);
    await title(page, "Confirm it’s you");
    await cutOff(page, VERIFY);
    await fillIn(page, { password: PASSWORD });
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await readToast(page))[0]).toBe("Email verification failed.");
    await page.getByRole("alert").getByText("We can’t reach the server.").waitFor();
    await expect.poll(() => page.locator("input[name=password]").inputValue()).toBe(PASSWORD);
  });
});
