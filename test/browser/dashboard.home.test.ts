import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { DASHBOARD_KEY_ID } from "../../contract/keys.ts";
import { createSignedIn } from "../factories.ts";
import { sampleOf } from "../metered-isolates.ts";
import { partOf } from "../usage.ts";
import { addKey, atRest, openDashboard, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();

/** An account with a test key, 12 verifications, and four calls of it, two of which failed; the last is the dashboard's. */
async function createBusy() {
  const account = await createSignedIn(site.worker.db);
  const { id: key_id } = await addKey(site, account);
  await storeUsage(site, account, [
    { country: "BR", count: 8 },
    { country: "BR", count: 4, ago: 13 },
    { country: "BR", count: 200, mode: "live" },
  ]);
  const now = Date.now();
  const failed = { status: 400, code: "VALIDATION_FAILED" };
  const activity = [
    { key_id: DASHBOARD_KEY_ID, operation: "verifyInSandbox", duration_ms: 7 },
    { key_id, ...failed },
    { key_id, ...failed, duration_ms: 41 },
    { key_id, status: 400, code: "REJECTED_NETWORK" },
  ].map((call, at) => sampleOf(now - (at + 1) * 60_000, { ...call, mode: "test" }));
  await site.worker.env.LEDGER.getByName(account.id).record(partOf(account.id, [], { activity }));
  return account;
}

function strip(page: Page) {
  return page.getByRole("main").getByRole("region", { name: "Recent use" });
}

test("the home shows the last days and calls at a glance, from one request, with the key's button in sight", async () => {
  const page = await openDashboard(site, await createBusy(), "/dashboard", { width: 1280, height: 665 });
  await atRest(page);
  const summaries: string[] = [];
  page.on("request", (request) => {
    if (/\/account\/(activity|reports)/.test(request.url())) summaries.push(new URL(request.url()).pathname);
  });
  await page.reload();
  await strip(page).getByText("12 verifications", { exact: true }).waitFor();
  await strip(page).getByText("Top error, 2 calls").waitFor();
  await expect
    .poll(() => strip(page).getByRole("link", { name: "VALIDATION_FAILED" }).getAttribute("href"))
    .toBe("/docs/errors#error-validation_failed");
  await strip(page).getByText("which lists each invalid field").waitFor();
  await strip(page).getByText("41 ms").waitFor();
  await strip(page).getByText("4 sampled calls").waitFor();
  await strip(page).getByText("800 left").waitFor();
  // One of the mode, and the checklist's of both.
  expect(summaries).toStrictEqual(["/api/v1/account/reports/summary", "/api/v1/account/reports/summary"]);
  const calls = page.getByRole("region", { name: "Last calls" }).locator("[data-call]");
  await expect.poll(() => calls.count()).toBe(4);
  expect(await calls.first().innerText()).toContain("Try it");
  const button = (await page.locator("[data-generate]").boundingBox())!;
  expect(button.y + button.height).toBeLessThan(665);
  for (const width of [1280, 768, 375]) {
    await page.setViewportSize({ width, height: 812 });
    expect((await strip(page).boundingBox())!.height).toBeLessThanOrEqual(160);
  }
});

test("an account without calls sees the steps to its first one, and no figures about calls", async () => {
  const account = await createSignedIn(site.worker.db, { subscription: "none" });
  const page = await openDashboard(site, account);
  await page.getByRole("region", { name: "Getting started" }).waitFor();
  await page.getByText("All time, test mode.", { exact: true }).waitFor();
  expect(await strip(page).count()).toBe(0);
  expect(await page.getByRole("region", { name: "Last calls" }).count()).toBe(0);
  for (const [path, effect] of [
    ["reports", "draws this chart"],
    ["activity", "appears here"],
  ]) {
    await page.goto(`/dashboard/${path}`);
    await page.getByText(`Start the trial, then your first call ${effect}.`).waitFor();
    expect(await page.getByRole("group", { name: "Request with curl" }).count()).toBe(0);
    // The one next step.
    expect(await page.getByRole("main").getByRole("link", { name: "Try it" }).count()).toBe(0);
    await page.getByRole("button", { name: "Activate Free Trial" }).waitFor();
  }
});

test("every page says which mode it shows", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db));
  for (const [path, mode] of [
    ["/dashboard", "Test mode"],
    ["/dashboard/reports", "Test mode"],
    ["/dashboard/reports?mode=both", "Both modes"],
    ["/dashboard/activity", "Both modes"],
    ["/dashboard/bulk", "Live mode"],
    ["/dashboard/settings", "Test mode"],
  ]) {
    await page.goto(path!);
    await page.getByRole("banner").getByText(mode!, { exact: true }).waitFor();
  }
});
