import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { AccountExport } from "../../contract/export.ts";
import { users } from "../../schema.ts";
import { createSignedIn } from "../factories.ts";
import { sampleOf } from "../metered-isolates.ts";
import { partOf } from "../usage.ts";
import { setUsage } from "../notices.ts";
import { post } from "../requests.ts";
import { createDeveloper } from "./dashboard.usage.ts";
import { addKey, openDashboard } from "./signed-in.ts";
import { generateButton, openForm } from "./dashboard.keys-page.ts";
import { openSite } from "./site.ts";

const site = openSite();

async function hasFocus(control: Locator): Promise<boolean> {
  return (await control.and(control.page().locator(":focus")).count()) === 1;
}

function rows(page: Page) {
  return page.getByRole("table", { name: "Calls, newest first" }).locator("tr[data-call]");
}

/** Whether D1 knows yet that the account has a ledger. */
async function isMetered(userId: string): Promise<boolean> {
  return (await site.worker.db.select().from(users).where(eq(users.id, userId)).get())?.meteredAt !== null;
}

/** Adds a key's calls to the account's activity, one second apart; every third one was out of quota. */
async function storeCalls(userId: string, keyId: string, count: number): Promise<void> {
  const now = Date.now();
  const activity = Array.from({ length: count }, (_, at) => {
    const outcome = at % 3 === 0 ? { status: 402, code: "QUOTA_EXCEEDED" } : {};
    return sampleOf(now - at * 1_000, { ...outcome, request_id: `req_stored${at}`, key_id: keyId, duration_ms: 4 });
  });
  const limited = [{ minute: Math.floor(now / 60_000), calls: 12 }];
  await site.worker.env.LEDGER.getByName(userId).record(partOf(userId, [], { activity, limited }));
}

test("a call shows without a reload, with the reason if it was rejected, and without its number", async () => {
  const { token, keys } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, "/dashboard/activity");
  await page.getByRole("heading", { name: "No calls yet" }).waitFor();
  await site.fetch("/api/v1/verify", post(keys.test, { number: "+12025550106" }));
  await rows(page).first().waitFor({ timeout: 20_000 });
  const text = await rows(page).first().innerText();
  expect(text).toContain("400");
  const link = rows(page).first().getByRole("link");
  await expect.poll(() => link.getAttribute("href")).toBe("/docs/sandbox");
  // The whole row opens its details.
  await rows(page).first().click();
  const details = page.getByRole("dialog", { name: "Call details" });
  await details.getByText("verification failed: Network is forbidden (code: 6)").waitFor();
  await details.getByText(/^req_\w{10,}$/).waitFor();
  await details.getByText("Opens with the sandbox number that returns this error.").waitFor();
  const docs = details.getByRole("link", { name: "Read more in the docs" });
  await expect.poll(() => docs.getAttribute("href")).toBe("/docs/sandbox");
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  expect(
    await hasFocus(
      rows(page)
        .first()
        .getByRole("button", { name: /details$/ }),
    ),
  ).toBe(true);
  expect(await page.locator("body").innerText()).not.toContain("2025550106");
  await page.getByText("1 call · 1 error · p95").waitFor();
  const zone = await page.evaluate<string>("Intl.DateTimeFormat().resolvedOptions().timeZone");
  await page.getByText(`Times in ${zone.replaceAll("_", " ")}`).waitFor();
  expect(await page.locator("[data-sparkline]").count()).toBe(0);
  // An error of the sandbox can be had again.
  await rows(page).first().click();
  await details.getByRole("link", { name: "Open in Try it" }).click();
  await page.waitForURL("**/dashboard#try");
  await expect.poll(() => page.getByLabel("Number to send").inputValue()).toBe("+12025550106");
});

test("calls are filtered by response and key, found by request ID, and older ones are shown on request", async () => {
  const { id, token } = await createSignedIn(site.worker.db);
  const key = await addKey(site, { id, token, email: "" }, "live", "Shop");
  await storeCalls(id, key.id, 130);
  await expect.poll(() => isMetered(id)).toBe(true);
  const page = await openDashboard(site, { token }, "/dashboard/activity");
  await expect.poll(() => rows(page).count()).toBe(50);
  await page.getByText("50 calls · 17 errors · p95 4 ms").waitFor();
  expect(await page.locator("[data-sparkline] rect").count()).toBeGreaterThan(48);
  await page.getByText("At least 12 calls exceeded a rate limit").waitFor();
  // Under the day they were made, once.
  const day = new Date().toLocaleDateString("en-US", { dateStyle: "medium" });
  await expect.poll(() => page.getByRole("rowheader", { name: day, exact: true }).count()).toBe(1);
  await page.getByRole("button", { name: "Show older calls" }).click();
  await expect.poll(() => rows(page).count()).toBe(100);
  await page.getByRole("button", { name: "Show older calls" }).click();
  await expect.poll(() => rows(page).count()).toBe(130);
  await page.getByLabel("Response").focus();
  await page.getByLabel("Response").selectOption("402");
  await expect.poll(() => rows(page).count()).toBe(44);
  const link = rows(page).first().getByRole("link", { name: "QUOTA_EXCEEDED" });
  expect(await link.getAttribute("href")).toBe("/docs/errors#error-quota_exceeded");
  expect(await hasFocus(page.getByLabel("Response"))).toBe(true);
  // Beside the list: what the error means, how to fix it, and what Try it can't know.
  await rows(page).first().click();
  const details = page.getByRole("dialog", { name: "Call details" });
  await details.getByRole("heading", { name: "How to fix it" }).waitFor();
  await details.getByText("We don’t store numbers, so this opens with a sample.").waitFor();
  const more = details.getByRole("link", { name: "Read more in the docs" });
  await expect.poll(() => more.getAttribute("href")).toBe("/docs/errors#error-quota_exceeded");
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  await page.getByLabel("Response").focus();
  // A request is found regardless of the other filters: 7 succeeded. The focus stays in place.
  const request = page.getByRole("textbox", { name: "Request ID" });
  await request.fill("req_stored7");
  await request.press("Enter");
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(new URL(page.url()).search).toBe("?request=req_stored7");
  expect(await page.getByLabel("Response").inputValue()).toBe("");
  expect(await hasFocus(request)).toBe(true);
  await request.press("ControlOrMeta+A");
  await request.press("Delete");
  await expect.poll(() => rows(page).count()).toBe(130);
  expect(await hasFocus(request)).toBe(true);
  await request.fill("req_stored7");
  await request.press("Enter");
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByLabel("Response").selectOption("402");
  await expect.poll(() => rows(page).count()).toBe(44);
  expect(await request.inputValue()).toBe("");
  await page.goBack();
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(await request.inputValue()).toBe("req_stored7");
  await page.reload();
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(await rows(page).first().innerText()).toContain(`Shop (…${key.hint})`);
  await page.goto("/dashboard/activity?request=req_unknown");
  await page.getByRole("heading", { name: "No call with this request ID" }).waitFor();
  expect(await page.getByText(/exceeded a rate limit/).count()).toBe(0);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => rows(page).count()).toBe(50);
  expect(await hasFocus(page.getByRole("heading", { name: "Activity" }))).toBe(true);
});

test("older calls of the last hour stay when the minute is over, and the list moves on otherwise", async () => {
  const { id, token } = await createSignedIn(site.worker.db);
  const key = await addKey(site, { id, token, email: "" }, "live", "Shop");
  await storeCalls(id, key.id, 110);
  await expect.poll(() => isMetered(id)).toBe(true);
  const page = await openDashboard(site, { token }, "/dashboard");
  await page.clock.install();
  const begins = new Set<string | null>();
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith("/account/activity")) begins.add(url.searchParams.get("from"));
  });
  await page.goto("/dashboard/activity?period=1h");
  await expect.poll(() => rows(page).count()).toBe(50);
  expect(begins.size).toBe(1);
  await page.clock.runFor("01:01");
  await expect.poll(() => begins.size).toBe(2);
  await expect.poll(() => rows(page).count()).toBe(50);
  await page.getByRole("button", { name: "Show older calls" }).click();
  await expect.poll(() => rows(page).count()).toBe(100);
  const before = begins.size;
  await page.clock.runFor("02:01");
  await page.waitForTimeout(200);
  expect(await rows(page).count()).toBe(100);
  expect(begins.size).toBe(before);
  // Another filter uses the last hour as of then.
  await page.getByLabel("Response").selectOption("402");
  await expect.poll(() => begins.size).toBe(before + 1);
});

test("it says when the activity cannot be loaded, does not hide that by another attempt, and reads it again", async () => {
  const { token } = await createSignedIn(site.worker.db);
  let fails = true;
  site.expectProblem(/answer 400: .*activity/);
  const page = await openDashboard(site, { token }, "/dashboard");
  let requests = 0;
  await page.route("**/api/v1/account/activity*", (route) => {
    requests += 1;
    return fails
      ? route.fulfill({ status: 400, json: { error: "Not now.", code: "VALIDATION_FAILED" } })
      : route.continue();
  });
  await page.getByRole("link", { name: "Activity" }).click();
  await page.clock.install();
  await page.getByText("Couldn’t load activity").waitFor();
  await page.clock.runFor(11_000);
  expect(requests).toBe(1);
  fails = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "No calls yet" }).waitFor();
});

test("a key gets an expiry and a cap, is renamed, and is rolled to a new one", async () => {
  const account = await createSignedIn(site.worker.db);
  const old = await addKey(site, account, "live", "Shop");
  const page = await openDashboard(site, account, "/dashboard");
  await page.getByRole("complementary").getByRole("radio", { name: "Live", exact: true }).click({ force: true });
  await page.getByRole("button", { name: /^Manage Shop/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Manage (Web s|S)hop$/ });
  await dialog.getByLabel("Monthly cap").fill("many");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByText("Must be a whole number from 1 to 1,000,000,000").waitFor();
  await dialog.getByLabel("Monthly cap").fill("5,000");
  await dialog.getByLabel("Name").fill("Web shop");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("0 / 5,000 this month").filter({ visible: true }).waitFor();
  // Only changes are sent, and nothing if there are none.
  const sent: unknown[] = [];
  page.on("request", (each) => {
    if (each.method() === "PATCH") sent.push(each.postDataJSON());
  });
  await page.getByRole("button", { name: /^Manage / }).click();
  await expect.poll(() => dialog.getByRole("button", { name: "Save changes" }).isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  for (const name of ["Shop", "Web shop"]) {
    await page.getByRole("button", { name: /^Manage / }).click();
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: `Manage ${name}` }).waitFor();
  }
  await page.getByRole("button", { name: /^Manage Web shop/ }).click();
  await dialog.getByLabel("Monthly cap").fill("6000");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("0 / 6,000 this month").filter({ visible: true }).waitFor();
  expect(sent).toStrictEqual([{ name: "Shop" }, { name: "Web shop" }, { monthly_cap: 6_000 }]);
  await page.getByRole("button", { name: /^Manage Web shop/ }).click();
  await dialog.getByRole("button", { name: "Roll key…" }).click();
  const roll = page.getByRole("dialog", { name: "Roll Web shop" });
  await roll.getByText("Never used, 0 numbers today (UTC)").waitFor();
  expect(await hasFocus(roll.getByLabel("Keep the old key working"))).toBe(true);
  await roll.getByLabel("Keep the old key working").selectOption("72");
  await roll.getByRole("button", { name: "Roll key" }).click();
  const reveal = page.getByRole("dialog", { name: "Your new API key" });
  const key = await reveal.locator("[data-api-key]").innerText();
  expect(key).toMatch(/^ch_live_/);
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await page.getByText("Rolled", { exact: true }).filter({ visible: true }).waitFor();
  await page
    .getByText(/^Works until \w{3} \d+, \d+:\d\d/)
    .filter({ visible: true })
    .waitFor();
  await page.getByText("1 of 10").waitFor();
  for (const each of [old.apiKey, key]) {
    const { status } = await site.fetch("/api/v1/account/quota", { headers: { Authorization: `Bearer ${each}` } });
    expect(status).toBe(200);
  }
  await openForm(page);
  await page.getByLabel("Expires").selectOption({ label: "In 30 days" });
  await page.getByLabel("Monthly cap").fill("10");
  await generateButton(page).click();
  await reveal.waitFor();
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await page.getByText("0 / 10 this month").filter({ visible: true }).waitFor();
});

test("a phone folds the filters away until they are asked for", async () => {
  const account = await createSignedIn(site.worker.db);
  const key = await addKey(site, account, "live", "Shop");
  await storeCalls(account.id, key.id, 12);
  await expect.poll(() => isMetered(account.id)).toBe(true);
  const page = await openDashboard(site, account, "/dashboard/activity", { width: 375 });
  await expect.poll(() => rows(page).count()).toBe(12);
  const filters = page.getByRole("form", { name: "Filters" });
  await expect.poll(() => filters.count()).toBe(0);
  await page.getByRole("button", { name: "Filters", expanded: false }).click();
  await filters.waitFor();
});

test("a low quota is announced, with whom to ask for more", async () => {
  const account = await createSignedIn(site.worker.db);
  await setUsage(site.worker, account.id, 850);
  const page = await openDashboard(site, account, "/dashboard/settings/subscription");
  const low = page.getByRole("region", { name: "Quota running low" });
  await low.getByText("150 live verifications left").waitFor();
  await low.getByRole("link", { name: "Email us for more" }).waitFor();
});

test("the meter turns red when nothing is left, and links to the subscription", async () => {
  const account = await createSignedIn(site.worker.db);
  await setUsage(site.worker, account.id, 1_000);
  const page = await openDashboard(site, account, "/dashboard");
  // Test keys still work.
  await page.getByText("No test keys yet").waitFor();
  const notice = page.getByRole("region", { name: "Quota used up" });
  await expect.poll(() => notice.count()).toBe(0);
  await page.getByRole("complementary").getByRole("radio", { name: "Live", exact: true }).click({ force: true });
  await notice.getByText("You’ve used all 1,000 successful live verifications.").waitFor();
  const meter = page.locator("[data-level=empty]").filter({ visible: true });
  await expect.poll(() => meter.innerText()).toContain("1,000 of 1,000 used: live calls fail");
  await meter.click();
  await page.getByRole("heading", { name: "Subscription" }).first().waitFor();
  await notice.getByText("Pro isn’t available yet, so email us if you need more.").waitFor();
});

test("everything stored about the account can be saved as a file", async () => {
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account, "test", "Laptop");
  const page = await openDashboard(site, account, "/dashboard/settings");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export my data" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^checkline-account-\d{4}-\d\d-\d\d\.json$/);
  const exported = JSON.parse(await readFile(await download.path(), "utf8")) as AccountExport;
  expect(exported.account.email).toBe(account.email);
  expect(exported.api_keys).toMatchObject([{ name: "Laptop", revoked_at: null }]);
});
