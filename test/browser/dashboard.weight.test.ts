import { expect, test } from "vitest";
import { createSignedIn } from "../factories.ts";
import { signedInPage, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";
import { watchScripts, weightOf } from "./weight.ts";
import type { Script } from "./weight.ts";

const site = openSite();

/** The budget for compressed JavaScript of the dashboard's first page, in bytes. */
const BUDGET = 220_000;

/** A string unique to each library's code. */
const MARKS = { recharts: "recharts-surface", papaparse: "BAD_DELIMITERS" } as const;

function has(scripts: readonly Script[], library: keyof typeof MARKS): boolean {
  return scripts.some(({ text }) => text.includes(MARKS[library]));
}

test("the first page loads less than 220 KB of JavaScript; chart and CSV load with the pages that need them", async () => {
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
  expect(has(first, "recharts")).toBe(false);
  expect(has(first, "papaparse")).toBe(false);

  const sections = page.getByRole("navigation", { name: "Dashboard" });
  await sections.getByRole("link", { name: "Bulk check" }).click();
  await page.getByLabel("Numbers", { exact: true }).waitFor();
  expect(has(await loaded(), "papaparse")).toBe(true);
  expect(has(await loaded(), "recharts")).toBe(false);
  await sections.getByRole("link", { name: "Reports" }).click();
  await page.locator("[data-chart] svg").first().waitFor();
  expect(has(await loaded(), "recharts")).toBe(true);
});
