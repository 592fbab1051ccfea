import { expect, test } from "vitest";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import { post } from "../requests.ts";
import { closeReveal, generateButton, openForm, openKeys, reveal } from "./dashboard.keys-page.ts";
import { openSite } from "./site.ts";

const site = openSite();
const SHOP = "https://shop.example";

async function statusFrom(key: string, origin: string): Promise<number> {
  const response = await site.fetch("/verify", post(key, { number: "+5511987654321" }, { Origin: origin }));
  await response.body?.cancel();
  return response.status;
}

test("a live key for web pages is generated with origins and a cap, works from there, and can be moved", async () => {
  site.expectProblem(/^answer 400: .*\/account\/api-keys$/);
  site.expectProblem(/^answer 400: .*\/account\/api-keys\/key_/);
  site.expectProblem(/^answer 403: .*\/account\/api-keys\/key_/);
  const account = await createSignedIn(site.worker.db);
  const page = await openKeys(site, account);
  await page.getByLabel("Allowed origins").waitFor({ state: "detached" });
  await page.getByRole("radio", { name: "Live" }).check();
  await openForm(page);
  const form = page.getByRole("main");
  await form.getByLabel("Name", { exact: true }).fill("Shop");
  const origins = form.getByLabel("Allowed origins");
  await origins.fill("shop.example");
  await generateButton(page).click();
  await form.getByText("“shop.example” isn’t an origin, such as https://shop.example").waitFor();
  await expect.poll(() => origins.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => page.locator(":focus").getAttribute("id")).toBe(await origins.getAttribute("id"));
  await origins.fill(`${SHOP}/\nhttp://localhost:3000`);
  await generateButton(page).click();
  await form.getByText("Required with allowed origins").waitFor();
  await form.getByLabel("Monthly cap").fill("500");
  await generateButton(page).click();
  await reveal(page).getByText(`-H "Origin: ${SHOP}"`).waitFor();
  expect(await reveal(page).getByRole("tab", { name: "Try it here" }).count()).toBe(0);
  const key = await reveal(page).locator("[data-api-key]").innerText();
  await closeReveal(page);
  expect(await statusFrom(key, SHOP)).toBe(200);
  expect(await statusFrom(key, "https://evil.example")).toBe(403);
  await page.getByRole("row", { name: /^Shop/ }).getByText("Pages of shop.example and 1 more").waitFor();
  await openForm(page);
  await expect.poll(() => origins.inputValue()).toBe("");

  // Later, with a password given a while ago.
  const stale = await createSession(site.worker.db, account.id, { passwordAt: Date.now() - 11 * 60_000 });
  const later = await openKeys(site, { ...account, ...stale });
  await later.getByRole("radio", { name: "Live" }).check();
  await later.getByRole("button", { name: /^Manage Shop/ }).click();
  const dialog = later.getByRole("dialog", { name: /^Manage / });
  const save = dialog.getByRole("button", { name: "Save changes" });
  await dialog.getByLabel("Allowed origins").fill("");
  await save.click();
  await dialog.getByText("Must keep at least one").waitFor();
  await dialog.getByLabel("Allowed origins").fill("https://new.example");
  await dialog.getByLabel("Monthly cap").fill("");
  await save.click();
  await dialog.getByText("Required with allowed origins").waitFor();
  await dialog.getByLabel("Monthly cap").fill("500");
  await save.click();
  const question = later.getByRole("alertdialog", { name: "Enter your password" });
  await question.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await later.keyboard.press("Enter");
  await later.getByRole("row", { name: /^Shop/ }).getByText("Pages of new.example").waitFor();
  await expect.poll(() => statusFrom(key, SHOP)).toBe(403);
  expect(await statusFrom(key, "https://new.example")).toBe(200);
});
