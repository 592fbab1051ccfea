import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createSignedIn } from "../factories.ts";
import { longTest } from "../long.ts";
import { createDeveloper, downloadBy, reportOf, verifyAll, waitForUsage } from "./dashboard.usage.ts";
import type { Developer } from "./dashboard.usage.ts";
import { openDashboard, signedInPage, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();

/**
 * Real calls today with both keys, and earlier days. Live: 6, of which 4 succeed; test: 2, of which 1; before: 20, 300.
 */
async function createBusy(): Promise<Developer> {
  const developer = await createDeveloper(site);
  const { keys, token } = developer;
  await storeUsage(site, developer, [
    { ago: 10, mode: "live", country: "DE", count: 20 },
    { ago: 60, mode: "live", country: "ZZ", outcome: "failure", count: 300 },
  ]);
  await verifyAll(site, keys.live, [
    "+5511987654321",
    "+5511987654322",
    "+442079460018",
    "+33612345678",
    "+1202",
    "no",
  ]);
  await verifyAll(site, keys.test, ["+5511987654321", "+12025550106"]);
  await waitForUsage(site, token, 328);
  return developer;
}

function figure(page: Page, name: string) {
  return page.getByRole("region", { name: /^Figures, / }).locator(`div:has(> dt:text-is("${name}")) dd`);
}

async function figures(page: Page): Promise<(string | null)[]> {
  return Promise.all(
    ["Total", "Valid", "Invalid", "Valid rate"].map((name) => figure(page, name).first().textContent()),
  );
}

async function shows(page: Page, total: string): Promise<void> {
  await figure(page, "Total").getByText(total, { exact: true }).waitFor();
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("main").getByRole("radio", { name, exact: true }).click({ force: true });
}

function bars(page: Page) {
  return page.locator("[data-chart] svg [data-day]");
}

test("the figures, the chart and the countries are those of the report", async () => {
  const { token } = await createBusy();
  const page = await openDashboard(site, { token }, "/dashboard/reports?mode=both");
  await shows(page, "28");
  const report = await reportOf(site, token, "days=28");
  await expect.poll(() => figures(page)).toStrictEqual(["28", "25", "3", "89.3%"]);
  await bars(page).first().waitFor();
  await expect.poll(() => bars(page).count()).toBe(report.days.filter((day) => day.total > 0).length);
  const countries = page.getByRole("table", { name: "Verifications by country" }).locator("tbody tr:visible");
  expect(await countries.count()).toBe(5);
  await page.emulateMedia({ media: "print" });
  await page.getByText("Test and live verifications", { exact: true }).waitFor();
  expect(await countries.count()).toBe(6);
  expect(await page.locator("fieldset:visible, button:visible").count()).toBe(0);
  await page.emulateMedia({ media: "screen" });
  // The numbers of unknown countries have a row, and are no country.
  await page.getByRole("button", { name: "Show all 5 countries" }).click();
  const rows = await page.getByRole("table", { name: "Verifications by country" }).locator("tbody tr").allInnerTexts();
  expect(rows.map((row) => row.split(/\s*[\t\n]\s*/).filter(Boolean))).toStrictEqual([
    ["DE", "Germany", "20", "20", "0", "100.0%"],
    ["BR", "Brazil", "3", "3", "0", "100.0%"],
    ["–", "Unknown", "2", "0", "2", "0.0%"],
    ["FR", "France", "1", "1", "0", "100.0%"],
    ["GB", "United Kingdom", "1", "1", "0", "100.0%"],
    ["US", "United States", "1", "0", "1", "0.0%"],
  ]);
});

test("keys have their own rows, and one can be shown alone and saved as a file", async () => {
  const { token } = await createBusy();
  const page = await openDashboard(site, { token }, "/dashboard/reports?days=7&mode=both");
  await shows(page, "8");
  const keys = page.getByRole("table", { name: "Verifications by key" }).locator("tbody tr");
  const rows = (await keys.allInnerTexts()).map((row) => row.split(/\s*[\t\n]\s*/).filter(Boolean));
  expect(rows).toStrictEqual([
    ["Stored", "live", "6", "4", "2", "66.7%"],
    ["Stored", "test", "2", "1", "1", "50.0%"],
  ]);
  const csv = await downloadBy(page, "CSV by key");
  expect(csv.name).toMatch(/^checkline-usage-by-key-\d{4}/);
  expect(csv.text.split("\r\n")[0]).toBe("date,key_id,key_name,total,successful,failed");
  expect(csv.text.trim().split("\r\n")).toHaveLength(3);
  await choose(page, "Live");
  await shows(page, "6");
  await page.getByLabel("Key", { exact: true }).selectOption({ index: 1 });
  await expect.poll(() => new URL(page.url()).search).toMatch(/^\?days=7&key=key_\w+$/);
  await expect.poll(() => keys.count()).toBe(1);
  await shows(page, "6");
});

test("period and keys can be chosen, are in the address, and survive reload and back", async () => {
  const { token } = await createBusy();
  const page = await openDashboard(site, { token }, "/dashboard/reports");
  await shows(page, "2");
  await choose(page, "Live");
  await shows(page, "26");
  await choose(page, "13 weeks");
  await shows(page, "326");
  await expect.poll(() => new URL(page.url()).search).toBe("?days=91");
  await choose(page, "1 week");
  await shows(page, "6");
  await choose(page, "Both");
  await shows(page, "8");
  await expect.poll(() => new URL(page.url()).search).toBe("?days=7&mode=both");
  await page.reload();
  await shows(page, "8");
  await page.goBack();
  await shows(page, "6");
  await page.goBack();
  await shows(page, "326");
  // There is no other control of the mode.
  await expect.poll(() => page.getByRole("radio", { name: "Test", exact: true }).count()).toBe(1);
});

test("another period's figures replace the old ones, which stay until then", async () => {
  const account = await createSignedIn(site.worker.db);
  await storeUsage(site, account, [
    { country: "BR", count: 3 },
    { ago: 60, country: "BR", count: 30 },
  ]);
  const page = await openDashboard(site, account, "/dashboard/reports");
  await shows(page, "3");
  const release = Promise.withResolvers<void>();
  await page.route("**/reports/usage?days=91*", async (route) => {
    await release.promise;
    await route.continue();
  });
  await choose(page, "13 weeks");
  await page.locator("main [aria-busy=true]", { has: figure(page, "Total").getByText("3", { exact: true }) }).waitFor();
  release.resolve();
  await shows(page, "33");
  await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
});

longTest("the same figures are in a table, hidden beside the chart or shown in its place", async () => {
  const { token } = await createBusy();
  const page = await openDashboard(site, { token }, "/dashboard/reports?days=91&mode=both");
  const table = page.getByRole("table", { name: /^Verifications by day/ });
  const { days } = await reportOf(site, token, "days=91");
  await bars(page).first().waitFor();
  const numbers = async () =>
    (await table.locator("tbody tr").allInnerTexts()).map((row) =>
      row
        .split(/[\t\n]+/)
        .slice(1, 4)
        .map(Number),
    );
  const expected = days.toReversed().map((day) => [day.total, day.successful, day.total - day.successful]);
  await expect.poll(() => numbers()).toStrictEqual(expected);
  await choose(page, "Table");
  await page.locator("[data-chart]").waitFor({ state: "detached" });
  await expect.poll(() => numbers()).toStrictEqual(expected);
});

test("the CSV file has the chosen days, and its name includes them", async () => {
  const { token } = await createBusy();
  const page = await openDashboard(site, { token }, "/dashboard/reports?days=7");
  await choose(page, "Live");
  await shows(page, "6");
  const { days } = await reportOf(site, token, "days=7&mode=live");
  const { name, text } = await downloadBy(page, "Download CSV");
  expect(name).toBe(`checkline-usage-live-${days[0]?.date}-to-${days.at(-1)?.date}.csv`);
  const lines = days.map((day) => `${day.date},${day.total},${day.successful},${day.total - day.successful}`);
  expect(text).toBe(["date,total,successful,failed", ...lines, ""].join("\r\n"));
});

longTest("a verification appears when the page is looked at again", async () => {
  const { token, keys } = await createBusy();
  const page = await openDashboard(site, { token }, "/dashboard/reports?days=7&mode=both");
  await shows(page, "8");
  await verifyAll(site, keys.live, ["+5511987654321"]);
  await waitForUsage(site, token, 329);
  await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
  await shows(page, "9");
});

test("nothing verified: it says what to do, and links there", async () => {
  const { token } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, "/dashboard/reports?days=7");
  await page.getByRole("heading", { name: "No verifications yet" }).waitFor();
  // Nor is there anything to download.
  await expect.poll(() => page.getByRole("button", { name: /CSV/ }).count()).toBe(0);
  const request = await page.getByRole("group", { name: "Request with curl" }).innerText();
  expect(request).toContain(`${site.origin}/api/v1/verify`);
  await page.getByRole("main").getByRole("link", { name: "Try it" }).click();
  await page.waitForURL("**/dashboard#try");
  await page.getByRole("tab", { name: "Try it", selected: true }).waitFor();
});

test("nothing verified in the period: a longer one is offered", async () => {
  const developer = await createDeveloper(site);
  await storeUsage(site, developer, [{ ago: 60, country: "BR", count: 3 }]);
  const page = await openDashboard(site, developer, "/dashboard/reports?days=7");
  await page.getByRole("button", { name: "Show 13 weeks" }).click();
  await shows(page, "3");
  await expect.poll(() => page.getByRole("button", { name: "Download CSV" }).isEnabled()).toBe(true);
});

test("verified only in the other mode: that is offered", async () => {
  const developer = await createDeveloper(site);
  await storeUsage(site, developer, [{ ago: 3, mode: "live", country: "BR", count: 3 }]);
  const page = await openDashboard(site, developer, "/dashboard/reports?days=7");
  await page.getByText("You have 3 live verifications.").waitFor();
  await page.getByRole("button", { name: "Show live", exact: true }).click();
  await shows(page, "3");
  await expect.poll(() => page.locator(":focus").innerText()).toBe("Reports");
});

longTest("a report that cannot be read says so, and is tried again", async () => {
  const { token } = await createDeveloper(site);
  site.expectProblem(/^answer 500: .*\/reports\/usage/);
  const page = await signedInPage(site, token);
  let broken = true;
  await page.route("**/reports/usage?*", (route) =>
    broken
      ? route.fulfill({
          status: 500,
          headers: { "X-Request-Id": "req_broken" },
          json: { error: "Broken on purpose.", code: "INTERNAL_ERROR" },
        })
      : route.continue(),
  );
  await page.goto("/dashboard/reports");
  const alert = page.getByRole("alert").filter({ hasText: "Couldn’t load the report" });
  await alert.getByText("Broken on purpose.").waitFor();
  await alert.getByText("req_broken", { exact: true }).waitFor();
  await alert.getByRole("button", { name: "Copy request ID" }).waitFor();
  broken = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: /^No verifications/ }).waitFor();
});

test("the day that is pointed at has its figures beside it; the week before is compared", async () => {
  const { token } = await createBusy();
  const page = await openDashboard(site, { token }, "/dashboard/reports?days=7");
  await choose(page, "Live");
  const chart = page.locator("[data-chart]");
  await chart.locator("[data-before]").waitFor();
  await chart.getByText("Previous week").waitFor();
  // 6 of these days, 20 of those, all of them valid.
  await expect.poll(() => figure(page, "Total").allTextContents()).toStrictEqual(["6", "Down 70.0%"]);
  await expect.poll(() => figure(page, "Invalid").allTextContents()).toStrictEqual(["2"]);
  await expect
    .poll(() => figure(page, "Valid rate").allTextContents())
    .toStrictEqual(["66.7%", "Down 33.3 pts, worse"]);
  expect(await chart.locator("dl").count()).toBe(0);
  await bars(page).last().hover();
  await expect.poll(() => chart.locator("dl").innerText()).toMatch(/Total\s+6\s+Valid\s+4\s+Invalid\s+2/);
  await page.getByRole("heading", { level: 1 }).hover();
  await expect.poll(() => chart.locator("dl").count()).toBe(0);
});

test("both modes together are split by mode", async () => {
  const { token } = await createBusy();
  const page = await openDashboard(site, { token }, "/dashboard/reports?days=7&mode=both");
  await expect.poll(() => figure(page, "Total").allTextContents()).toStrictEqual(["8", "6 live, 2 test"]);
  await expect.poll(() => figure(page, "Invalid").allTextContents()).toStrictEqual(["3", "2 live, 1 test"]);
  await bars(page).last().hover();
  await expect.poll(() => page.locator("[data-chart] dl").innerText()).toMatch(/Live\s+6\s+Test\s+2/);
});
