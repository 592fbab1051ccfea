import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { apiKeys } from "../../schema.ts";
import { createSignedIn } from "../factories.ts";
import { longTest } from "../long.ts";
import { CUT_OFF, toastText } from "./auth.ts";
import { openKeys, statusWith } from "./dashboard.keys-page.ts";
import { addKey, signedInPage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();

function revokeButton(page: Awaited<ReturnType<typeof openKeys>>, name: string) {
  return page.getByRole("button", { name: new RegExp(`^Revoke ${name}, ch_`) });
}

test("a key is listed with all its details", async () => {
  const account = await createSignedIn(site.worker.db);
  const { hint, createdAt } = await addKey(site, account, "test", "Laptop");
  const page = await openKeys(site, account);
  const row = page.getByRole("row", { name: /^Laptop/ });
  const text = await row.innerText();
  for (const part of ["Laptop", "test", `ch_test_…${hint}`, "Never used"]) expect(text).toContain(part);
  const time = row.locator("time");
  await expect.poll(() => time.getAttribute("datetime")).toBe(new Date(createdAt).toISOString());
  await expect.poll(() => time.getAttribute("title")).toMatch(/^\w{3} \d+, \d{4}, \d+:\d\d/);
  await row.getByRole("button", { name: /^Manage Laptop/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Manage / });
  await dialog.getByText(/^Created \w{3} \d+, \d{4}/).waitFor();
  await dialog.getByRole("button", { name: "Revoke key…" }).click();
  await page.getByRole("alertdialog", { name: "Revoke this key?" }).waitFor();
});

test("the mode says whose keys are shown, and links to those of the other", async () => {
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account, "test", "Laptop");
  await addKey(site, account, "live", "Server");
  const page = await openKeys(site, account);
  await page.getByRole("row", { name: /^Laptop/ }).waitFor();
  await expect.poll(() => page.getByRole("row", { name: /^Server/ }).count()).toBe(0);
  await page.getByText("You also have 1 live key.").waitFor();
  await page.getByRole("button", { name: "Show live keys" }).click();
  await page.getByRole("row", { name: /^Server/ }).waitFor();
  await expect.poll(() => page.getByRole("row", { name: /^Laptop/ }).count()).toBe(0);
  await expect.poll(() => page.getByRole("radio", { name: "Live" }).isChecked()).toBe(true);
});

test("one key is revoked after confirmation, and stops working", async () => {
  const account = await createSignedIn(site.worker.db);
  const gone = await addKey(site, account, "test", "Old laptop");
  const kept = await addKey(site, account, "test", "New one");
  const page = await openKeys(site, account);
  await revokeButton(page, "Old laptop").click();
  const dialog = page.getByRole("alertdialog", { name: "Revoke this key?" });
  await dialog.getByText(`ch_test_…${gone.hint}`).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await statusWith(site, gone.apiKey)).toBe(200);

  await revokeButton(page, "Old laptop").click();
  await dialog.getByRole("button", { name: "Revoke key" }).dblclick();
  expect(await toastText(page, "API Key revoked")).toContain("within two minutes");
  await expect.poll(() => page.getByRole("row", { name: /^Old laptop/ }).count()).toBe(0);
  expect(await statusWith(site, gone.apiKey)).toBe(401);
  expect(await statusWith(site, kept.apiKey)).toBe(200);
  await expect.poll(() => page.locator(":focus").textContent()).toBe("Test keys 1 of 10 active");
});

test("all keys of a mode are revoked, and those of the other stay", async () => {
  const account = await createSignedIn(site.worker.db);
  const first = await addKey(site, account, "test", "First");
  await addKey(site, account, "test", "Second");
  const live = await addKey(site, account, "live", "Server");
  const page = await openKeys(site, account);
  await page.getByRole("button", { name: "Revoke all" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Revoke all test keys?" });
  await expect.poll(() => dialog.innerText()).toContain("all 2 test keys");
  await dialog.getByRole("button", { name: "Revoke all" }).click();
  expect(await toastText(page, "API Key revoked")).toContain("All test keys stop working");
  await page.getByText("No test keys yet").waitFor();
  expect(await statusWith(site, first.apiKey)).toBe(401);
  expect(await statusWith(site, live.apiKey)).toBe(200);
});

test("expired keys are folded away, and can be removed", async () => {
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account, "test", "Laptop");
  for (const name of ["Old", "Older"]) {
    const { id } = await addKey(site, account, "test", name);
    await site.worker.db
      .update(apiKeys)
      .set({ expiresAt: Date.now() - 1000 })
      .where(eq(apiKeys.id, id));
  }
  const page = await openKeys(site, account);
  await page.getByRole("row", { name: /^Laptop/ }).waitFor();
  // One working key has its own button.
  await expect.poll(() => page.getByRole("button", { name: "Revoke all" }).count()).toBe(0);
  const old = page.getByRole("row", { name: /^Old/ });
  await expect.poll(() => old.count()).toBe(0);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => old.count()).toBe(2);
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "Show 2 expired keys", expanded: false }).click();
  await expect.poll(() => old.count()).toBe(2);
  await page.getByRole("button", { name: /^Remove Older, ch_/ }).click();
  const dialog = page.getByRole("alertdialog", { name: "Remove this key?" });
  await dialog.getByRole("button", { name: "Remove key" }).click();
  await toastText(page, "Key removed");
  await expect.poll(() => old.count()).toBe(1);
  await page.getByRole("button", { name: "Hide 1 expired key", expanded: true }).click();
  await expect.poll(() => old.count()).toBe(0);
});

test("a failed attempt says so in its dialog, and can be repeated", async () => {
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account, "live", "Server");
  const page = await openKeys(site, account);
  await page.getByRole("radio", { name: "Live" }).check();
  const error = "The service is temporarily unavailable.";
  await page.route("**/api/v1/account/api-keys/**", (route) =>
    route.fulfill({ status: 503, json: { error, code: "TEMPORARILY_UNAVAILABLE" } }),
  );
  site.expectProblem(/^answer 503: .*\/account\/api-keys\//);
  await page.getByRole("button", { name: /^Manage Server/ }).click();
  const manage = page.getByRole("dialog", { name: /^Manage / });
  await manage.getByLabel("Name").fill("Shop");
  await manage.getByRole("button", { name: "Save changes" }).click();
  await manage.getByRole("alert").getByText(error).waitFor();
  await expect.poll(() => manage.getByLabel("Name").inputValue()).toBe("Shop");
  await manage.getByRole("button", { name: "Roll key…" }).click();
  const roll = page.getByRole("dialog", { name: "Roll Server" });
  await roll.getByRole("button", { name: "Roll key" }).click();
  await roll.getByRole("alert").getByText(error).waitFor();
  await roll.getByRole("button", { name: "Cancel" }).click();

  await revokeButton(page, "Server").click();
  const revoke = page.getByRole("alertdialog", { name: "Revoke this key?" });
  await revoke.getByRole("button", { name: "Revoke key" }).click();
  await revoke.getByRole("alert").getByText(error).waitFor();
  await page.unroute("**/api/v1/account/api-keys/**");
  await revoke.getByRole("button", { name: "Revoke key" }).click();
  await revoke.waitFor({ state: "detached" });
  await page.getByText("No live keys yet").waitFor();
});

test("a key that another tab has revoked shows the server's message, and leaves the list", async () => {
  const account = await createSignedIn(site.worker.db);
  const { id } = await addKey(site, account, "test", "Twice");
  const page = await openKeys(site, account);
  await revokeButton(page, "Twice").click();
  const headers = { Authorization: `Bearer ${account.token}` };
  expect((await site.fetch(`/api/v1/account/api-keys/${id}`, { method: "DELETE", headers })).status).toBe(200);
  site.expectProblem(/^answer 404: .*\/account\/api-keys\//);
  await page.getByRole("button", { name: "Revoke key" }).click();
  expect(await toastText(page, "Error revoking API Key")).toContain("There's no active key with this ID.");
  await page.getByText("No test keys yet").waitFor();
});

longTest("a list that cannot be read says so, and can be asked for again", async () => {
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account, "test", "Late");
  const page = await signedInPage(site, account.token);
  let requests = 0;
  await page.route("**/api/v1/account/api-keys", (route) => {
    requests += 1;
    return route.fulfill({ status: 400, body: '{"error":"Not now.","code":"X"}' });
  });
  site.expectProblem(/^answer 400: .*\/account\/api-keys$/);
  await page.clock.install();
  await page.goto("/dashboard");
  const notice = page.getByRole("alert").filter({ hasText: "Couldn’t load your keys" });
  await expect.poll(() => notice.innerText()).toContain("Not now.");
  // No later attempt hides it.
  const asked = requests;
  await page.clock.runFor(61_000);
  expect(requests).toBe(asked);
  await page.unroute("**/api/v1/account/api-keys");
  await notice.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("row", { name: /^Late/ }).waitFor();
});

test("without a connection one notice says so, and the list comes back with it", async () => {
  site.expectProblem(CUT_OFF);
  const account = await createSignedIn(site.worker.db);
  await addKey(site, account, "test", "Late");
  const page = await signedInPage(site, account.token);
  const cut = /\/account\/(api-keys|reports)/;
  await page.route(cut, (route) => route.abort("connectionrefused"));
  await page.goto("/dashboard");
  const notice = page.getByRole("alert").filter({ hasText: "Couldn’t load your keys" });
  await expect.poll(() => notice.innerText()).toContain("We can’t reach the server.");
  await page.getByText("Couldn’t load countries.").waitFor();
  // Those of forms are empty.
  const alerts = page.getByRole("main").getByRole("alert").filter({ hasText: /\S/ });
  await expect.poll(() => alerts.allInnerTexts()).toHaveLength(1);
  await page.unroute(cut);
  await page.evaluate('for (const type of ["offline", "online"]) dispatchEvent(new Event(type))');
  await page.getByRole("row", { name: /^Late/ }).waitFor();
});
