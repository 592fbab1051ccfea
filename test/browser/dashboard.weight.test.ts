import { expect, test } from "vitest";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { openLive } from "./live.ts";
import { logIn, signedInPage, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";
import { hasDashboard, watchScripts, weightOf } from "./weight.ts";
import type { Script } from "./weight.ts";

const site = openSite();

/** The budget for compressed JavaScript of the dashboard's first page, in bytes. */
const BUDGET = 250_000;

/** Whether the reader of CSV is among the scripts, by what no other code contains. */
function hasReader(scripts: readonly Script[]): boolean {
  return scripts.some(({ text }) => text.includes("closed where its cell ends"));
}

test("the first page loads less than 250 KB of JavaScript; CSV comes with the page that needs it", async () => {
  const account = await createSignedIn(site.worker.db);
  await storeUsage(site, account, [{ country: "BR", count: 3 }]);
  const page = await signedInPage(site, account.token);
  // The other pages' code, which comes when the browser is idle, isn't the first page's.
  await page.addInitScript("window.requestIdleCallback = () => 0");
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

test("a visitor of the dashboard gets the login page, whose scripts alone are requested", async () => {
  const { email } = await createSignedIn(site.worker.db);
  const page = await site.newPage();
  const requested = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") requested.add(new URL(request.url()).pathname);
  });
  await page.goto("/dashboard/reports?mode=both#usage", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Log in" }).waitFor();
  const ofLogin = (await site.fetch("/login").then((response) => response.text())).match(/\/assets\/[^"]+\.js/g);
  expect([...requested].toSorted()).toStrictEqual([...new Set(ofLogin)].toSorted());

  await logIn(page, email, PASSWORD);
  await page.waitForURL("**/dashboard/reports?mode=both#usage");
  await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
});

test("a visitor's link to the dashboard loads it only after the login", async () => {
  const { email } = await createSignedIn(site.worker.db);
  const page = await site.newPage();
  const loaded = watchScripts(page);
  await openLive(page);
  await page.getByRole("main").getByRole("link", { name: "Get Started" }).first().click();
  // What it offers newcomers, for which the link has a state.
  await page.getByRole("heading", { level: 1, name: "Get started" }).waitFor();
  expect(hasDashboard(await loaded())).toBe(false);

  await logIn(page, email, PASSWORD);
  await page.waitForURL("**/dashboard");
  await page.getByRole("heading", { level: 1, name: "API Keys" }).waitFor();
  expect(hasDashboard(await loaded())).toBe(true);
});
