import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { apiKeys } from "../../schema.ts";
import { PATHS } from "../../web/pages.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { setUsage } from "../notices.ts";
import { sampleOf } from "../metered-isolates.ts";
import { partOf } from "../usage.ts";
import { complaints, CUT_OFF, fillIn } from "./auth.ts";
import { CALLS, choose, fillIn as fillInNumbers, phase, start } from "./dashboard.bulk-page.ts";
import { generate, openForm, openTry, reveal } from "./dashboard.keys-page.ts";
import { flawsOf } from "./looks.ts";
import { addKey, atRest, openDashboard, signedInPage, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const PAGES = PATHS.filter((path) => path.startsWith("/dashboard"));
const SETTINGS = "/dashboard/settings";
const SECURITY = "/dashboard/settings/security";
const LONG_NAME = "Checkout service of the production cluster in Frankfurt";
const UNBROKEN = "W".repeat(100);

/** An account with long names, much usage, and little quota. */
async function createBusy(): Promise<SignedIn> {
  const account = await createSignedIn(site.worker.db);
  const key = await addKey(site, account, "test", LONG_NAME);
  await addKey(site, account, "test", UNBROKEN);
  await addKey(site, account, "test", "Old");
  const { db } = site.worker;
  await db
    .update(apiKeys)
    .set({ monthlyCap: 10_000, expiresAt: Date.now() + 86_400_000, createdFrom: "Firefox on Linux, Germany" })
    .where(eq(apiKeys.id, key.id));
  await db
    .update(apiKeys)
    .set({ expiresAt: Date.now() - 1000 })
    .where(eq(apiKeys.name, "Old"));
  await storeUsage(site, account, [
    { country: "VC", count: 1_234_567 },
    { country: "US", count: 250_000, ago: 1 },
    { country: "US", count: 98_765, outcome: "failure", ago: 1 },
  ]);
  await setUsage(site.worker, account.id, 990);
  const activity = Array.from({ length: 3 }, (_, at) => {
    const call = { request_id: `req_0198fa3c7e2b7c0da1f${at}`, key_id: key.id, country: "VC", duration_ms: 12_345 };
    return sampleOf(Date.now() - at * 1000, { ...call, status: 503, code: "TEMPORARILY_UNAVAILABLE" });
  });
  await site.worker.env.LEDGER.getByName(account.id).record(partOf(account.id, [], { activity }));
  return account;
}

async function openBusy(path: string, width = 1280): Promise<Page> {
  const page = await openDashboard(site, await createBusy(), path, { width });
  await atRest(page);
  return page;
}

/** Opens a page of an account without keys. */
async function openNew(path = "/dashboard", subscription: "active" | "none" | "expired" = "active"): Promise<Page> {
  const page = await openDashboard(site, await createSignedIn(site.worker.db, { subscription }), path);
  await atRest(page);
  return page;
}

/** Waits for a dialog. */
async function dialog(page: Page, name: string, role: "dialog" | "alertdialog" = "dialog"): Promise<Page> {
  await page.getByRole(role, { name }).waitFor();
  return page;
}

/** Opens a list to verify, with conditions, and rows that can't be read. */
async function openList(): Promise<Page> {
  const page = await openNew("/dashboard/bulk");
  await choose(page, "contacts.csv", "name,phone,country\nAna,+5511987654321,BR\nBob,+1202,Grmany\nCy,4.15556E+11,\n");
  await page.getByRole("button", { name: "Verify 2 numbers" }).waitFor();
  await page.getByText("Add conditions").click();
  return page;
}

/** A page's look with something open, filled in, or responded to. */
const STATES: Readonly<Record<string, () => Promise<Page>>> = {
  "an account before its trial": () => openNew("/dashboard", "none"),
  "an account after its trial": () => openNew("/dashboard/settings/subscription", "expired"),
  "a report of nothing": () => openNew("/dashboard/reports"),
  async "keys and stats on their way"() {
    const page = await signedInPage(site, (await createSignedIn(site.worker.db)).token);
    await page.route(/\/account\/(api-keys|reports)/, () => {});
    await page.goto("/dashboard");
    await page.locator(".animate-pulse").first().waitFor();
    return page;
  },
  async "keys and stats that can't be loaded"() {
    site.expectProblem(CUT_OFF);
    const page = await signedInPage(site, (await createSignedIn(site.worker.db)).token);
    await page.route(/\/account\/(api-keys|reports)/, (route) => route.abort("connectionrefused"));
    await page.goto("/dashboard");
    await page.getByText("Couldn’t load countries.").waitFor();
    return page;
  },
  async "expired keys"() {
    const page = await openBusy("/dashboard");
    await page.getByRole("button", { name: "Show 1 expired key", expanded: false }).click();
    return page;
  },
  async "a key to manage"() {
    const page = await openBusy("/dashboard");
    await page.getByRole("button", { name: `Manage ${LONG_NAME}` }).click();
    return dialog(page, `Manage ${LONG_NAME}`);
  },
  async "a key that can't be revoked"() {
    site.expectProblem(/^answer 503: .*\/account\/api-keys\//);
    const page = await openBusy("/dashboard");
    const json = { error: "The service is temporarily unavailable.", code: "TEMPORARILY_UNAVAILABLE" };
    await page.route("**/api/v1/account/api-keys/*", (route) => route.fulfill({ status: 503, json }));
    await page.getByRole("button", { name: `Revoke ${LONG_NAME}` }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByRole("alertdialog").getByRole("alert").getByText(json.error).waitFor();
    return page;
  },
  async "a number that was tried"() {
    const page = await openNew();
    await openTry(page);
    await page.getByText("Use a specific key").click();
    await page.getByText("Add conditions").click();
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("Paste a key first").waitFor();
    await page.getByText("Use a specific key").click();
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("200 OK").waitFor();
    return page;
  },
  async "a new key, which was tried"() {
    const page = await openNew();
    await generate(page, UNBROKEN);
    await page.getByRole("tab", { name: "Try it here" }).click();
    await reveal(page).getByRole("button", { name: "Send request" }).click();
    await reveal(page).getByText("200 OK").waitFor();
    return page;
  },
  async "a new key about to be lost"() {
    const page = await openNew();
    await openForm(page);
    await generate(page);
    await page.keyboard.press("Escape");
    return dialog(page, "Close without copying the key?", "alertdialog");
  },
  async "the search"() {
    const page = await openBusy("/dashboard/reports");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump to" }).fill("sub");
    await page.getByRole("group", { name: "Docs" }).getByRole("option").first().waitFor();
    return page;
  },
  async "a report as a table"() {
    const page = await openBusy("/dashboard/reports?days=90&mode=both");
    await page.getByRole("main").getByRole("radio", { name: "Table", exact: true }).click({ force: true });
    await page.locator("[data-chart]").waitFor({ state: "detached" });
    return page;
  },
  async "a call's details"() {
    const page = await openBusy("/dashboard/activity");
    await page.locator("tr[data-call]").first().click();
    return dialog(page, "Call details");
  },
  "a list to verify": openList,
  async "a check that was stopped"() {
    site.expectProblem(/^answer 403: .*\/account\/verify/);
    const page = await openList();
    const json = { error: "This account has been suspended.", code: "OTHER" };
    await page.route(CALLS, (route) => route.fulfill({ status: 403, json }));
    await start(page);
    await phase(page, "stopped");
    return page;
  },
  async "a check under way in another tab"() {
    const page = await openNew("/dashboard/bulk");
    await page.route(CALLS, () => {});
    await fillInNumbers(page, ["+5511987654321"]);
    await start(page);
    await phase(page, "running");
    const other = await page.context().newPage();
    await other.emulateMedia({ reducedMotion: "reduce" });
    await other.goto("/dashboard/bulk");
    await other.getByRole("heading", { name: "Open in another tab" }).waitFor();
    return other;
  },
  async "a check that is done"() {
    const page = await openNew("/dashboard/bulk");
    await fillInNumbers(page, ["+5511987654321", "x".repeat(60), "+1202", ""]);
    await start(page);
    await phase(page, "done");
    return page;
  },
  async "a mistake in a name"() {
    const page = await openNew(SETTINGS);
    await page.getByRole("button", { name: "Edit name" }).click();
    await fillIn(page, { name: " " });
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => complaints(page)).toHaveProperty("name");
    return page;
  },
  async "an account to delete"() {
    const page = await openNew(SETTINGS);
    await page.getByRole("button", { name: "Delete account" }).click();
    return dialog(page, "Delete your account?", "alertdialog");
  },
  async "a larger plan"() {
    const page = await openNew("/dashboard/settings/subscription");
    await page.getByRole("button", { name: "Upgrade to Pro" }).click();
    return dialog(page, "Pro is coming soon");
  },
  async "mistakes in a new password"() {
    const page = await openNew(SECURITY);
    await page.getByRole("button", { name: "Change password" }).click();
    await expect.poll(() => complaints(page)).toHaveProperty("new_password");
    return page;
  },
  async "the password asked for again"() {
    site.expectProblem(/^answer 403: .*\/account\/sessions$/);
    const { id } = await createSignedIn(site.worker.db);
    const stale = await createSession(site.worker.db, id, { passwordAt: Date.now() - 11 * 60_000 });
    const page = await openDashboard(site, stale, SECURITY);
    await page.getByRole("button", { name: "Log out all other sessions" }).click();
    return dialog(page, "Enter your password", "alertdialog");
  },
  async "an authenticator app to set up"() {
    const page = await openNew(SECURITY);
    await page.getByRole("button", { name: "Set up" }).click();
    return dialog(page, "Set up an authenticator app");
  },
  async "recovery codes"() {
    const page = await openNew(SECURITY);
    await page.getByRole("button", { name: "Set up" }).click();
    const setup = page.getByRole("dialog", { name: "Set up an authenticator app" });
    const secret = Secret.fromBase32((await setup.locator("code").innerText()).replaceAll(/\s/g, ""));
    await setup.getByLabel("Code", { exact: true }).fill(new TOTP({ secret }).generate());
    return dialog(page, "Save your recovery codes");
  },
  async "keys to review"() {
    const account = await createBusy();
    const page = await openDashboard(site, account, SECURITY);
    await fillIn(page, {
      old_password: PASSWORD,
      new_password: "another password",
      confirm_password: "another password",
    });
    await page.getByRole("button", { name: "Change password" }).click();
    return dialog(page, "Review your API keys", "alertdialog");
  },
};

test.each(PAGES)("%s fits every window, and has no axe findings", async (path) => {
  expect(await flawsOf(await openBusy(path))).toStrictEqual([]);
});

test.each(Object.keys(STATES))("so does %s", async (state) => {
  expect(await flawsOf(await STATES[state]!())).toStrictEqual([]);
});

test("so does the navigation of a phone", async () => {
  const page = await openBusy(SETTINGS, 375);
  await page.getByRole("button", { name: "Open navigation" }).press("Enter");
  expect(await flawsOf(await dialog(page, "Navigation"), "phone")).toStrictEqual([]);
});
