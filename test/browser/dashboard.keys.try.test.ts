import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { createRevokedKey, createSignedIn } from "../factories.ts";
import { firstOrAll, longTest } from "../long.ts";
import { stopClock } from "./auth.ts";
import { expectForgotten, generate, openKeys, openTry, reveal, statusWith } from "./dashboard.keys-page.ts";
import { waitForUsage } from "./dashboard.usage.ts";
import { chooseCountry } from "./live.ts";
import { addKey, atRest } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const REJECTED = /^answer 4\d\d: .*\/api\/v1\/verify$/;

/** Opens the page with a key that is stored elsewhere, and pastes it. */
async function openWithKey(mode: "test" | "live" = "test"): Promise<{ page: Page; key: string; token: string }> {
  const account = await createSignedIn(site.worker.db);
  const { apiKey: key } = await addKey(site, account, mode);
  const page = await openKeys(site, account);
  await openTry(page);
  await page.getByText("Use a specific key").click();
  await page.getByLabel("Your API key").fill(key);
  return { page, key, token: account.token };
}

function summary(page: Page) {
  return page.locator("[data-answer]");
}

async function send(page: Page, status: number): Promise<{ summary: string; body: Record<string, unknown> }> {
  await page.getByRole("button", { name: "Send request" }).click();
  // A remark on the answer before may name this status too.
  await summary(page)
    .getByText(new RegExp(`^${status} `))
    .waitFor();
  const body = await page.getByRole("group", { name: "Response" }).innerText();
  return { summary: await summary(page).innerText(), body: JSON.parse(body) as Record<string, unknown> };
}

test.each(firstOrAll(SANDBOX_SUCCESSES))(
  "$title: the response, its status, timing, and what is left",
  async ({ number, title }) => {
    const { page } = await openWithKey();
    await page.getByLabel("Pick a number").selectOption({ label: title });
    await expect.poll(() => page.getByLabel("Number to send").inputValue()).toBe(number);
    const { summary: said, body } = await send(page, 200);
    expect(body).toMatchObject({ valid: true, number, status: "DELIVERED_TO_HANDSET" });
    expect(said).toMatch(/200 OK\s+\d[\d,]* ms\s+59 of 60 requests left this minute/);
  },
);

test("without a key, the session verifies in the dashboard's mode, and draws the result", async () => {
  const page = await openKeys(site, await createSignedIn(site.worker.db));
  await openTry(page);
  const { body } = await send(page, 200);
  expect(body).toMatchObject({ valid: true, status: "DELIVERED_TO_HANDSET" });
  await page.getByRole("img", { name: "Valid", exact: true }).waitFor();
  await page.getByRole("radio", { name: "Live" }).filter({ visible: true }).first().check({ force: true });
  await page.getByLabel("Number to send").fill("+351 912 345 678");
  await page.getByRole("button", { name: "Send request" }).click();
  const response = page.getByRole("group", { name: "Response" });
  await response.getByText('"PT"').waitFor();
  expect(JSON.parse(await response.innerText())).not.toHaveProperty("status");
});

test("a custom number with a live key is really looked up", async () => {
  const { page } = await openWithKey("live");
  await page.getByLabel("Number to send").fill("+351 912 345 678");
  await expect.poll(() => page.getByLabel("Pick a number").inputValue()).toBe("");
  await page.getByText("A valid number counts against your quota").waitFor();
  const { body } = await send(page, 200);
  expect(body).toMatchObject({ valid: true, country_code: "PT" });
  expect(body).not.toHaveProperty("status");
});

test("what the key’s owner accepts is sent, and the verdict and a suggestion are shown", async () => {
  const { page } = await openWithKey("live");
  await page.getByLabel("Number to send").fill("+55 11 8765 4321");
  await page.getByText("Add conditions").click();
  await page.getByLabel("Accept only", { exact: true }).selectOption("Mobile numbers");
  await page.getByLabel("Line type", { exact: true }).selectOption("Maybe mobile");
  await chooseCountry(page.getByLabel("Country", { exact: true }), "Portugal");
  await page.getByLabel("Reject numbers in unassigned ranges").check();
  const request = page.waitForRequest("**/api/v1/verify");
  const { summary: invalid, body } = await send(page, 200);
  expect((await request).postDataJSON()).toStrictEqual({
    number: "+55 11 8765 4321",
    accept_types: ["mobile"],
    accept_line_types: ["mobile", "unknown"],
    expect_country: "PT",
    reject_unallocated: true,
  });
  expect(body).toMatchObject({ valid: false, accepted: false, rejected_because: "INVALID_NUMBER" });
  expect(invalid).toContain("Not accepted: invalid number.");
  expect(invalid).toContain("Did you mean +5511987654321? By 2016, Brazil had added a 9 to every mobile number");
  await page.getByLabel("Number to send").fill("+351 912 345 678");
  await page.getByRole("button", { name: "Send request" }).click();
  await summary(page).getByText("Accepted.", { exact: true }).waitFor();
  // What is hidden doesn't count.
  await page.getByText("Add conditions").click();
  const plain = page.waitForRequest("**/api/v1/verify");
  await page.getByRole("button", { name: "Send request" }).click();
  expect((await plain).postDataJSON()).toStrictEqual({ number: "+351 912 345 678" });
});

test("on a low screen, the response comes into sight", async () => {
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account);
  const page = await openKeys(site, account, { width: 1280, height: 665 });
  await openTry(page);
  await page.getByRole("button", { name: "Send request" }).click();
  await summary(page).getByText("200").waitFor();
  const { height } = (await page.getByRole("banner").boundingBox())!;
  const isInSight = async () => {
    const { y } = (await summary(page).boundingBox())!;
    return y > height && y < 665 / 2;
  };
  await expect.poll(isInSight).toBe(true);
});

test("a revoked key is rejected, and no one is logged out", async () => {
  const page = await openKeys(site, await createSignedIn(site.worker.db));
  await openTry(page);
  await page.getByText("Use a specific key").click();
  await page.getByLabel("Your API key").fill(await createRevokedKey(site.worker.db, "test"));
  site.expectProblem(REJECTED);
  const { summary: said, body } = await send(page, 401);
  expect(body["code"]).toBe("API_KEY_REVOKED");
  expect(said).toContain("401 API_KEY_REVOKED");
  expect(said).toContain("You’re still logged in");
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "API Keys" }).waitFor();
});

test("another account’s key doesn’t complete this account’s first verification", async () => {
  const { apiKey } = await addKey(site, await createSignedIn(site.worker.db));
  const { page } = await openWithKey();
  await page.getByLabel("Your API key").fill(apiKey);
  const checklist = page.getByRole("region", { name: "Getting started" });
  await checklist.getByText("2 of 3 done").waitFor();
  await send(page, 200);
  await atRest(page);
  expect(await checklist.getByText("2 of 3 done").count()).toBe(1);
  expect(await page.getByText("Counting your first").count()).toBe(0);
});

longTest("over the rate limit it says when to come back", async () => {
  const { page, key } = await openWithKey();
  await Promise.all(Array.from({ length: 60 }, () => statusWith(site, key)));
  site.expectProblem(REJECTED);
  const { summary: said, body } = await send(page, 429);
  expect(body["code"]).toBe("RATE_LIMITED");
  expect(said).toMatch(/429 RATE_LIMITED.*0 of 60 requests left this minute.*Try again in \d+ seconds?\./s);
});

longTest("when nobody answers it says so", async () => {
  const { page } = await openWithKey();
  await page.route("**/api/v1/verify", (route) => route.abort("failed"));
  site.expectProblem(/^request failed: .*\/api\/v1\/verify/);
  await page.getByRole("button", { name: "Send request" }).click();
  await summary(page).getByText("No response.").waitFor();
});

longTest("a response that is no JSON is shown as it came", async () => {
  const { page } = await openWithKey();
  await page.route("**/api/v1/verify", (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }));
  site.expectProblem(/^answer 502/);
  await page.getByRole("button", { name: "Send request" }).click();
  await summary(page).getByText("502").waitFor();
  await expect.poll(() => page.getByRole("group", { name: "Response" }).innerText()).toBe("<h1>Bad gateway</h1>");
});

test.each(
  firstOrAll([
    ["", "Paste a key first"],
    ["ch_test_ключ", "A key contains only letters, digits, and underscores"],
  ]),
)("%j is not sent as a key", async (text, complaint) => {
  const page = await openKeys(site, await createSignedIn(site.worker.db));
  await openTry(page);
  await page.getByText("Use a specific key").click();
  await page.getByLabel("Your API key").fill(text);
  await page.getByRole("button", { name: "Send request" }).click();
  await page.getByText(complaint).waitFor();
});

test("the figures and the last use update within seconds", async () => {
  const { page, token } = await openWithKey();
  const row = page.getByRole("row", { name: /^Stored/ });
  await page.getByRole("tab", { name: "Keys", exact: true }).click();
  await row.getByText("Never used").filter({ visible: true }).waitFor();
  await openTry(page);
  await page.clock.install();
  await stopClock(page);
  await send(page, 200);
  await page.getByRole("tab", { name: "Keys", exact: true }).click();
  // However long the worker takes to count, no time has passed for the page.
  await waitForUsage(site, token, 1);
  await page.clock.runFor(6000);
  async function shown(): Promise<boolean> {
    await page.clock.runFor(10);
    const figures = page.getByRole("region", { name: "All-time stats" });
    return (await row.getByText("just now").count()) > 1 && figures.getByText("100.0%").isVisible();
  }
  await expect.poll(shown).toBe(true);
});

longTest("a pasted key is hidden, and gone with the page", async () => {
  const { page, key } = await openWithKey();
  const field = page.getByLabel("Your API key");
  await expect.poll(() => field.getAttribute("type")).toBe("password");
  await expect.poll(() => field.getAttribute("autocomplete")).toBe("off");
  await send(page, 200);
  await page.getByRole("link", { name: "Reports" }).first().click();
  await page.waitForURL("**/dashboard/reports");
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "API Keys" }).waitFor();
  await expectForgotten(page, key);
});

test("a new key can be tried in its dialog", async () => {
  const page = await openKeys(site, await createSignedIn(site.worker.db));
  await generate(page);
  await page.getByRole("tab", { name: "Try it here" }).click();
  const dialog = reveal(page);
  await dialog.getByRole("button", { name: "Send request" }).click();
  await dialog.getByText("200 OK").waitFor();
  await dialog.getByLabel("Pick a number").selectOption({ label: "TEMPORARY_FAILURE" });
  site.expectProblem(REJECTED);
  await dialog.getByRole("button", { name: "Send request" }).click();
  await dialog.getByText("400 TEMPORARY_FAILURE").waitFor();
  await expect.poll(() => dialog.isVisible()).toBe(true);
});

test("with a test key, an invalid number of one's own is drawn and explained, and no scenario of the sandbox", async () => {
  const { page } = await openWithKey();
  site.expectProblem(REJECTED);
  await page.getByLabel("Number to send").fill("+1 203");
  const { summary: short } = await send(page, 400);
  await page.getByRole("img", { name: "Invalid", exact: true }).waitFor();
  expect(short).toContain("Test keys return an error for fewer than six digits.");
  expect(short).not.toContain("sandbox error");

  await page.getByLabel("Number to send").fill("+55 11 8765 4321");
  const { summary: said } = await send(page, 200);
  expect(said).toContain("Did you mean +5511987654321?");
  expect(said).not.toContain("Test keys");

  // The suggestion is a press away.
  await page.getByRole("button", { name: "Try this number" }).click();
  await summary(page).getByText("200 OK").waitFor();
  await expect.poll(() => page.getByLabel("Number to send").inputValue()).toBe("+5511987654321");
  await page.getByRole("button", { name: "Send request" }).and(page.locator(":focus")).waitFor();
});

test("without a number nothing is sent, and the field says what to do", async () => {
  const { page } = await openWithKey();
  const sent: string[] = [];
  page.on("request", (request) => void (request.url().endsWith("/verify") && sent.push(request.url())));
  await page.getByLabel("Number to send").fill("  ");
  await page.getByRole("button", { name: "Send request" }).click();
  await page.getByText("Enter a number, or pick one").waitFor();
  await page.getByLabel("Number to send").and(page.locator(":focus")).waitFor();
  await page.getByLabel("Pick a number").selectOption({ index: 0 });
  await expect.poll(() => page.getByText("Enter a number, or pick one").count()).toBe(0);
  await send(page, 200);
  expect(sent).toHaveLength(1);
});

test("before the trial, and with the steps dismissed, Try it is a tab beside the keys", async () => {
  const page = await openKeys(site, await createSignedIn(site.worker.db, { subscription: "none" }));
  await openTry(page);
  await send(page, 200);
  await page.getByRole("tab", { name: "Keys", exact: true }).click();
  await page.getByText("No keys yet. Start the free trial above").waitFor();
  await page.getByRole("button", { name: "Dismiss the checklist" }).click();
  await page.getByText("You need an active subscription to generate a key.").waitFor();
  await openTry(page);
  await page.getByLabel("Number to send").waitFor();
});
