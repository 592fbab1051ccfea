import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { longTest } from "../long.ts";
import { toastText } from "./auth.ts";
import { closeReveal, expectForgotten, generate, openKeys, reveal } from "./dashboard.keys-page.ts";
import { focused } from "./live.ts";
import { endSessions, logIn } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const QUESTION = "Close without copying the key?";

async function openReveal(prepare?: (page: Page) => Promise<void>): Promise<{ page: Page; key: string }> {
  const page = await openKeys(site, await createSignedIn(site.worker.db));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await prepare?.(page);
  return { page, key: await generate(page, "Shown") };
}

function heading(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name }).waitFor();
}

/**
 * Leaves the page for another and comes back, so that the browser's Back has a target. The address changes before the
 * page does.
 */
async function viaReports(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Reports" }).first().click();
  await heading(page, "Reports");
  await page.getByRole("link", { name: "API Keys" }).first().click();
  await heading(page, "API Keys");
}

/** Whether closing the tab would prompt. */
function asksBeforeUnload(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('!window.dispatchEvent(new Event("beforeunload", { cancelable: true }))');
}

/** Disables the page's ways to use the clipboard. */
async function rejectClipboard(page: Page): Promise<void> {
  await page.evaluate(`
    navigator.clipboard.writeText = () => Promise.reject(new Error("rejected"));
    document.execCommand = () => false;
  `);
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate<string>("navigator.clipboard.readText()");
}

function question(page: Page) {
  return page.getByRole("alertdialog", { name: QUESTION });
}

/** One call like from a shell, for machines without curl. */
async function callAs(text: string): Promise<string> {
  const [, url = ""] = /curl -X POST (\S+)/.exec(text) ?? [];
  const headers = [...text.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = "", value = ""]) => [name, value]);
  const [, body = ""] = /-d '([^']+)'/.exec(text) ?? [];
  return (await fetch(url, { method: "POST", headers: Object.fromEntries(headers), body })).text();
}

test("before it is copied, a click outside does nothing, and Escape asks", async () => {
  const { page, key } = await openReveal();
  await page.mouse.click(5, 450);
  await page.mouse.click(700, 5);
  await expect.poll(() => reveal(page).isVisible()).toBe(true);
  await expect.poll(() => question(page).count()).toBe(0);
  // However often it is pressed, it only toggles the question.
  for (let time = 0; time < 2; time++) {
    await page.keyboard.press("Escape");
    await question(page).waitFor();
    await expect.poll(() => focused(page)).toBe("Back to the key");
    await page.mouse.click(5, 450);
    await expect.poll(() => question(page).isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await question(page).waitFor({ state: "detached" });
    await expect.poll(() => reveal(page).innerText()).toContain(key);
  }
  for (let time = 0; time < 5; time++) await page.keyboard.press("Escape");
  await expect.poll(() => reveal(page).innerText()).toContain(key);
  await expect.poll(() => page.getByRole("button", { name: "Close", exact: true }).count()).toBe(0);
});

test("only the first key sends a request by itself: one that replaces it comes with the command", async () => {
  const page = await openKeys(site, await createSignedIn(site.worker.db));
  await page.getByRole("region", { name: "Getting started" }).getByRole("button", { name: "Generate key" }).click();
  const first = reveal(page).getByRole("heading", { name: "Your first verified number" });
  await first.waitFor();
  await closeReveal(page);
  await page.getByRole("button", { name: /^Manage / }).click();
  await page.getByRole("button", { name: "Roll key…" }).click();
  await page.getByRole("button", { name: "Roll key", exact: true }).click();
  await reveal(page).getByRole("tab", { name: "With curl", selected: true }).waitFor();
  expect(await first.count()).toBe(0);
});

longTest("the browser's Back asks too", async () => {
  const { page } = await openReveal(viaReports);
  await expect.poll(() => asksBeforeUnload(page)).toBe(true);
  await page.evaluate("history.back()");
  await question(page).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/dashboard");
  await page.getByRole("button", { name: "Close without copying" }).click();
  await page.waitForURL("**/dashboard/reports");
  await heading(page, "Reports");
});

test("closing the tab prompts before a copy, and not after", async () => {
  const { page } = await openReveal();
  await expect.poll(() => asksBeforeUnload(page)).toBe(true);
  await page.getByRole("button", { name: "Copy API key" }).click();
  await toastText(page, "Copied");
  expect(await asksBeforeUnload(page)).toBe(false);
});

test("Copy puts exactly the key on the clipboard, says 'Copied', and then a click closes it", async () => {
  const { page, key } = await openReveal();
  await page.getByRole("button", { name: "Copy API key" }).click();
  await toastText(page, "Copied");
  await expect.poll(() => clipboard(page)).toBe(key);
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await reveal(page).waitFor({ state: "detached" });
  await expectForgotten(page, key);
});

longTest("a failed copy says no 'Copied' and leaves the key selected", async () => {
  const { page, key } = await openReveal(rejectClipboard);
  await page.getByRole("button", { name: "Copy API key" }).click();
  await toastText(page, "Couldn’t copy");
  await expect.poll(() => page.getByText("Copied", { exact: true }).count()).toBe(0);
  await expect.poll(() => page.evaluate("document.getSelection().toString()")).toBe(key);
  // Copying manually counts.
  await page.keyboard.press("ControlOrMeta+c");
  await expect.poll(() => clipboard(page)).toBe(key);
  await page.keyboard.press("Escape");
  await reveal(page).waitFor({ state: "detached" });
});

test("closed without a copy, nothing holds the key any more", async () => {
  const { page, key } = await openReveal();
  await page.getByRole("tab", { name: "Try it here" }).click();
  await reveal(page).getByRole("button", { name: "Send request" }).click();
  await reveal(page).getByText("200 OK").waitFor();
  await closeReveal(page);
  await expectForgotten(page, key);
  await page.reload();
  await heading(page, "API Keys");
  await expectForgotten(page, key);
});

describe("a session that ends while it is shown", () => {
  async function loseSession(prepare?: (page: Page) => Promise<void>) {
    site.expectProblem(/^answer 401/);
    const account = await createSignedIn(site.worker.db);
    const page = await openKeys(site, account);
    const key = await generate(page, "Shown");
    await prepare?.(page);
    await endSessions(site, page, account);
    return { page, key, account };
  }

  /** The next read with the session: the figures that a request with the key has changed. */
  async function notice(page: Page): Promise<void> {
    await page.getByRole("tab", { name: "Try it here" }).click();
    await reveal(page).getByRole("button", { name: "Send request" }).click();
    await page.waitForURL("**/login");
  }

  test("restores it after logging in again, until it is closed", async () => {
    const { page, key, account } = await loseSession();
    await notice(page);
    await page.getByText("Your session expired.").waitFor();
    expect(await page.content()).not.toContain(key);
    await logIn(page, account.email, PASSWORD);
    await page.waitForURL("**/dashboard");
    await reveal(page).waitFor();
    await expect.poll(() => reveal(page).locator("[data-api-key]").innerText()).toBe(key);
    await closeReveal(page);
    await expectForgotten(page, key);
    await page.getByRole("button", { name: "Log out" }).click();
    await logIn(page, account.email, PASSWORD);
    // By role, which it wouldn't have behind the dialog.
    await page.getByRole("row", { name: /^Shown/ }).waitFor();
    expect(await reveal(page).count()).toBe(0);
  });

  longTest("shows it to no other account", async () => {
    const { page, key } = await loseSession();
    const other = await createSignedIn(site.worker.db);
    await notice(page);
    await logIn(page, other.email, PASSWORD);
    await page.getByText("No test keys yet").waitFor();
    expect(await reveal(page).count()).toBe(0);
    await expectForgotten(page, key);
  });
});

test("removes it for good when another tab logs out", async () => {
  const account = await createSignedIn(site.worker.db);
  const page = await openKeys(site, account);
  const key = await generate(page, "Shown");
  const other = await page.context().newPage();
  await other.goto("/dashboard/settings");
  await other.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL("**/login");
  await expect.poll(() => page.getByText("Your session expired.").count()).toBe(0);
  await logIn(page, account.email, PASSWORD);
  await page.getByRole("row", { name: /^Shown/ }).waitFor();
  expect(await reveal(page).count()).toBe(0);
  await expectForgotten(page, key);
});

longTest("left by the browser's Back once it is copied, it does not come back", async () => {
  const { page, key } = await openReveal(viaReports);
  await page.getByRole("button", { name: "Copy API key" }).click();
  await toastText(page, "Copied");
  await page.goBack();
  await page.waitForURL("**/dashboard/reports");
  await heading(page, "Reports");
  await page.goForward();
  await page.getByRole("row", { name: /^Shown/ }).waitFor();
  expect(await reveal(page).count()).toBe(0);
  await expectForgotten(page, key);
});

describe("the curl command", () => {
  test("is copied by its own button, runs unchanged, and counts as a copy", async () => {
    const { page, key } = await openReveal();
    await page.getByRole("button", { name: "Copy request with curl" }).click();
    await toastText(page, "Copied");
    const command = await clipboard(page);
    expect(command).toBe(await page.getByRole("group", { name: "Request with curl" }).innerText());
    expect(command).toContain(`${site.origin}/api/v1/verify`);
    expect(command).toContain(key);
    const ran = await promisify(execFile)("sh", ["-c", command]).catch(() => null);
    expect(JSON.parse(ran?.stdout ?? "{}")).toMatchObject(ran ? { valid: true, status: "DELIVERED_TO_HANDSET" } : {});
    expect(JSON.parse(await callAs(command))).toMatchObject({ valid: true, country_code: "BR" });
    await page.getByRole("button", { name: "I’ve saved it" }).click();
    await reveal(page).waitFor({ state: "detached" });
  });
});

test("on a tablet, toasts leave a dialog's buttons free", async () => {
  const { page } = await openReveal((opened) => opened.setViewportSize({ width: 768, height: 480 }));
  await page.locator("[data-sonner-toast][data-mounted=true]").waitFor();
  await page.waitForTimeout(500);
  // A trial click: fails if anything is over the button.
  await page.getByRole("button", { name: "I’ve saved it" }).click({ trial: true, timeout: 2000 });
});
