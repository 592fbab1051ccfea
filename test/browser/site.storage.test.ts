import { expect, test } from "vitest";
import { BULK_DATABASE } from "../../web/lib/session/kept-check.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { openLive } from "./live.ts";
import { logIn } from "./signed-in.ts";
import { openForm } from "./dashboard.keys-page.ts";
import { openSite } from "./site.ts";

const site = openSite();

/** What a browser stores during a visit without a session, according to the privacy policy. */
const LOCAL = ["changelog-seen", "language", "theme"];
const SESSION = ["react-router-scroll-positions"];

test("a visit stores in the browser what the privacy policy lists, and no cookies", async () => {
  const page = await site.newPage();
  await openLive(page);
  await page.getByRole("tab", { name: "Ruby" }).click();
  await page.getByRole("group", { name: "Theme" }).getByText("Dark", { exact: true }).click();
  await page.getByLabel("Phone number").fill("+55 11 98765 4321");
  await page.getByRole("contentinfo").getByRole("link", { name: "Changelog" }).click();
  await page.getByRole("heading", { name: "Changelog" }).waitFor();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await page.getByRole("heading", { name: "Privacy policy" }).waitFor();

  // Scroll positions are stored when a page is left.
  await page.reload();
  expect((await page.evaluate<string[]>("Object.keys(localStorage)")).toSorted()).toEqual(LOCAL);
  expect((await page.evaluate<string[]>("Object.keys(sessionStorage)")).toSorted()).toEqual(SESSION);
  expect(await page.context().cookies()).toEqual([]);
  const policy = await page.getByRole("main").innerText();
  for (const key of LOCAL) expect(policy).toContain(key);
  expect(policy).toContain("each page’s scroll position");
  expect(policy).toContain(BULK_DATABASE);
});

test("a session stores itself, the mode, and the dismissed checklist, and deletes itself", async () => {
  const { email } = await createSignedIn(site.worker.db);
  const page = await site.newPage();
  async function keys(): Promise<string[][]> {
    return page.evaluate<string[][]>(
      "[localStorage, sessionStorage].map((storage) => Object.keys(storage).toSorted())",
    );
  }
  await page.goto("/login");
  await logIn(page, email, PASSWORD);
  await page.getByRole("button", { name: "Dismiss the checklist" }).click();
  await page.getByRole("radio", { name: "Live" }).check();
  await openForm(page);
  await page.getByLabel("Name", { exact: true }).fill("Half a name");
  await page.reload();
  await page.getByRole("banner").getByText("Live mode").waitFor();
  await expect
    .poll(() => keys())
    .toStrictEqual([
      ["authToken", "checklist-dismissed"],
      ["mode", ...SESSION],
    ]);
  expect(await page.context().cookies()).toEqual([]);

  await page.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL("**/login");
  await expect.poll(() => keys()).toStrictEqual([["checklist-dismissed"], SESSION]);
});
