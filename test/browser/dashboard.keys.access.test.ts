import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { createSignedIn } from "../factories.ts";
import { firstOrAll } from "../long.ts";
import { toastText } from "./auth.ts";
import { axeEverywhere } from "./axe.ts";
import { generate, openerButton, openKeys, openTry, reveal } from "./dashboard.keys-page.ts";
import { focused } from "./live.ts";
import { addKey } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();

/** Presses Tab until the control with this name has focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press("Tab");
    if ((await focused(page)).includes(name)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

test("everything works with only the keyboard", async () => {
  const page = await openKeys(site, await createSignedIn(site.worker.db));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("No test keys yet").waitFor();
  await tabTo(page, "Generate key");
  await page.keyboard.press("Enter");
  await page.getByLabel("Name", { exact: true }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Typed");
  await page.keyboard.press("Enter");
  await reveal(page).and(page.locator(":focus")).waitFor();
  await tabTo(page, "Copy API key");
  await page.keyboard.press("Enter");
  await toastText(page, "Copied");
  await tabTo(page, "With curl");
  await page.keyboard.press("ArrowRight");
  await tabTo(page, "Send request");
  await page.keyboard.press("Enter");
  await reveal(page).getByText("200 OK").waitFor();
  await tabTo(page, "I’ve saved it");
  await page.keyboard.press("Enter");
  await reveal(page).waitFor({ state: "detached" });
  await page.getByRole("row", { name: /Typed/ }).waitFor();
  // The form is closed again; the list is below its button.
  await openerButton(page).and(page.locator(":focus")).waitFor();
  await tabTo(page, "Revoke Typed");
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").waitFor();
  await expect.poll(() => focused(page)).toBe("Cancel");
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toBe("Revoke key");
  await page.keyboard.press("Enter");
  await toastText(page, "API Key revoked");
  await page.getByText("No test keys yet").waitFor();
});

describe("axe has no findings", () => {
  test("on the first visit, without a subscription", async () => {
    const page = await openKeys(site, await createSignedIn(site.worker.db, { subscription: "none" }));
    await page.getByRole("region", { name: "Getting started" }).waitFor();
    expect(await page.getByRole("region", { name: "All-time stats" }).getByText("No data yet").count()).toBe(4);
    expect(await page.getByText("No test keys yet").count()).toBe(0);
    expect(await axeEverywhere(page)).toStrictEqual([]);
  });

  test("with a key and a response", async () => {
    const account = await createSignedIn(site.worker.db);
    const { apiKey } = await addKey(site, account, "test", "Listed");
    const page = await openKeys(site, account);
    await openTry(page);
    await page.getByText("Use a specific key").click();
    await page.getByLabel("Your API key").fill(apiKey);
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("200 OK").waitFor();
    expect(await axeEverywhere(page)).toStrictEqual([]);
  });

  test.each(
    firstOrAll([
      [/^Revoke Listed/, "Revoke this key?"],
      [/^Revoke all/, "Revoke all test keys?"],
    ]),
  )("where %s asks", async (button, title) => {
    const account = await createSignedIn(site.worker.db);
    await addKey(site, account, "test", "Listed");
    await addKey(site, account, "test", "Second");
    const page = await openKeys(site, account);
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("alertdialog", { name: title }).waitFor();
    expect(await axeEverywhere(page)).toStrictEqual([]);
  });

  test("in the dialog of a new key", async () => {
    const page = await openKeys(site, await createSignedIn(site.worker.db));
    await generate(page);
    expect(await axeEverywhere(page)).toStrictEqual([]);
  });

  test("where it asks before the key is lost", async () => {
    const page = await openKeys(site, await createSignedIn(site.worker.db));
    await generate(page);
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").waitFor();
    expect(await axeEverywhere(page)).toStrictEqual([]);
  });

  test("where a new key was tried", async () => {
    const page = await openKeys(site, await createSignedIn(site.worker.db));
    await generate(page);
    await page.getByRole("tab", { name: "Try it here" }).click();
    await reveal(page).getByRole("button", { name: "Send request" }).click();
    await reveal(page).getByText("200 OK").waitFor();
    expect(await axeEverywhere(page)).toStrictEqual([]);
  });
});

test.each(firstOrAll([320, 375]))("nothing is wider than %d pixels, the dialog included", async (width) => {
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account, "test", "W".repeat(100));
  const page = await openKeys(site, account, { width, height: 640 });
  await page.getByRole("row", { name: /WWW/ }).waitFor();
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  await generate(page, "W".repeat(100));
  const box = await reveal(page).boundingBox();
  expect(box!.x).toBeGreaterThanOrEqual(0);
  expect(box!.x + box!.width).toBeLessThanOrEqual(width);
});
