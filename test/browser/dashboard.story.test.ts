import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { mailsTo, waitForMail } from "../mailbox.ts";
import { fillIn, readToast, toastText } from "./auth.ts";
import { generateButton, openForm, reveal, statusWith } from "./dashboard.keys-page.ts";
import { comeBack, statCard } from "./dashboard.shell-page.ts";
import { logIn, storedToken } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const EMAIL = "grace@example.com";
const FIRST = "the first password";
const SECOND = "the second password";
const THIRD = "the third password";
const SUBSCRIPTION = "/dashboard/settings/subscription";
const VERIFY_MAIL = "Verify your email address for Checkline";
const RESET_MAIL = "Reset your Checkline password";

function title(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

/** Waits for a toast with this text, in front of earlier ones. */
function told(page: Page, lines: readonly string[]): Promise<void> {
  return expect.poll(() => readToast(page)).toStrictEqual(lines);
}

async function register(page: Page): Promise<void> {
  await page.goto("/register");
  await fillIn(page, { name: "Grace", email: EMAIL, password: FIRST, confirm_password: FIRST });
  await page.getByRole("button", { name: "Create account" }).click();
  await told(page, ["Account created successfully", "Check your email to activate your account."]);
  await title(page, "Account created");
}

/** Opens the newest email on the mailbox page, and its link, which contains the deployed service's address. */
async function openLinkIn(page: Page, subject: string): Promise<void> {
  await waitForMail(site.worker, EMAIL, new RegExp(subject));
  await page.goto("/dev/mailbox");
  const mail = page.getByRole("listitem").filter({ hasText: subject }).filter({ hasText: EMAIL }).first();
  const link = await mail.locator("pre a").first().getAttribute("href");
  const { pathname, search } = new URL(link ?? "");
  await page.goto(pathname + search);
}

async function verifyAddress(page: Page): Promise<void> {
  await openLinkIn(page, VERIFY_MAIL);
  await page.getByText("Your email address is verified.").waitFor();
  await page.waitForURL("**/login");
}

/** Opens a page of the dashboard, is sent to log in, and returns to it. */
async function signInOnTheWayTo(page: Page, path: string, password: string): Promise<void> {
  await page.goto(path);
  await logIn(page, EMAIL, password);
  await told(page, ["Logged in successfully"]);
  await page.waitForURL(`**${path}`);
}

async function startTrial(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Activate Free Trial" }).click();
  await told(page, ["Trial activated"]);
  await page.getByRole("region", { name: "Subscription" }).getByText("· 14 days left").waitFor();
}

function goTo(page: Page, section: string): Promise<void> {
  return page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: section }).click();
}

/** Generates a test key and returns what the dialog's button has put on the clipboard. */
async function createTestKey(page: Page): Promise<string> {
  await goTo(page, "API Keys");
  await openForm(page);
  await page.getByLabel("Name", { exact: true }).fill("First program");
  await generateButton(page).click();
  await toastText(page, "API Key generated successfully");
  await page.getByRole("button", { name: "Copy API key" }).click();
  await told(page, ["Copied"]);
  const key = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(key).toMatch(/^ch_test_[0-9A-Za-z]{36}$/);
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await reveal(page).waitFor({ state: "detached" });
  return key;
}

/** Returns to the page repeatedly until it shows what was verified in the meantime. */
async function watch(page: Page, read: () => Promise<unknown>, shown: unknown): Promise<void> {
  async function look(): Promise<unknown> {
    await comeBack(page);
    return read();
  }
  await expect.poll(look, { timeout: 40_000, interval: 500 }).toStrictEqual(shown);
}

/** Verifies like a program, and sees the open page's figures update. */
async function verifyAndWatch(page: Page, key: string): Promise<void> {
  await page.evaluate("window.notLoadedAnew = true");
  await page.getByText("See your first verified number").waitFor();
  for (const number of ["+5511987654321", "+12025550123"]) expect(await statusWith(site, key, number)).toBe(200);
  expect(await statusWith(site, key, "+12025550109")).toBe(400);
  const cards = () => Promise.all(["Total", "Success", "Failed"].map((name) => statCard(page, name)));
  await watch(page, cards, [
    ["3", "No earlier month"],
    ["2", "66.7% valid"],
    ["1", "33.3% invalid"],
  ]);

  await goTo(page, "Reports");
  const figures = page.getByRole("region", { name: /^Figures, / }).locator("dd");
  await watch(page, () => figures.allInnerTexts(), ["3", "2", "1", "66.7%"]);
  await page.locator("[data-chart] svg [data-day]").first().waitFor();
  expect(await statusWith(site, key, "+442079460018")).toBe(200);
  await watch(page, () => figures.allInnerTexts(), ["4", "3", "1", "75.0%"]);
  expect(await page.evaluate("window.notLoadedAnew")).toBe(true);
}

async function revoke(page: Page, key: string): Promise<void> {
  await goTo(page, "API Keys");
  await page.getByRole("button", { name: /^Revoke First program, ch_/ }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await toastText(page, "API Key revoked");
  await page.getByText("No test keys yet").waitFor();
  expect(await statusWith(site, key)).toBe(401);
}

async function openSecurity(page: Page): Promise<void> {
  await goTo(page, "Settings");
  await page.getByRole("link", { name: "Security" }).click();
}

/** Changes the password here, which ends the session there: the old password does not restore it, the new one does. */
async function changePassword(here: Page, there: Page): Promise<void> {
  await goTo(there, "Reports");
  await there.waitForURL("**/dashboard/reports");
  await openSecurity(here);
  await fillIn(here, { old_password: FIRST, new_password: SECOND, confirm_password: SECOND });
  await here.getByRole("button", { name: "Change password" }).click();
  await told(here, ["Password updated"]);

  await comeBack(there);
  await logIn(there, EMAIL, FIRST);
  await told(there, ["Login error", "Wrong email or password."]);
  await expect.poll(() => storedToken(there)).toBeNull();
  await logIn(there, EMAIL, SECOND);
  await there.waitForURL("**/dashboard/reports");
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Log out", exact: true }).click();
  await told(page, ["Logged out"]);
  await page.waitForURL("**/login");
  await expect.poll(() => storedToken(page)).toBeNull();
}

async function resetPassword(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await title(page, "Reset your password");
  await fillIn(page, { email: EMAIL });
  await page.getByRole("button", { name: "Send link" }).click();
  await title(page, "Check your email");
  await openLinkIn(page, RESET_MAIL);
  await fillIn(page, { new_password: THIRD, confirm_password: THIRD });
  await page.getByRole("button", { name: "Save new password" }).click();
  await title(page, "Password saved");
  await page.waitForURL("**/login");
  await page.getByText("Your password has been reset. You can now log in.").waitFor();
}

async function deleteAccount(page: Page): Promise<void> {
  await goTo(page, "Settings");
  await page.getByRole("button", { name: "Delete account" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete your account?" });
  await question.getByLabel("Type your email to confirm").fill(EMAIL);
  await question.getByRole("button", { name: "Delete account" }).click();
  await told(page, ["Account deleted"]);
  await page.waitForURL(`${site.origin}/`);
  await expect.poll(() => storedToken(page)).toBeNull();
}

test("from signing up to leaving, and starting over", { timeout: 180_000 }, async () => {
  site.expectProblem(/^answer 401: /);
  const page = await site.newPage();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);

  await register(page);
  await verifyAddress(page);
  await signInOnTheWayTo(page, SUBSCRIPTION, FIRST);
  await startTrial(page);
  const key = await createTestKey(page);
  await verifyAndWatch(page, key);
  await revoke(page, key);

  const elsewhere = await site.newPage();
  await signInOnTheWayTo(elsewhere, "/dashboard", FIRST);
  await changePassword(page, elsewhere);

  await signOut(page);
  await resetPassword(page);
  await signInOnTheWayTo(page, "/dashboard/settings", THIRD);
  await deleteAccount(page);

  // Nothing is left: the address gets a new account's email, like the first time.
  await expect.poll(async () => (await mailsTo(site.worker, EMAIL)).length).toBe(0);
  await register(page);
  await verifyAddress(page);
});
