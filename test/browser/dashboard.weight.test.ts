import { expect, test } from "vitest";
import { createSignedIn } from "../factories.ts";
import { signedInPage, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";
import { hasDashboard, watchScripts, weightOf } from "./weight.ts";
import type { Script } from "./weight.ts";

const site = openSite();

/** The budget for compressed JavaScript of the dashboard's first page, in bytes. */
const BUDGET = 250_000;

/** Whether the reader of CSV is among the scripts, by what no other code contains. */
function hasReader(scripts: readonly Script[]): boolean {
  return scripts.some(({ text }) => text.includes("BAD_DELIMITERS"));
}

test("the first page loads less than 250 KB of JavaScript; CSV comes with the page that needs it", async () => {
  const account = await createSignedIn(site.worker.db);
  await storeUsage(site, account, [{ country: "BR", count: 3 }]);
  const page = await signedInPage(site, account.token);
  const loaded = watchScripts(page);
  // Reloaded, with nothing left over from the previous page.
  await page.goto("/dashboard", { waitUntil: "networkidle" });
  await page.getByRole("region", { name: "All-time stats" }).getByText("Brazil").waitFor();
  const first = await loaded();
  expect(first.length).toBeGreaterThan(5);
  expect(weightOf("/dashboard", first)).toBeLessThan(BUDGET);
  expect(hasDashboard(first)).toBe(true);
  expect(hasReader(first)).toBe(false);

  const sections = page.getByRole("navigation", { name: "Dashboard" });
  await sections.getByRole("link", { name: "Bulk verify" }).click();
  await page.getByLabel("Numbers", { exact: true }).waitFor();
  expect(hasReader(await loaded())).toBe(true);
});
