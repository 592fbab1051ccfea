import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createSignedIn } from "../factories.ts";
import { tokenIn, waitForMail } from "../mailbox.ts";
import { answerCalls, cutOff, CUT_OFF, holdCalls, stayHere, stopClock } from "./auth.ts";
import { axeEverywhere } from "./axe.ts";
import { focused } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();
const VERIFY = "/users/verify";
const SENTENCE = "Your email address is verified.";

/** A token that a mail has brought. */
async function freshToken(): Promise<string> {
  const { email, token } = await createSignedIn(site.worker.db, { verified: false });
  const headers = { Authorization: `Bearer ${token}` };
  const response = await site.fetch("/api/v1/users/verify/resend", { method: "POST", headers });
  expect(response.status).toBe(202);
  return tokenIn(await waitForMail(site.worker, email, /verify/i));
}

async function openLink(page: Page, token: string): Promise<void> {
  await page.goto(`/verify-account?token=${token}`);
}

function title(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

describe("a good token", () => {
  test("is used once, and the login page follows", async () => {
    const token = await freshToken();
    const page = await site.newPage();
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/")) calls.push(new URL(request.url()).pathname);
    });
    await openLink(page, token);
    await page.waitForURL("**/login");
    expect(calls).toStrictEqual(["/api/v1/users/verify"]);
    // What was said is still there to read, and the link with the token is no page to come back to.
    await page.getByText(SENTENCE).waitFor();
    await expect.poll(() => page.evaluate("history.length")).toBe(2);
  });

  test("shows that it is at work, then what came of it, and leads on after 1400 ms", async () => {
    const page = await site.newPage();
    await page.clock.install();
    const { held, release } = await holdCalls(page, VERIFY, { status: 200, body: { message: SENTENCE } });
    await openLink(page, "good");
    await title(page, "Verifying your email...");
    await expect.poll(() => held.length).toBe(1);
    await stopClock(page);
    await release();
    await page.getByText("Redirecting to login...").waitFor();
    await expect.poll(() => page.getByRole("main").innerText()).toContain(SENTENCE);
    await page.clock.runFor(1300);
    await title(page, "Email verified");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/verify-account");
    await page.clock.runFor(200);
    await page.waitForURL("**/login");
  });

  test("lets those go on who do not want to wait, and only once", async () => {
    const page = await site.newPage();
    await page.clock.install();
    const { held, release } = await holdCalls(page, VERIFY, { status: 200, body: { message: SENTENCE } });
    await openLink(page, "good");
    await expect.poll(() => held.length).toBe(1);
    await stopClock(page);
    await release();
    await page.getByRole("link", { name: "Go now" }).click();
    await page.waitForURL("**/login");
    await page.getByRole("link", { name: "Create account" }).click();
    await page.waitForURL("**/register");
    await page.clock.runFor(3000);
    await expect.poll(() => new URL(page.url()).pathname).toBe("/register");
  });

  test("is announced, and has nothing that axe finds", async () => {
    const page = await site.newPage();
    await stayHere(page, 1400);
    const { release } = await holdCalls(page, VERIFY, { status: 200, body: { message: SENTENCE } });
    await openLink(page, "good");
    const region = page.locator("main [aria-live=polite]");
    await region.getByText("Verifying your email...").waitFor();
    expect(await axeEverywhere(page)).toStrictEqual([]);
    await release();
    await region.getByText("Redirecting to login...").waitFor();
    expect(await axeEverywhere(page)).toStrictEqual([]);
  });
});

describe("a token that the server does not take", () => {
  test("fails the second time, and says why", async () => {
    const token = await freshToken();
    expect((await site.fetch(`/api/v1/users/verify?token=${token}`)).status).toBe(200);
    site.expectProblem(/^answer 400: .*\/users\/verify/);
    const page = await site.newPage();
    await openLink(page, token);
    await title(page, "Verification failed.");
    await page.getByText("The link is not valid, has expired or has been used already.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    expect(await axeEverywhere(page)).toStrictEqual([]);
    await page.getByRole("link", { name: "Go to Login", exact: true }).click();
    await page.waitForURL("**/login");
  });

  test("has words of its own where the server has none", async () => {
    site.expectProblem(/^answer 400: .*\/users\/verify/);
    const page = await site.newPage();
    await answerCalls(page, VERIFY, { status: 400 });
    await openLink(page, "bad");
    await title(page, "Verification failed.");
    await page.getByText("Email verification failed.", { exact: true }).waitFor();
  });
});

describe("when the token may still be good", () => {
  test.each([
    ["too many have asked", 429, "Too many attempts. Try again later."],
    ["the service is out of order", 503, "The service cannot do this right now."],
  ])("because %s, it can be tried again", async (_, status, error) => {
    site.expectProblem(new RegExp(`^answer ${status}: .*/users/verify`));
    const page = await site.newPage();
    const calls = await answerCalls(page, VERIFY, { status, body: { error, code: "X" } });
    await openLink(page, "good");
    await page.getByText(error, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => calls.length).toBe(2);
    await page.getByText(error, { exact: true }).waitFor();
  });

  test("because nothing could be reached, it is not lost", async () => {
    site.expectProblem(CUT_OFF);
    const token = await freshToken();
    const page = await site.newPage();
    await cutOff(page, VERIFY);
    await openLink(page, token);
    await page.getByText("The service could not be reached. Check your connection and try again.").waitFor();
    expect(await axeEverywhere(page)).toStrictEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await expect.poll(() => focused(page)).toMatch(/^(Verifying your email\.\.\.|Email verified)$/);
    await page.getByText(SENTENCE).waitFor();
    await page.waitForURL("**/login");
  });
});

describe("without a token", () => {
  test.each(["/verify-account", "/verify-account?token=", "/verify-account?token=%20"])("%s says so", async (path) => {
    const page = await site.newPage();
    const calls = await answerCalls(page, VERIFY, { status: 500 });
    await page.goto(path);
    await title(page, "Missing token.");
    await expect.poll(() => page.getByRole("link", { name: "Sign in" }).getAttribute("href")).toBe("/login");
    expect(calls).toStrictEqual([]);
  });

  test("has nothing that axe finds", async () => {
    const page = await site.newPage();
    await page.goto("/verify-account");
    await title(page, "Missing token.");
    expect(await axeEverywhere(page)).toStrictEqual([]);
  });
});
