import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ERRORS } from "../../contract/errors.ts";
import { createSignedIn } from "../factories.ts";
import { firstOrAll, longTest } from "../long.ts";
import { answerCalls, CUT_OFF, cutOff, readToast } from "./auth.ts";
import { focused } from "./live.ts";
import { addKey, keepToken, openDashboard, storeUsage } from "./signed-in.ts";
import { generateButton, openForm } from "./dashboard.keys-page.ts";
import { openSite } from "./site.ts";

const site = openSite();
const TRIAL = "/account/subscriptions/trial";

function warning(page: Page) {
  return page.getByRole("region", { name: "Subscription warning" });
}

function activateButton(page: Page) {
  return page.getByRole("button", { name: "Activate Free Trial" });
}

describe("without an active subscription", () => {
  test("a warning says so on every page, and the trial starts from it", async () => {
    const page = await openDashboard(site, await createSignedIn(site.worker.db, { subscription: "none" }));
    for (const name of ["Bulk verify", "Reports", "Settings"]) {
      await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await page.getByText("You need an active subscription to use the API.", { exact: true }).waitFor();
    }
    await activateButton(page).click();
    await expect.poll(() => readToast(page)).toStrictEqual(["Trial activated"]);
    await warning(page).waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("Settings");
    await page.getByRole("link", { name: "Subscription" }).click();
    await page.getByRole("region", { name: "Subscription" }).getByText("· 14 days left").waitFor();
    await expect.poll(() => page.getByText("You need an active subscription").count()).toBe(0);
  });

  test.each(
    firstOrAll([
      [409, "TRIAL_ALREADY_USED", "The free trial was already used."],
      [409, "TRIAL_UNAVAILABLE", ERRORS.TRIAL_UNAVAILABLE.message],
      [503, "TEMPORARILY_UNAVAILABLE", "The service is temporarily unavailable."],
      [500, "INTERNAL_ERROR", "Something went wrong on our side."],
    ]),
  )("a %d shows the server's message", async (status, code, error) => {
    site.expectProblem(new RegExp(`^answer ${status}`));
    const page = await openDashboard(site, await createSignedIn(site.worker.db, { subscription: "none" }));
    await answerCalls(page, TRIAL, { status, body: { error, code } });
    await activateButton(page).click();
    await expect.poll(() => readToast(page)).toStrictEqual(["Error activating trial", error]);
  });

  test("a person who gets no trial sees why, and where to write instead of another attempt", async () => {
    site.expectProblem(/^answer 409/);
    const page = await openDashboard(site, await createSignedIn(site.worker.db, { subscription: "none" }));
    const { message: error } = ERRORS.TRIAL_UNAVAILABLE;
    await answerCalls(page, TRIAL, { status: 409, body: { error, code: "TRIAL_UNAVAILABLE" } });
    await activateButton(page).click();
    await expect.poll(() => warning(page).innerText()).toContain(error);
    expect(await warning(page).innerText()).not.toContain("No credit card");
    expect(await activateButton(page).count()).toBe(0);
    await expect.poll(() => focused(page)).toBe("API Keys");
    const link = warning(page).getByRole("link", { name: "Email support" });
    expect(await link.getAttribute("href")).toMatch(/^mailto:support@/);
  });

  longTest("a missing response shows too", async () => {
    site.expectProblem(CUT_OFF);
    const page = await openDashboard(site, await createSignedIn(site.worker.db, { subscription: "none" }));
    await cutOff(page, TRIAL);
    await activateButton(page).click();
    await expect
      .poll(() => readToast(page))
      .toStrictEqual(["Error activating trial", "We can’t reach the server. Check your connection and try again."]);
    await page.unrouteAll();
    await activateButton(page).click();
    await page.getByText("Trial activated").waitFor();
  });

  test.each(firstOrAll(["expired", "ended"] as const))(
    "whose trial has %s shows a sentence instead of the button",
    async (state) => {
      const page = await openDashboard(site, await createSignedIn(site.worker.db, { subscription: state }));
      await warning(page).waitFor();
      await expect
        .poll(() => warning(page).innerText())
        .toMatch(/Your free trial (ended on \w{3} \d+, \d{4}|has ended)\..* Existing test keys keep working\./);
      await expect.poll(() => activateButton(page).count()).toBe(0);
      await expect.poll(() => warning(page).getByRole("button", { name: "Upgrade to Pro" }).count()).toBe(1);
      const more = warning(page).getByRole("link", { name: "Email us for more" });
      expect(await more.getAttribute("href")).toMatch(/^mailto:support@/);
    },
  );
});

describe("the checklist", () => {
  function checklist(page: Page) {
    return page.getByRole("region", { name: "Getting started" });
  }

  test("checks itself off, step by step, and is gone once all are done", async () => {
    const account = await createSignedIn(site.worker.db, { subscription: "none" });
    const page = await openDashboard(site, account);
    await checklist(page).getByText("0 of 3 done").waitFor();

    await activateButton(page).click();
    await checklist(page).getByText("1 of 3 done").waitFor();

    await openForm(page);
    await generateButton(page).click();
    const dialog = page.getByRole("dialog", { name: "Your new API key" });
    await dialog.waitFor();
    await page.reload();
    await checklist(page).getByText("2 of 3 done").waitFor();

    await storeUsage(site, account, [{ country: "BR", count: 1 }]);
    await page.reload();
    await page.getByText("Total", { exact: true }).waitFor();
    await page.getByText("Brazil").first().waitFor();
    expect(await checklist(page).count()).toBe(0);
  });

  test("ticks the last step with the response, before the server has counted it", async () => {
    const page = await openDashboard(site, await createSignedIn(site.worker.db));
    await checklist(page).getByText("1 of 3 done").waitFor();
    await page.route("**/account/reports/summary*", (route) =>
      route.fulfill({
        json: {
          total_verifications: 0,
          successful_verifications: 0,
          top_countries: [],
          countries: 0,
          keys: [],
          month_over_month: null,
          days: [],
          calls: { sampled: 0, p95_ms: null, top_error: null, latest: [] },
        },
      }),
    );
    await checklist(page).getByRole("button", { name: "Generate key" }).click();
    const dialog = page.getByRole("dialog", { name: "Your new API key" });
    await dialog.getByText("200 OK").waitFor();
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await checklist(page).getByText("3 of 3 done").waitFor();
    await page.getByText("Counting your first…").waitFor();
    expect(await page.getByText("Never used", { exact: true }).count()).toBe(0);
    await page
      .getByRole("row", { name: /Test key/ })
      .getByText("just now")
      .last()
      .waitFor();
    await checklist(page).getByRole("link", { name: "Verify a list" }).waitFor();
    const sections = page.getByRole("navigation", { name: "Dashboard" });
    await sections.getByRole("link", { name: "Reports" }).click();
    await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
    await sections.getByRole("link", { name: "API Keys" }).click();
    await page.getByRole("row", { name: /Test key/ }).waitFor();
    expect(await checklist(page).count()).toBe(0);
  });

  test("appears only on the first page, and stays away once dismissed, for this account", async () => {
    const account = await createSignedIn(site.worker.db);
    await addKey(site, account);
    const page = await openDashboard(site, account);
    await checklist(page).getByText("2 of 3 done").waitFor();
    await checklist(page).getByRole("button", { name: "Try it" }).click();
    await page.getByRole("tabpanel", { name: "Try it" }).waitFor();
    await page.locator("[role=tab]:focus").filter({ hasText: "Try it" }).waitFor();
    const primary = page.getByRole("main").locator("button[class*=bg-ink]").filter({ visible: true });
    await expect.poll(() => primary.allInnerTexts()).toStrictEqual(["Send request"]);
    const sections = page.getByRole("navigation", { name: "Dashboard" });
    await sections.getByRole("link", { name: "Reports" }).click();
    await checklist(page).waitFor({ state: "detached" });
    await sections.getByRole("link", { name: "API Keys" }).click();
    await checklist(page).getByRole("button", { name: "Dismiss the checklist" }).click();
    await checklist(page).waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("API Keys");
    await page.reload();
    await page.getByRole("row", { name: /Stored/ }).waitFor();
    await page.waitForTimeout(500);
    expect(await checklist(page).count()).toBe(0);

    const other = await createSignedIn(site.worker.db);
    await keepToken(page, other.token);
    await page.reload();
    await checklist(page).waitFor();
  });
});
