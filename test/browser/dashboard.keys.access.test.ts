import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { createSignedIn } from "../factories.ts";
import { toastText } from "./auth.ts";
import { openerButton, openKeys, reveal } from "./dashboard.keys-page.ts";
import { focused } from "./live.ts";
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
  // The checklist's, then the list's.
  await tabTo(page, "Generate key");
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
  await page.getByRole("row", { name: /^Typed/ }).waitFor();
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
