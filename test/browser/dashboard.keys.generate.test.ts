import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { apiKeys } from "../../schema.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import { firstOrAll, longTest } from "../long.ts";
import { toastText } from "./auth.ts";
import {
  closeReveal,
  generate,
  generateButton,
  openerButton,
  openForm,
  openKeys,
  reveal,
  statusWith,
} from "./dashboard.keys-page.ts";
import { addKey, changeTokenElsewhere } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const KEYS = "**/api/v1/account/api-keys";

test("a test key is the default: generated, announced, listed, and it works", async () => {
  const page = await openKeys(site, await createSignedIn(site.worker.db));
  const key = await generate(page, "My laptop");
  expect(key).toMatch(/^ch_test_[0-9A-Za-z]{36}$/);
  expect(await toastText(page, "API Key generated successfully")).toContain("key is shown only once");
  expect(await statusWith(site, key)).toBe(200);
  await closeReveal(page);
  const row = page.getByRole("row", { name: /^My laptop/ });
  await expect.poll(() => row.innerText()).toContain(`ch_test_…${key.slice(-4)}`);
  // The form closed, and starts anew.
  expect(await page.getByLabel("Name", { exact: true }).count()).toBe(0);
  await openForm(page);
  await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("");
});

test("a live key is generated in live mode, with that as its default name", async () => {
  const page = await openKeys(site, await createSignedIn(site.worker.db));
  await page.getByRole("radio", { name: "Live" }).check();
  const key = await generate(page);
  expect(key).toMatch(/^ch_live_[0-9A-Za-z]{36}$/);
  expect(await statusWith(site, key)).toBe(200);
  await closeReveal(page);
  await page.getByRole("row", { name: /^Live key/ }).waitFor();
});

test("a live key asks for the password if it was given a while ago, and nothing is retyped", async () => {
  site.expectProblem(/^answer 403: .*\/account\/api-keys$/);
  const { id } = await createSignedIn(site.worker.db);
  const stale = await createSession(site.worker.db, id, { passwordAt: Date.now() - 11 * 60_000 });
  const page = await openKeys(site, { ...stale, id, email: "" });
  await page.getByRole("radio", { name: "Live" }).check();
  await openForm(page);
  await page.getByLabel("Name", { exact: true }).fill("Shop");
  await page.getByLabel("Monthly cap").fill("5,000");
  await page.getByLabel("Expires").selectOption("In 90 days");
  await generateButton(page).click();
  const question = page.getByRole("alertdialog", { name: "Enter your password" });
  await question.waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  // Canceling is no failure, and loses nothing.
  expect(await page.locator("[data-sonner-toast]").count()).toBe(0);
  expect((await page.getByRole("alert").allInnerTexts()).join("")).toBe("");
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Shop");

  await generateButton(page).click();
  await question.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await reveal(page).waitFor();
  await closeReveal(page);
  await page.getByRole("row", { name: /^Shop/ }).getByText("5,000 this month").waitFor();
  await page.getByRole("row", { name: /^Shop/ }).getByText("Expires").waitFor();
});

test("so do a higher cap and rolling, in the dialog where they were asked for; a test key doesn't", async () => {
  site.expectProblem(/^answer 403: .*\/account\/api-keys\//);
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account, "live", "Shop");
  await site.worker.db.update(apiKeys).set({ monthlyCap: 100 }).where(eq(apiKeys.userId, account.id));
  const passwordAt = Date.now() - 11 * 60_000;
  const [first, second] = await Promise.all(
    [1, 2].map(() => createSession(site.worker.db, account.id, { passwordAt })),
  );
  const question = (page: Page) => page.getByRole("alertdialog", { name: "Enter your password" });

  const page = await openKeys(site, { ...account, ...first! });
  await generate(page, "Sandbox");
  await closeReveal(page);
  await page.getByRole("radio", { name: "Live" }).check();
  await page.getByRole("button", { name: /^Manage Shop/ }).click();
  await page.getByRole("dialog").getByLabel("Monthly cap").fill("200");
  await page.getByRole("button", { name: "Save changes" }).click();
  await question(page).getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("200 this month").waitFor();

  const other = await openKeys(site, { ...account, ...second! });
  await other.getByRole("radio", { name: "Live" }).check();
  await other.getByRole("button", { name: /^Manage Shop/ }).click();
  await other.getByRole("button", { name: "Roll key…" }).click();
  await other.getByRole("button", { name: "Roll key", exact: true }).click();
  await question(other).getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.keyboard.press("Enter");
  await reveal(other).waitFor();
});

/** Expects that no key can be generated, and that the page explains why, with a link to the subscription. */
async function expectBarred(page: Page, why: string, link: string): Promise<void> {
  await page.getByText(why).waitFor();
  await expect.poll(() => openerButton(page).isDisabled()).toBe(true);
  const described = await openerButton(page).getAttribute("aria-describedby");
  await expect.poll(() => page.locator(`[id="${described}"]`).innerText()).toContain(why);
  await page.getByRole("link", { name: link }).click();
  await page.waitForURL("**/dashboard/settings/subscription");
}

test.each(firstOrAll(["expired", "ended"] as const))(
  "with the subscription %s it is disabled, and says why",
  async (state) => {
    const page = await openKeys(site, await createSignedIn(site.worker.db, { subscription: state }));
    await page.getByText("No test keys yet.").waitFor();
    // None of its steps is available.
    expect(await page.getByRole("region", { name: "Getting started" }).count()).toBe(0);
    await expectBarred(page, "Your subscription has ended.", "See your options");
  },
);

test("before the trial it is the checklist's disabled button, and the list's once the checklist is dismissed", async () => {
  const page = await openKeys(site, await createSignedIn(site.worker.db, { subscription: "none" }));
  const checklist = page.getByRole("region", { name: "Getting started" });
  await expect.poll(() => checklist.getByRole("button", { name: "Generate key" }).isDisabled()).toBe(true);
  await checklist.getByText("You need an active subscription to use the API.", { exact: true }).waitFor();
  await expect.poll(() => page.getByText("You need an active subscription").count()).toBe(1);
  await expect.poll(() => openerButton(page).count()).toBe(0);
  await checklist.getByRole("button", { name: "Dismiss the checklist" }).click();
  await page.getByText("You need an active subscription to use the API.", { exact: true }).waitFor();
  await expectBarred(page, "You need an active subscription to generate a key.", "Activate one");
});

test("ten keys per mode are the limit, which the page shows up front", async () => {
  const account = await createSignedIn(site.worker.db);
  for (let made = 0; made < 10; made++) await addKey(site, account);
  const page = await openKeys(site, account);
  await page.getByText("You have 10 test keys, the limit.").waitFor();
  await expect.poll(() => openerButton(page).isDisabled()).toBe(true);
  await page.getByRole("radio", { name: "Live" }).check();
  await expect.poll(() => openerButton(page).isEnabled()).toBe(true);
});

describe("a failure shows as 'Error generating API Key'", () => {
  test("with the server's message, when another tab has made the tenth key", async () => {
    const account = await createSignedIn(site.worker.db);
    const page = await openKeys(site, account);
    await page.getByText("No test keys yet").waitFor();
    for (let made = 0; made < 10; made++) await addKey(site, account);
    site.expectProblem(/^answer 409: .*\/account\/api-keys$/);
    await openForm(page);
    await generateButton(page).click();
    const text = await toastText(page, "Error generating API Key");
    expect(text).toContain("You already have 10 active keys in this mode.");
    await page.getByText("You have 10 test keys, the limit.").waitFor();
  });

  test.each(
    firstOrAll([
      [
        "a message of the server",
        { status: 429, body: '{"error":"Wait a little.","code":"RATE_LIMITED"}' },
        "Wait a little.",
      ],
      ["'Unknown error' without one", { status: 500, body: "" }, "Unknown error"],
    ]),
  )("with %s", async (_, answer, text) => {
    const page = await openKeys(site, await createSignedIn(site.worker.db));
    await page.route(KEYS, (route) => (route.request().method() === "POST" ? route.fulfill(answer) : route.fallback()));
    site.expectProblem(new RegExp(`^answer ${answer.status}: .*/account/api-keys$`));
    await openForm(page);
    await page.getByLabel("Name", { exact: true }).fill("Kept");
    await generateButton(page).click();
    expect(await toastText(page, "Error generating API Key")).toContain(text);
    // Still there when the toast is gone.
    await page.getByRole("main").getByRole("alert").getByText(text).waitFor();
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Kept");
    await page.unroute(KEYS);
    await openForm(page);
    await generateButton(page).click();
    await reveal(page).getByText("Kept").waitFor();
    await toastText(page, "API Key generated successfully");
    // It would return above the dialog once the newer toast is gone.
    const stale = page.locator("[data-sonner-toast]").filter({ hasText: "Error generating" });
    await stale.waitFor({ state: "detached", timeout: 2_000 });
  });

  longTest("with what to do when nobody answers", async () => {
    const page = await openKeys(site, await createSignedIn(site.worker.db));
    await page.route(KEYS, (route) => (route.request().method() === "POST" ? route.abort("failed") : route.fallback()));
    site.expectProblem(/^request failed: .*\/account\/api-keys/);
    await openForm(page);
    await generateButton(page).click();
    expect(await toastText(page, "Error generating API Key")).toContain("can’t reach the server");
  });
});

test("after the session has ended, the half-filled form is still there after logging in again", async () => {
  const account = await createSignedIn(site.worker.db);
  const page = await openKeys(site, account);
  await page.getByRole("radio", { name: "Live" }).check();
  const form = [page.getByLabel("Name", { exact: true }), page.getByLabel("Expires"), page.getByLabel("Monthly cap")];
  const values = () => Promise.all(form.map((field) => field.inputValue()));
  await openForm(page);
  await form[0]!.fill("Half writ");
  await form[1]!.selectOption({ label: "In 30 days" });
  await form[2]!.fill("500");
  await page.route(KEYS, (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 401, body: '{"error":"The session has expired.","code":"SESSION_EXPIRED"}' })
      : route.fallback(),
  );
  site.expectProblem(/^answer 401: .*\/account\/api-keys$/);
  await generateButton(page).click();
  await page.waitForURL("**/login");
  await changeTokenElsewhere(page, account.token);
  await page.getByRole("heading", { level: 1, name: "API Keys" }).waitFor();
  await expect.poll(values).toStrictEqual(["Half writ", "30", "500"]);
  await page.unroute(KEYS);
  await generateButton(page).click();
  await reveal(page).waitFor();
  await closeReveal(page);
  await openForm(page);
  await expect.poll(values).toStrictEqual(["", "", ""]);
});
