import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { TRIAL } from "../../contract/limits.ts";
import { axeViolations, IS_SIDEWAYS, LOOKS } from "./axe.ts";
import { counts, dropFile, fillIn, focused, holdBatches, phase, start, validNumbers } from "./dashboard.bulk-page.ts";
import { createDeveloper, downloadBy, reportOf, waitForUsage } from "./dashboard.usage.ts";
import { changeTokenElsewhere, openDashboard, storedToken, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const PATH = "/dashboard/bulk";
const BATCH = "**/api/v1/verify/batch";

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

test("a check is paused, resumed and cancelled", async () => {
  const { token, keys } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await fillIn(page, validNumbers(350), keys.test);
  let release = await holdBatches(page);
  await start(page);
  await phase(page, "running");
  await press(page, "Pause");
  await phase(page, "pausing");
  await release();
  await phase(page, "paused");
  await expect.poll(() => counts(page)).toStrictEqual(["100", "0", "0", "250"]);
  release = await holdBatches(page);
  await press(page, "Resume");
  await phase(page, "running");
  await press(page, "Cancel");
  await press(page, "Go on");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await expect.poll(() => page.locator("[data-phase=running]").count()).toBe(1);
  await press(page, "Cancel");
  await press(page, "Cancel the check");
  expect(await phase(page, "cancelled")).toContain("250 numbers were not checked");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toContain("Checked 350 numbers");
  await release();
  const { text } = await downloadBy(page, "Download CSV");
  expect(text.match(/^[^,]*,not_checked,/gm)).toHaveLength(250);
  await press(page, "New check");
  await expect.poll(() => page.getByLabel("Numbers", { exact: true }).inputValue()).toBe(validNumbers(350).join("\n"));
});

test("the rate limit is waited for in sight, and nothing is counted twice", async () => {
  const { token, keys } = await createDeveloper(site);
  site.expectProblem(/^answer 429: /);
  const page = await openDashboard(site, { token }, PATH);
  await page.clock.install();
  const sent: string[] = [];
  let refusals = 1;
  await page.route(BATCH, (route) => {
    sent.push(route.request().headers()["idempotency-key"] ?? "");
    refusals -= 1;
    if (refusals < 0) return route.continue();
    const headers = { "Retry-After": "20", "Content-Type": "application/json" };
    return route.fulfill({ status: 429, headers, body: JSON.stringify({ error: "Too many.", code: "RATE_LIMITED" }) });
  });
  await fillIn(page, validNumbers(150), keys.test);
  await start(page);
  expect(await phase(page, "waiting")).toMatch(/^Waiting for the rate limit, \d+ s$/);
  await page.clock.runFor(21_000);
  await phase(page, "done");
  expect(sent).toHaveLength(3);
  expect(sent[0]).toBe(sent[1]);
  await waitForUsage(site, token, 150);
  expect((await reportOf(site, token, "days=7")).days.at(-1)?.total).toBe(150);
});

test("a connection that fails is tried again, then paused until resumed", async () => {
  const { token, keys } = await createDeveloper(site);
  site.expectProblem(/^request failed: .*\/verify\/batch net::ERR_FAILED/);
  const page = await openDashboard(site, { token }, PATH);
  await page.clock.install();
  let tries = 0;
  await page.route(BATCH, (route) => {
    tries += 1;
    return route.abort("failed");
  });
  await fillIn(page, validNumbers(3), keys.test);
  await start(page);
  for (const [before, seconds] of [1, 2, 4, 8].entries()) {
    await expect.poll(() => tries).toBe(before + 1);
    expect(await phase(page, "waiting")).toContain("No connection. Trying again");
    await page.clock.runFor(seconds * 1000 + 50);
  }
  expect(await phase(page, "paused")).toContain("The service could not be reached.");
  await page.unroute(BATCH);
  await press(page, "Resume");
  await phase(page, "done");
});

test("a quota that ends is used up, and the rest is told", async () => {
  const { id, token, keys } = await createDeveloper(site);
  const used = TRIAL.quota - 37;
  await storeUsage(site, { id }, [{ ago: 1, mode: "live", country: "BR", count: used }]);
  site.expectProblem(/^answer 402: /);
  const page = await openDashboard(site, { token }, PATH);
  await fillIn(page, validNumbers(150), keys.live);
  await page.getByText("This account has 37 left; the check stops when they are used up.").waitFor();
  await start(page);
  expect(await phase(page, "stopped")).toMatch(/are used up\. 113 numbers were not checked\.$/);
  await expect.poll(() => counts(page)).toStrictEqual(["37", "0", "0", "113"]);
});

test("a refused key stops the check, signs nobody out, and another goes on", async () => {
  const { token, keys } = await createDeveloper(site);
  site.expectProblem(/^answer 401: .*\/verify\/batch/);
  const page = await openDashboard(site, { token }, PATH);
  await fillIn(page, validNumbers(3), `${keys.test.slice(0, -1)}${keys.test.endsWith("0") ? "1" : "0"}`);
  await start(page);
  expect(await phase(page, "stopped")).toBe("The API key is not valid. 3 numbers were not checked.");
  await expect.poll(() => storedToken(page)).toBe(token);
  await page.getByLabel("Another key").fill(keys.live);
  await press(page, "Resume with this key");
  await page.getByText(/This check began with a test key/).waitFor();
  await page.getByLabel("Another key").fill(keys.test);
  await press(page, "Resume with this key");
  await phase(page, "done");
  await expect.poll(() => counts(page)).toStrictEqual(["3", "0", "0", "0"]);
});

test("leaving asks first as long as something would be lost", async () => {
  const { token, keys } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await fillIn(page, validNumbers(2), keys.test);
  const release = await holdBatches(page);
  await start(page);
  await phase(page, "running");
  const asked = page.waitForEvent("dialog");
  const reloading = page.evaluate("location.reload()").catch(() => {});
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await reloading;

  const toReports = page.getByRole("link", { name: "Reports", exact: true }).first();
  await toReports.click();
  const question = page.getByRole("alertdialog", { name: "Stop checking and leave?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await question.waitFor({ state: "detached" });
  await release();
  await phase(page, "done");
  await toReports.click();
  const second = page.getByRole("alertdialog", { name: "Leave without the results?" });
  await second.getByRole("button", { name: "Stay" }).click();
  await second.waitFor({ state: "detached" });
  await downloadBy(page, "Download CSV");
  await toReports.click();
  await page.waitForURL("**/dashboard/reports");
});

test("logging out asks first as long as something would be lost", async () => {
  const { token, keys } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await fillIn(page, validNumbers(2), keys.test);
  await start(page);
  await phase(page, "done");
  await press(page, "Log out");
  const question = page.getByRole("alertdialog", { name: "Log out without the results?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await question.waitFor({ state: "detached" });
  await expect.poll(() => storedToken(page)).toBe(token);
  await expect.poll(() => counts(page)).toStrictEqual(["2", "0", "0", "0"]);
  await press(page, "Log out");
  await question.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL("**/login");
  await expect.poll(() => storedToken(page)).toBeNull();
});

test("logging out asks nothing once the results are saved", async () => {
  const { token, keys } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await fillIn(page, validNumbers(2), keys.test);
  await start(page);
  await phase(page, "done");
  await downloadBy(page, "Download CSV");
  await press(page, "Log out");
  await page.waitForURL("**/login");
});

test("list and results outlive a session that expires, and are nowhere in storage", async () => {
  const { token, keys } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await fillIn(page, validNumbers(120), keys.test);
  await start(page);
  await phase(page, "done");
  const stored = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
  expect(stored).not.toContain(validNumbers(1)[0]!.slice(3));
  expect(stored).not.toContain(keys.test);
  await changeTokenElsewhere(page, null);
  await page.waitForURL("**/login**");
  await changeTokenElsewhere(page, token);
  await page.waitForURL(`**${PATH}`);
  await phase(page, "done");
  await expect.poll(() => counts(page)).toStrictEqual(["120", "0", "0", "0"]);
});

describe.each(LOOKS)("%s, %d pixels", (theme, width) => {
  test("nothing that axe finds in any state", async () => {
    const { token, keys } = await createDeveloper(site);
    site.expectProblem(/^answer 401: .*\/verify\/batch/);
    const page = await openDashboard(site, { token }, PATH, { theme, width });
    async function check(state: string): Promise<void> {
      expect(await axeViolations(page), state).toStrictEqual([]);
      await expect.poll(() => page.evaluate(IS_SIDEWAYS), { message: state }).toBe(false);
    }
    await press(page, "Check numbers");
    await check("errors");
    await dropFile(page, "contacts.csv", "name,phone\nAna,+5511987654321\nBob,+1202\n");
    await page.getByRole("button", { name: "Add 2 numbers" }).waitFor();
    await check("file");
    await press(page, "Add 2 numbers");
    await page.getByLabel("API key", { exact: true }).fill("ch_test_nothing");
    await check("filled in");
    await start(page);
    await phase(page, "stopped");
    await check("stopped");
    const release = await holdBatches(page);
    await page.getByLabel("Another key").fill(keys.test);
    await press(page, "Resume with this key");
    await phase(page, "running");
    await check("running");
    await release();
    await phase(page, "done");
    await check("done");
    await press(page, "New check");
    await page.getByRole("alertdialog").waitFor();
    await check("question");
  });
});
