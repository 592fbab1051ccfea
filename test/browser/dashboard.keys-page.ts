import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";
import type { SignedIn } from "../factories.ts";
import { post } from "../requests.ts";
import { signedInPage } from "./signed-in.ts";
import type { Site } from "./site.ts";
import type { TabOptions } from "./tab.ts";

/** Opens the API keys page in a logged-in profile. */
export async function openKeys(site: Site, { token }: SignedIn, options?: TabOptions): Promise<Page> {
  const page = await signedInPage(site, token, options);
  await page.goto("/dashboard");
  await page.getByRole("heading", { level: 1, name: "API Keys" }).waitFor();
  return page;
}

/** Generates the key of the form. */
export function generateButton(page: Page): Locator {
  return page.locator("main form").getByRole("button", { name: "Generate key", exact: true });
}

/** Opens the form of another key. */
export function openerButton(page: Page): Locator {
  return page.locator("[data-generate]").filter({ hasText: "Generate key" });
}

/** Opens it, if it isn't open. */
export async function openForm(page: Page): Promise<void> {
  await page.locator("[data-generate]").waitFor();
  if (await openerButton(page).isVisible()) await openerButton(page).click();
}

/** Opens the form that sends a number with a pasted key. */
export function openTry(page: Page): Promise<void> {
  return page.getByRole("tab", { name: "Try it", exact: true }).click();
}

export function reveal(page: Page): Locator {
  return page.getByRole("dialog", { name: "Your new API key" });
}

/** Generates a key and returns what the dialog shows. */
export async function generate(page: Page, name = ""): Promise<string> {
  await openForm(page);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await generateButton(page).click();
  await reveal(page).waitFor();
  return reveal(page).locator("[data-api-key]").innerText();
}

/** Closes the dialog of a new key. */
export async function closeReveal(page: Page): Promise<void> {
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await reveal(page).waitFor({ state: "detached" });
}

/** The status of a call with a key, made outside the page. */
export async function statusWith(site: Site, key: string, number = "+5511987654321"): Promise<number> {
  const response = await site.fetch("/api/v1/verify", post(key, { number }));
  await response.body?.cancel();
  return response.status;
}

/** Runs in the page: everything that the page and the browser have stored. */
const KEPT = `
  [
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll("input, textarea, select")].map(({ value }) => value),
    JSON.stringify({ ...localStorage }),
    JSON.stringify({ ...sessionStorage }),
    JSON.stringify(history.state),
    location.href,
    document.cookie,
  ].join("\\n")
`;

/** Expects that neither the document nor the browser's storage contains a text. */
export async function expectForgotten(page: Page, secret: string): Promise<void> {
  expect(await page.evaluate<string>(KEPT)).not.toContain(secret);
}
