import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createSignedIn } from "../factories.ts";
import { addKey, openDashboard } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();

function field(page: Page) {
  return page.getByRole("combobox", { name: "Search or jump to" });
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await field(page).and(page.locator(":focus")).waitFor();
}

function selected(page: Page) {
  return page.locator("[role=option][data-highlighted]");
}

test("by keyboard alone it opens pages, a key in its mode, and a call by its request ID", async () => {
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account, "live", "Web shop");
  const page = await openDashboard(site, account, "/dashboard/reports");
  await openPalette(page);
  // Without a query, everything it can do, and nothing of the docs.
  await page.getByRole("option", { name: /^Web shop/ }).waitFor();
  expect(await selected(page).innerText()).toBe("Generate a test key");

  await page.keyboard.type("secu");
  await selected(page).getByText("Security").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/settings/security");
  await field(page).waitFor({ state: "detached" });

  await openPalette(page);
  await page.keyboard.type("shop");
  await selected(page).getByText("Web shop").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  await page.getByRole("banner").getByText("Live mode").waitFor();

  await openPalette(page);
  await page.keyboard.type("req_mL0bZOMMPsCIw4ASx4v5");
  await selected(page).getByText("Find req_mL0bZOMMPsCIw4ASx4v5").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/activity?request=req_mL0bZOMMPsCIw4ASx4v5");
});

test("commands come before the docs; arrow keys pass from one to the other", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db));
  await openPalette(page);
  await page.keyboard.type("sub");
  await selected(page).getByText("Subscription", { exact: true }).waitFor();
  const docs = page.getByRole("group", { name: "Docs" }).getByRole("option");
  await docs.first().waitFor();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => docs.first().getAttribute("data-highlighted")).not.toBeNull();
  const id = await docs.first().getAttribute("id");
  await expect.poll(() => field(page).getAttribute("aria-activedescendant")).toBe(id);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/**");
});

test("it switches to another theme or mode in place, closes with Escape, and gives the focus back to its button", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db));
  await openPalette(page);
  await page.keyboard.type("dark");
  await selected(page).getByText("Use the dark theme").waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  await openPalette(page);
  const switches = page.getByRole("option", { name: /^(Switch to|Use the)/ });
  await expect
    .poll(async () => (await switches.allInnerTexts()).map((text) => text.split("\n")[0]))
    .toStrictEqual(["Switch to live mode", "Use the light theme", "Use the system theme"]);
  await page.keyboard.press("Escape");
  await field(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Search or jump to" }).click();
  await field(page).fill("live mode");
  await page.getByRole("option", { name: /Switch to live mode/ }).click();
  await page.getByRole("banner").getByText("Live mode").waitFor();
  await page.getByRole("button", { name: "Search or jump to" }).click();
  await field(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await field(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Search or jump to" }).and(page.locator(":focus")).waitFor();
});

test("it generates keys and verifies a typed number, from the keys' page too", async () => {
  const page = await openDashboard(site, await createSignedIn(site.worker.db));
  await openPalette(page);
  await page.keyboard.type("billing");
  await selected(page).getByText("Subscription", { exact: true }).waitFor();
  await field(page).fill("new key");
  await selected(page).getByText("Generate a test key").waitFor();
  await page.keyboard.press("ArrowDown");
  await selected(page).getByText("Generate a live key").waitFor();
  await page.keyboard.press("Enter");
  await page.getByLabel("Monthly cap").waitFor();
  await page.getByLabel("Name", { exact: true }).and(page.locator(":focus")).waitFor();

  await openPalette(page);
  await page.keyboard.type("+1 415 555 2671");
  await selected(page).getByText("Verify +1 415 555 2671 in Try it").waitFor();
  // The chosen option's group is named above it.
  await page.getByRole("listbox", { name: "Results" }).getByRole("option").first().waitFor();
  await page.setViewportSize({ width: 1280, height: 665 });
  await expect.poll(() => page.evaluate("document.querySelector('[role=listbox]').parentElement.scrollTop")).toBe(0);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard#try");
  await expect.poll(() => page.getByLabel("Number to send").inputValue()).toBe("+1 415 555 2671");
  // The browser keeps no number.
  await expect.poll(() => page.evaluate<string>("JSON.stringify(history.state)")).not.toContain("555");
});
