import { expect, test } from "vitest";
import { TRIAL } from "../../contract/plans.ts";
import { createSignedIn } from "../factories.ts";
import { longTest } from "../long.ts";
import {
  BULK,
  CALLS,
  counts,
  download,
  dropFile,
  fillIn,
  focused,
  holdCalls,
  keptOf,
  phase,
  press,
  start,
  validNumbers,
} from "./dashboard.bulk-page.ts";
import { reportOf, waitForUsage } from "./dashboard.usage.ts";
import { changeTokenElsewhere, openDashboard, storedToken, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();

test("a check is paused, resumed and canceled", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  await fillIn(page, validNumbers(350));
  let release = await holdCalls(page);
  await start(page);
  await phase(page, "running");
  await press(page, "Pause");
  await phase(page, "pausing");
  await release();
  await phase(page, "paused");
  await page.getByRole("heading", { name: "Paused at 100 of 350 numbers" }).waitFor();
  await expect.poll(() => counts(page)).toStrictEqual(["100", "0", "0", "250"]);
  release = await holdCalls(page);
  await press(page, "Resume");
  await phase(page, "running");
  await press(page, "Cancel");
  await press(page, "Keep verifying");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await expect.poll(() => page.locator("[data-phase=running]").count()).toBe(1);
  await press(page, "Cancel");
  await press(page, "Stop verifying");
  expect(await phase(page, "canceled")).toContain("250 numbers weren’t verified");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toContain("Canceled after 100 of 350 numbers");
  await expect.poll(() => keptOf(page)).toBeNull();
  await release();
  const { bytes } = await download(page, "CSV for programs");
  expect(bytes.toString("utf8").match(/,not_checked,/g)).toHaveLength(250);
  await press(page, "New list");
  await expect.poll(() => page.getByLabel("Numbers", { exact: true }).inputValue()).toBe(validNumbers(350).join("\n"));
});

test("a check survives a reload, and nothing is counted twice", async () => {
  const account = await createSignedIn(site.worker.db);
  const page = await openDashboard(site, account, BULK);
  await dropFile(
    page,
    "people.csv",
    `id,phone\n${validNumbers(250)
      .map((number, at) => `${at},${number}`)
      .join("\n")}\n`,
  );
  await page.getByText("250 rows").waitFor();
  let calls = 0;
  // The service counts the second call, but its response is lost.
  await page.route(CALLS, async (route) => {
    calls += 1;
    if (calls === 1) return route.continue();
    await route.fetch();
    await page.reload().catch(() => {});
  });
  await start(page);
  await page.getByRole("heading", { name: "Paused at 100 of 250 numbers" }).waitFor();
  await page.unroute(CALLS);
  await expect.poll(() => counts(page)).toStrictEqual(["100", "0", "0", "150"]);
  await expect.poll(() => keptOf(page)).toStrictEqual({ rows: 251, results: 100 });
  await press(page, "Resume");
  await phase(page, "done");
  // Again, now that it is done.
  await page.reload();
  await phase(page, "done");
  const { bytes } = await download(page, "CSV for programs");
  const lines = bytes.toString("utf8").trimEnd().split("\n");
  expect(lines.slice(1).map((line: string) => line.split(",").slice(0, 3))).toStrictEqual(
    validNumbers(250).map((number, at) => [String(at), number, "valid"]),
  );
  await waitForUsage(site, account.token, 250);
  expect((await reportOf(site, account.token, "days=7&mode=live")).days.at(-1)?.total).toBe(250);
  await page.reload();
  await phase(page, "done");
  await press(page, "New list");
  await page.getByLabel("Numbers", { exact: true }).waitFor();
});

test("only one tab runs a check, and the other says so until it can continue it", async () => {
  const account = await createSignedIn(site.worker.db);
  const page = await openDashboard(site, account, BULK);
  const list = validNumbers(250).join("\n");
  await page.getByLabel("Numbers", { exact: true }).fill(list);
  const early = await page.context().newPage();
  await early.goto(BULK);
  await early.getByLabel("Numbers", { exact: true }).fill("+12025550106");
  const letGo = await holdCalls(page);
  await start(page);
  await phase(page, "running");
  // A tab that was already open can't start, and a new one shows why.
  await start(early);
  await early.getByText("Another tab is verifying a list").waitFor();
  expect(await early.getByLabel("Numbers", { exact: true }).inputValue()).toBe("+12025550106");
  const late = await page.context().newPage();
  await late.goto(BULK);
  await late.getByRole("heading", { name: "Open in another tab" }).waitFor();
  await press(page, "Pause");
  await letGo();
  await phase(page, "paused");
  await page.goto("/help");
  expect(await phase(late, "paused")).toContain("You left the page.");
  await expect.poll(() => counts(late)).toStrictEqual(["100", "0", "0", "150"]);
  await press(late, "Resume");
  await phase(late, "done");
  await download(late, "CSV for programs");
  // Once it is downloaded, the other is free.
  await expect.poll(() => keptOf(late)).toStrictEqual({ rows: 250, results: 250 });
  await start(early);
  await phase(early, "done");
  await press(late, "New list");
  await late.getByRole("heading", { name: "Verified 250 numbers" }).waitFor({ state: "detached" });
  expect(await keptOf(early)).toStrictEqual({ rows: 1, results: 1 });
});

longTest("another account finds nothing of it", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  await fillIn(page, validNumbers(2));
  await start(page);
  await phase(page, "done");
  await expect.poll(() => keptOf(page)).toStrictEqual({ rows: 2, results: 2 });
  await changeTokenElsewhere(page, (await createSignedIn(site.worker.db)).token);
  await page.getByLabel("Numbers", { exact: true }).waitFor();
  await expect.poll(() => keptOf(page)).toBeNull();
});

test("it is kept for seven days, and then deleted by any page of the dashboard", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  await fillIn(page, validNumbers(2));
  await start(page);
  await phase(page, "done");
  const kept = { rows: 2, results: 2 };
  await expect.poll(() => keptOf(page)).toStrictEqual(kept);
  const now = Date.now();
  for (const [days, left] of [
    [6, kept],
    [8, null],
  ] as const) {
    await page.clock.setFixedTime(now + days * 86_400_000);
    await page.goto("/dashboard/reports");
    await page.getByRole("heading", { name: "Reports" }).first().waitFor();
    await page.waitForLoadState("networkidle");
    await expect.poll(() => keptOf(page)).toStrictEqual(left);
  }
});

test("waiting for the rate limit is visible", async () => {
  site.expectProblem(/^answer 429: /);
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  await fillIn(page, validNumbers(150));
  const sent: string[] = [];
  let rejections = 1;
  await page.route(CALLS, (route) => {
    sent.push(route.request().headers()["idempotency-key"] ?? "");
    rejections -= 1;
    if (rejections < 0) return route.continue();
    const headers = { "Retry-After": "3", "Content-Type": "application/json" };
    return route.fulfill({ status: 429, headers, body: JSON.stringify({ error: "Too many.", code: "RATE_LIMITED" }) });
  });
  await start(page);
  expect(await phase(page, "waiting")).toMatch(/^Waiting for the rate limit, \d+ s$/);
  await phase(page, "done");
  expect(sent).toHaveLength(3);
  expect(sent[0]).toBe(sent[1]);
});

longTest("a connection that fails is tried again, then paused until resumed", async () => {
  site.expectProblem(/^request failed: .*\/account\/verify net::ERR_FAILED/);
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  await fillIn(page, validNumbers(3));
  let tries = 0;
  await page.route(CALLS, (route) => {
    tries += 1;
    return route.abort("failed");
  });
  await start(page);
  expect(await phase(page, "waiting")).toContain("No connection. Trying again");
  expect(await phase(page, "paused")).toContain("We can’t reach the server.");
  expect(tries).toBe(5);
  await page.unroute(CALLS);
  await press(page, "Resume");
  await phase(page, "done");
});

test("remaining quota is used up, unchecked numbers are reported, and more is offered; at 0 no check starts", async () => {
  const { id, token } = await createSignedIn(site.worker.db);
  const used = TRIAL.quota - 37;
  await storeUsage(site, { id }, [{ ago: 1, mode: "live", country: "BR", count: used }]);
  site.expectProblem(/^answer 402: /);
  const page = await openDashboard(site, { token }, BULK);
  await fillIn(page, validNumbers(150));
  await page.getByText("You have 37 left; verifying stops when they’re used up.").waitFor();
  await start(page);
  expect(await phase(page, "stopped")).toMatch(
    /^You’ve used all 1,000 successful live verifications\. 113 numbers weren’t verified\.$/,
  );
  await expect.poll(() => counts(page)).toStrictEqual(["37", "0", "0", "113"]);
  await page.getByRole("link", { name: "Email us for more" }).waitFor();
  // It would fail again.
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await page.getByRole("radio", { name: "Not verified 113" }).check();
  await page.getByText("1–25 of 113").waitFor();
  await download(page, "Excel workbook (.xlsx)");
  await press(page, "New list");
  await press(page, "Start a new list");
  await page.reload();
  await page.getByText("You’ve used all 1,000 successful live verifications.").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Verify numbers" }).isDisabled()).toBe(true);
});

test("a session that ends stops the check, which continues after logging in, and the next one keeps its settings", async () => {
  const { token } = await createSignedIn(site.worker.db);
  site.expectProblem(/^answer 401: .*\/account\/verify/);
  const page = await openDashboard(site, { token }, BULK);
  await fillIn(page, validNumbers(120));
  await page.getByText("Add conditions").click();
  const accept = page.getByRole("main").getByLabel("Accept only");
  await accept.selectOption("mobile");
  let calls = 0;
  await page.route(CALLS, (route) => {
    calls += 1;
    const error = { error: "The session has expired.", code: "SESSION_EXPIRED" };
    return calls === 2 ? route.fulfill({ status: 401, json: error }) : route.continue();
  });
  await start(page);
  await page.waitForURL("**/login**");
  await expect.poll(() => storedToken(page)).toBeNull();
  await changeTokenElsewhere(page, token);
  await page.waitForURL(`**${BULK}`);
  expect(await phase(page, "stopped")).toContain("20 numbers weren’t verified");
  await press(page, "Try again");
  await phase(page, "done");
  await expect.poll(() => counts(page)).toStrictEqual(["120", "0", "0", "0"]);
  await press(page, "New list");
  await press(page, "Start a new list");
  await expect.poll(() => accept.inputValue()).toBe("mobile");
});

longTest("without an active subscription there is no check", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db, { subscription: "expired" }), BULK);
  await fillIn(page, validNumbers(2));
  await page.getByText("Bulk verify requires an active subscription.").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Verify 2 numbers" }).isDisabled()).toBe(true);
});

longTest("logging out asks first, and deletes it", async () => {
  const { token } = await createSignedIn(site.worker.db);
  const page = await openDashboard(site, { token }, BULK);
  await fillIn(page, validNumbers(2));
  await start(page);
  await phase(page, "done");
  // Another page of the dashboard removes nothing.
  await page.getByRole("link", { name: "Reports", exact: true }).first().click();
  await page.waitForURL("**/dashboard/reports");
  await page.getByRole("link", { name: "Bulk verify", exact: true }).first().click();
  await phase(page, "done");
  await press(page, "Log out");
  const question = page.getByRole("alertdialog", { name: "Log out without the results?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await question.waitFor({ state: "detached" });
  await expect.poll(() => counts(page)).toStrictEqual(["2", "0", "0", "0"]);
  const stored = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
  expect(stored).not.toContain(validNumbers(1)[0]!.slice(3));
  await press(page, "Log out");
  await question.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL("**/login");
  await expect.poll(() => keptOf(page)).toBeNull();
});

longTest("where the browser keeps nothing, leaving asks first as long as something would be lost", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db), BULK);
  // Every write fails from here on, as in a browser with full storage.
  await page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.open("bulk-check", 9);
    request.onsuccess = () => (request.result.close(), resolve());
  })`);
  await fillIn(page, validNumbers(2));
  await start(page);
  await phase(page, "done");
  await page.getByText("This browser can’t save your progress").waitFor();
  await page.getByRole("link", { name: "Reports", exact: true }).first().click();
  const question = page.getByRole("alertdialog", { name: "Leave without the results?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await question.waitFor({ state: "detached" });
  await download(page, "CSV for programs");
  await page.getByRole("link", { name: "Reports", exact: true }).first().click();
  await page.waitForURL("**/dashboard/reports");
});
