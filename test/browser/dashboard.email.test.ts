import type { Page } from "playwright-core";
import { and, eq, isNotNull } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { apiKeys } from "../../schema.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { accountCalls } from "../account-calls.ts";
import { emailChanges } from "../email-change.ts";
import { createAccount, createSession, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { mailsOnceThereAre, tokenIn, waitForMail } from "../mailbox.ts";
import { complaints, cutOff, CUT_OFF, fillIn, readToast } from "./auth.ts";
import { focused } from "./live.ts";
import { logIn, openDashboard, signedInPage, storedToken } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const SETTINGS = "/dashboard/settings";
const NEW_PASSWORD = "a new password of the tests";

let addresses = 0;

function newAddress(): string {
  addresses += 1;
  return `moved${addresses}@browser.example.com`;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

async function requestChange(page: Page, email: string): Promise<void> {
  await button(page, "Edit email").click();
  await fillIn(page, { email });
  await button(page, "Save").click();
}

/** The details as text, on one line. */
async function details(page: Page): Promise<string> {
  return (await page.getByRole("region", { name: "Profile" }).innerText()).replaceAll(/\s+/g, " ");
}

async function logInStatus(email: string, password: string): Promise<number> {
  return (await accountCalls(site.worker).signIn(email, password)).status;
}

test("an email changes with the password and the link, and is changed back by the old mailbox", async () => {
  const id = await createAccount(site.worker.db);
  const email = emailOf(id);
  const { token } = await createSession(site.worker.db, id, { passwordAt: Date.now() - 11 * 60_000 });
  const page = await openDashboard(site, { token }, SETTINGS);
  const next = newAddress();
  const { db } = site.worker;
  const key = await insertApiKey({ db, now: 1, userId: id, mode: "live", name: "Checkout", monthlyCap: 500 });
  await db.update(apiKeys).set({ limitsChangedAt: Date.now() }).where(eq(apiKeys.id, key.id));

  site.expectProblem(/^answer 403: .*\/email-change$/);
  await requestChange(page, next);
  await page.getByRole("alertdialog").getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Continue").click();
  await page.getByText("Unverified", { exact: true }).waitFor();
  expect(await details(page)).toContain(`Email ${email} Verified Edit New email ${next} Unverified Open the link`);
  await expect.poll(() => focused(page)).toBe("Edit email");

  await page.goto(`/confirm-email?token=${tokenIn(await waitForMail(site.worker, next, /^Confirm/))}`);
  await expect.poll(() => page.url()).toBe(`${site.origin}/confirm-email`);
  await button(page, "Change email").click();
  await heading(page, "Email changed");
  await expect.poll(() => focused(page)).toBe("Email changed");
  await page.getByRole("link", { name: "Go to settings" }).click();
  await page.getByText(next, { exact: true }).first().waitFor();
  expect(await details(page)).toContain(`Email ${next} Verified Edit Account ID`);
  await page.getByRole("link", { name: "Security", exact: true }).click();
  await page.getByText(`· ${email} → ${next}`).waitFor();
  expect(await logInStatus(email, PASSWORD)).toBe(401);

  const undo = await waitForMail(site.worker, email, /email address was changed$/);
  await page.goto(`/undo-email-change?token=${tokenIn(undo)}`);
  // The session has ended by the time this browser logs out of it.
  site.expectProblem(/^answer 401: .*\/logout$/);
  await button(page, "Undo the change").click();
  await heading(page, "Change undone");
  await page
    .getByRole("listitem")
    .filter({ hasText: `Checkout ch_live_…${key.hint}` })
    .waitFor();
  expect(await storedToken(page)).toBeNull();
  expect(await logInStatus(next, PASSWORD)).toBe(401);
  expect(await logInStatus(email, PASSWORD)).toBe(401);

  await page.goto(`/reset-password?token=${tokenIn(await waitForMail(site.worker, email, /^Reset/))}`);
  await fillIn(page, { new_password: NEW_PASSWORD, confirm_password: NEW_PASSWORD });
  await button(page, "Save new password").click();
  await logIn(page, email, NEW_PASSWORD);
  await page.waitForURL("**/dashboard");
  const review = page.getByRole("alertdialog", { name: "Review your API keys" });
  await review.getByText("Limits changed", { exact: true }).waitFor();
  await review.getByRole("checkbox").check();
  await button(page, "Revoke selected").click();
  await expect.poll(() => db.$count(apiKeys, and(eq(apiKeys.id, key.id), isNotNull(apiKeys.revokedAt)))).toBe(1);
});

describe("a pending change", () => {
  test("is sent again, and canceled", async () => {
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account, SETTINGS);
    const next = newAddress();
    site.expectProblem(/^answer 400: .*\/email-change$/);
    await requestChange(page, account.email);
    await expect.poll(() => complaints(page)).toStrictEqual({ email: "This is already your email address" });
    await fillIn(page, { email: next });
    await button(page, "Save").click();
    await expect.poll(() => readToast(page)).toContain(`We’re sending an email to ${next}.`);
    // A link that was replaced before its email went out isn't sent.
    await mailsOnceThereAre(site.worker, 1, next);
    await button(page, "Send again").click();
    const [first, second] = await mailsOnceThereAre(site.worker, 2, next);
    await button(page, "Cancel change").click();
    await expect.poll(() => readToast(page)).toStrictEqual(["Email change canceled"]);
    await expect.poll(() => focused(page)).toBe("Edit email");
    expect(await details(page)).not.toContain(next);
    const { confirm } = emailChanges(site.worker);
    for (const mail of [first!, second!]) expect((await confirm(account.token, mail)).status).toBe(400);
  });

  test("is confirmed in another browser after logging in there with the current address", async () => {
    const account = await createSignedIn(site.worker.db);
    const next = newAddress();
    const { request, linkTo } = emailChanges(site.worker);
    await request(account.token, next);
    const page = await site.newPage();
    await page.goto(`/confirm-email?token=${tokenIn(await linkTo(next))}`);
    await page.getByText("Log in to the account first").waitFor();
    await page.getByRole("link", { name: "Log in", exact: true }).click();
    await logIn(page, account.email, PASSWORD);
    await button(page, "Change email").click();
    await heading(page, "Email changed");
    await page.getByText(next, { exact: true }).waitFor();
  });

  test("is confirmed with the password if it was given a while ago", async () => {
    site.expectProblem(/^answer 403: .*\/email-change\/confirm$/);
    const account = await createSignedIn(site.worker.db);
    const next = newAddress();
    const { request, linkTo } = emailChanges(site.worker);
    await request(account.token, next);
    const stale = await createSession(site.worker.db, account.id, { passwordAt: Date.now() - 11 * 60_000 });
    const page = await signedInPage(site, stale.token);
    await page.goto(`/confirm-email?token=${tokenIn(await linkTo(next))}`);
    await button(page, "Change email").click();
    const question = page.getByRole("alertdialog", { name: "Enter your password" });
    await question.waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => focused(page)).toBe("Change email");
    expect(await page.getByRole("alert").innerText()).toBe("");

    await button(page, "Change email").click();
    await question.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await question.getByRole("button", { name: "Continue" }).click();
    await heading(page, "Email changed");
    await page.getByText(next, { exact: true }).waitFor();
  });
});

describe("a link that does nothing", () => {
  test("says so: incomplete, or of another account", async () => {
    const [account, other] = [await createSignedIn(site.worker.db), await createSignedIn(site.worker.db)];
    const { request, linkTo } = emailChanges(site.worker);
    const next = newAddress();
    await request(account.token, next);
    const page = await signedInPage(site, other.token);
    await page.goto("/confirm-email");
    await page.getByText("This link is incomplete.").waitFor();
    site.expectProblem(/^answer 400: .*\/email-change\/confirm$/);
    await page.goto(`/confirm-email?token=${tokenIn(await linkTo(next))}`);
    await button(page, "Change email").click();
    await heading(page, "Email not changed.");
    await page.getByText("If you’re logged in to another account").waitFor();
    expect(await storedToken(page)).toBe(other.token);
  });

  test("to undo a change says so, and works after a failure that wasn't its own", async () => {
    const account = await createSignedIn(site.worker.db);
    const { change, undoFor } = emailChanges(site.worker);
    await change(account.token, newAddress());
    const token = tokenIn(await undoFor(account.email));
    const page = await site.newPage();
    await page.goto("/undo-email-change");
    await page.getByText("This link is incomplete.").waitFor();
    site.expectProblem(CUT_OFF);
    await cutOff(page, "/users/email-change/undo");
    await page.goto(`/undo-email-change?token=${token}`);
    await button(page, "Undo the change").click();
    await page.getByRole("alert").getByText("We can’t reach the server").waitFor();
    await page.unrouteAll();
    await button(page, "Undo the change").click();
    await heading(page, "Change undone");
    site.expectProblem(/^answer 400: .*\/email-change\/undo$/);
    await page.goto(`/undo-email-change?token=${token}`);
    await button(page, "Undo the change").click();
    await heading(page, "Change not undone.");
    await page.getByText("It works once, for 72 hours.").waitFor();
  });
});
