import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { API_VERSION_DATE } from "../../web/content/changelog.ts";
import { users } from "../../schema.ts";
import { createSignedIn } from "../factories.ts";
import { firstOrAll, longTest } from "../long.ts";
import { statusWith } from "./dashboard.keys-page.ts";
import { comeBack, expectCard, statCard } from "./dashboard.shell-page.ts";
import { focused } from "./live.ts";
import { addKey, openDashboard, signedInPage, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const SUMMARY = "**/api/v1/account/reports/summary*";

const PLACES = [
  ["/dashboard", "API Keys", "API Keys · Checkline"],
  ["/dashboard/bulk", "Bulk verify", "Bulk verify · Checkline"],
  ["/dashboard/reports", "Reports", "Reports · Checkline"],
  ["/dashboard/settings", "Settings", "Settings · Checkline"],
  ["/dashboard/settings/subscription", "Settings", "Subscription · Checkline"],
  ["/dashboard/settings/security", "Settings", "Security · Checkline"],
] as const;

function currentIn(page: Page): Promise<string[]> {
  return page.getByRole("navigation").locator("[aria-current=page]:visible").allInnerTexts();
}

function panel(page: Page) {
  return page.getByRole("complementary", { name: "At a glance" });
}

describe.each(firstOrAll(PLACES))("%s", (path, section, title) => {
  test("has its own address: opened, reloaded, left, and returned to", async () => {
    const page = await openDashboard(site, await createSignedIn(site.worker.db), path);
    async function expectHere() {
      await page.getByRole("button", { name: "Log out" }).waitFor();
      await expect.poll(() => page.title()).toBe(title);
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
      await expect.poll(async () => (await currentIn(page))[0]).toBe(section);
      await expect.poll(() => page.getByRole("heading", { level: 1 }).count()).toBe(1);
    }
    await expectHere();
    await page.reload();
    await expectHere();
    const [, other] = path === "/dashboard" ? ["", "Reports"] : ["", "API Keys"];
    await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: other }).click();
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(path);
    await page.goBack();
    await expectHere();
    await page.goForward();
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(path);
  });
});

test("what's new has a dot until the changelog was opened, but not for an account younger than the news", async () => {
  const account = await createSignedIn(site.worker.db);
  await site.worker.db
    .update(users)
    .set({ createdAt: Date.parse(API_VERSION_DATE) - 1 })
    .where(eq(users.id, account.id));
  const page = await openDashboard(site, account);
  const link = page.getByRole("complementary", { name: "Sidebar" }).getByRole("link", { name: "What’s new" });
  await link.getByText(", unread").waitFor();
  await link.click();
  await page.getByRole("heading", { level: 1, name: "Changelog" }).waitFor();
  await page.goBack();
  await link.waitFor();
  await expect.poll(() => link.getByText(", unread").count()).toBe(0);
  await page.reload();
  await link.waitFor();
  await page.waitForTimeout(300);
  expect(await link.getByText(", unread").count()).toBe(0);

  const young = await openDashboard(site, await createSignedIn(site.worker.db));
  await young.getByRole("link", { name: "What’s new" }).filter({ visible: true }).waitFor();
  await young.waitForTimeout(300);
  expect(await young.getByText(", unread").count()).toBe(0);
});

test("the header shows the account and the mode; the panel changes it, for the next pages too", async () => {
  const { email, token } = await createSignedIn(site.worker.db);
  const page = await openDashboard(site, { token });
  const header = page.getByRole("banner");
  await header.getByText(email).waitFor();
  await header.getByText("Test mode").waitFor();
  // The switch comes before the page whose mode it sets.
  const order =
    'document.querySelector("main").compareDocumentPosition(document.querySelector("[aria-label=\\"At a glance\\"]"))';
  expect(await page.evaluate(order)).toBe(2);
  await panel(page).getByRole("radio", { name: "Live" }).check();
  await header.getByText("Live mode").waitFor();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.waitForURL("**/settings");
  await header.getByText("Live mode").waitFor();
  await page.getByRole("link", { name: "Reports" }).click();
  await page.waitForURL("**/reports");
  await header.getByText("Live mode").waitFor();
  await expect.poll(() => panel(page).count()).toBe(0);
  await page.reload();
  await header.getByText("Live mode").waitFor();
});

describe("on a phone", () => {
  test("the navigation is a drawer: keeps the focus, Escape and links close it", async () => {
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account, "/dashboard/settings", { width: 375, height: 700 });
    await expect.poll(() => page.getByRole("navigation", { name: "Dashboard" }).count()).toBe(0);
    const opener = page.getByRole("button", { name: "Open navigation" });
    await opener.press("Enter");
    const drawer = page.getByRole("dialog", { name: "Navigation" });
    await drawer.waitFor();
    await expect.poll(() => drawer.innerText()).toContain(account.email);
    await expect.poll(() => currentIn(page)).toStrictEqual(["Settings"]);
    const holdsFocus = () =>
      page.evaluate<boolean>("document.activeElement.closest('[role=dialog], [data-base-ui-focus-guard]') !== null");
    await expect.poll(holdsFocus).toBe(true);
    for (let press = 0; press < 20; press += 1) {
      await page.keyboard.press("Tab");
      // A guard at either end passes the focus to the other one.
      await expect.poll(holdsFocus).toBe(true);
    }
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("Open navigation");
    await opener.click();
    await drawer.getByRole("link", { name: "Reports" }).click();
    await page.waitForURL("**/reports");
    await drawer.waitFor({ state: "detached" });
  });
});

test("offline, the page says so and keeps what it shows", async () => {
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account, "test", "Laptop");
  const page = await openDashboard(site, account);
  await page.getByRole("row", { name: /Laptop/ }).waitFor();
  const line = page.getByText(/^You’re offline\. Anything shown here is from \w{3} \d+, \d+:\d\d\.$/);
  await page.context().setOffline(true);
  await line.waitFor();
  await page.getByRole("row", { name: /Laptop/ }).waitFor();
  await page.context().setOffline(false);
  await line.waitFor({ state: "detached" });
});

describe("figures", () => {
  test("of real verifications arrive automatically", { timeout: 90_000 }, async () => {
    const account = await createSignedIn(site.worker.db);
    const { apiKey } = await addKey(site, account);
    const page = await openDashboard(site, account);
    await page.getByText("See your first verified number").waitFor();
    for (const number of ["+5511987654321", "+12025550123", "+12025550109"]) {
      await statusWith(site, apiKey, number);
    }
    // The page refetches every 30 seconds.
    await expectCard(page, "Total", ["3", "No earlier month"], 60_000);
    await expectCard(page, "Success", ["2", "66.7% valid"]);
    await expectCard(page, "Failed", ["1", "33.3% invalid"]);
  });

  test("are of the chosen mode, with rates that add up and the month over month", async () => {
    const account = await createSignedIn(site.worker.db);
    await storeUsage(site, account, [
      { country: "BR", count: 1_100 },
      { country: "US", count: 101, outcome: "failure" },
      { country: "BR", count: 1_000, ago: 40 },
      { country: "GB", count: 7, mode: "live" },
    ]);
    const page = await openDashboard(site, account);
    await expectCard(page, "Total", ["2,201", "+20.1% MoM"]);
    await expectCard(page, "Success", ["2,100", "95.4% valid"]);
    await expectCard(page, "Failed", ["101", "4.6% invalid"]);
    await page.getByText("All time, test mode. MoM: vs. the previous 30 days.").waitFor();
    await panel(page).getByRole("radio", { name: "Live" }).check();
    // Nothing before, so no month over month.
    await expectCard(page, "Total", ["7", "No earlier month"]);
    await page.getByText("All time, live mode.", { exact: true }).waitFor();
    await expectCard(page, "Success", ["7", "100.0% valid"]);
    await expectCard(page, "Failed", ["0", "0.0% invalid"]);
  });

  test("are refetched every 30 seconds and when the page becomes visible again", async () => {
    const account = await createSignedIn(site.worker.db);
    await addKey(site, account);
    const page = await signedInPage(site, account.token);
    await page.clock.install();
    await page.goto("/dashboard");
    await page.getByText("See your first verified number").waitFor();
    await storeUsage(site, account, [{ country: "BR", count: 3 }]);
    await page.clock.fastForward(31_000);
    await expectCard(page, "Total", ["3", "No earlier month"]);
    await storeUsage(site, account, [{ country: "US", count: 2 }]);
    await page.clock.fastForward(11_000);
    await comeBack(page);
    await expectCard(page, "Total", ["5", "No earlier month"]);
  });

  test("that cannot be read can be tried again without a key, too", async () => {
    site.expectProblem(/^answer 400/);
    const page = await signedInPage(site, (await createSignedIn(site.worker.db)).token);
    await page.route(SUMMARY, (route) => route.fulfill({ status: 400, json: { error: "Not now.", code: "X" } }));
    await page.goto("/dashboard");
    const failure = page.getByRole("region", { name: "All-time stats" }).getByRole("alert");
    await expect.poll(() => failure.innerText()).toContain("Not now.");
    await page.unrouteAll();
    await failure.getByRole("button", { name: "Try again" }).click();
    await failure.waitFor({ state: "detached" });
    await expectCard(page, "Total", ["0", "No data yet"]);
  });

  longTest("that were read outlive a failed refresh, which the page reports", async () => {
    site.expectProblem(/^answer 500/);
    const account = await createSignedIn(site.worker.db);
    await storeUsage(site, account, [{ country: "BR", count: 3 }]);
    const page = await signedInPage(site, account.token);
    await page.clock.install();
    await page.goto("/dashboard");
    await expectCard(page, "Total", ["3", "No earlier month"]);
    await page.route(SUMMARY, (route) => route.fulfill({ status: 500, json: { error: "Broken.", code: "X" } }));
    for (const ms of [31_000, 1_500, 3_000]) {
      await page.clock.fastForward(ms);
      await page.waitForTimeout(300);
    }
    await page.getByText("Not up to date: Broken.").first().waitFor();
    await expect.poll(() => statCard(page, "Total")).toStrictEqual(["3", "No earlier month"]);
  });
});

test("a subscription that can't be loaded leaves the page in place", async () => {
  site.expectProblem(/^answer 429: .*\/account\/subscription$/);
  const account = await createSignedIn(site.worker.db);
  const page = await signedInPage(site, account.token);
  let requests = 0;
  await page.route("**/account/subscription", (route) => {
    requests += 1;
    return route.fulfill({ status: 429, json: { error: "Slow down.", code: "RATE_LIMITED" } });
  });
  await page.goto("/dashboard/settings");
  // Only the loaded page has it; the heading is there before.
  await page.getByRole("heading", { name: "Profile" }).waitFor();
  const name = page.getByRole("heading", { name: "Profile" });
  await name.evaluate((element) => element.setAttribute("data-same", ""));
  await page.waitForTimeout(1500);
  expect(await page.locator("[data-same]").count()).toBe(1);
  expect(requests).toBeLessThan(6);
});
