import { and, eq, isNull } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { apiKeys, securityEvents } from "../../schema.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { newId } from "../../worker/platform/random.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { CUT_OFF, fillIn, readToast } from "./auth.ts";
import { openDashboard } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const NEW = "another password";
const DAY_MS = 86_400_000;

/** An account that has logged in from Chrome on Linux for two days. */
async function createOwner(): Promise<SignedIn> {
  const account = await createSignedIn(site.worker.db);
  const login = { kind: "log_in", browser: "Chrome on Linux", at: Date.now() - 2 * DAY_MS } as const;
  await site.worker.db.insert(securityEvents).values({ id: newId("evt"), userId: account.id, ...login });
  return account;
}

function addKey({ id: userId }: SignedIn, name: string, createdFrom: string, ago = 0) {
  return insertApiKey({ db: site.worker.db, now: Date.now() - ago, userId, mode: "live", name, createdFrom });
}

async function changePassword(page: Page): Promise<void> {
  await fillIn(page, { old_password: PASSWORD, new_password: NEW, confirm_password: NEW });
  await page.getByRole("button", { name: "Change password" }).click();
}

const review = (page: Page) => page.getByRole("alertdialog", { name: "Review your API keys" });

/** The names of the account's working keys. */
async function workingKeys({ id }: SignedIn): Promise<string[]> {
  const working = and(eq(apiKeys.userId, id), isNull(apiKeys.revokedAt));
  return (await site.worker.db.select().from(apiKeys).where(working)).map(({ name }) => name).toSorted();
}

async function selected(page: Page): Promise<string[]> {
  const names = await review(page)
    .getByRole("listitem")
    .filter({ has: page.locator(":checked") })
    .allInnerTexts();
  return names.map((text) => text.split("\n")[0]!);
}

test("a new password offers to revoke keys: one made today from a new device is selected", async () => {
  const owner = await createOwner();
  await addKey(owner, "Production", "Chrome on Linux", 40 * DAY_MS);
  await addKey(owner, "Old phone", "Safari on iPhone, Brazil", 2 * DAY_MS);
  const page = await openDashboard(site, owner, "/dashboard/settings/security");
  // After the page has read its data.
  await addKey(owner, "Theirs", "Safari on iPhone, Brazil");
  await changePassword(page);
  await review(page).waitFor();
  expect(await selected(page)).toStrictEqual(["Theirs"]);
  const theirs = review(page).getByRole("listitem").filter({ hasText: "Theirs" });
  for (const words of ["New device", "ch_live_…", "from Safari on iPhone, Brazil", "Never used"]) {
    expect(await theirs.innerText()).toContain(words);
  }
  await review(page)
    .getByRole("checkbox", { name: /Old phone/ })
    .check();
  await review(page).getByRole("button", { name: "Revoke selected" }).click();
  await review(page).waitFor({ state: "detached" });
  await expect.poll(async () => (await readToast(page))[0]).toBe("API Keys revoked");
  expect(await workingKeys(owner)).toStrictEqual(["Production"]);
});

test("all can be kept; without a new device none is selected, and nothing can be revoked", async () => {
  const owner = await createOwner();
  await addKey(owner, "Production", "Chrome on Linux");
  const page = await openDashboard(site, owner, "/dashboard/settings/security");
  await changePassword(page);
  await review(page).waitFor();
  expect(await selected(page)).toStrictEqual([]);
  expect(await review(page).getByRole("button", { name: "Revoke selected" }).isDisabled()).toBe(true);
  await review(page).getByRole("button", { name: "Keep all" }).click();
  await review(page).waitFor({ state: "detached" });
  expect(await workingKeys(owner)).toStrictEqual(["Production"]);
});

test("a failure is shown, and what was not revoked stays selected; a key revoked elsewhere is no failure", async () => {
  site.expectProblem(CUT_OFF);
  site.expectProblem(/^answer 404: .*\/api-keys\/key_/);
  const owner = await createOwner();
  // Newest first, as they are listed and revoked.
  const keys = await Promise.all(
    ["One", "Two", "Three"].map((name, index) => addKey(owner, name, "Safari on iPhone", index * 1000)),
  );
  const page = await openDashboard(site, owner, "/dashboard/settings/security");
  await changePassword(page);
  await review(page).waitFor();
  const [one, two] = keys;
  await site.worker.db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.id, one!.id));
  await page.route(`**/api-keys/${two!.id}`, (route) => route.abort("connectionrefused"));
  await review(page).getByRole("button", { name: "Revoke selected" }).click();
  await review(page).getByRole("alert").waitFor();
  await expect.poll(() => selected(page)).toContain("Two");
  await page.unroute(`**/api-keys/${two!.id}`);
  await review(page).getByRole("button", { name: "Revoke selected" }).click();
  await review(page).waitFor({ state: "detached" });
  expect(await workingKeys(owner)).toStrictEqual([]);
});
