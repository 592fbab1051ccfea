import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { subscriptions, users } from "../../schema.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { post } from "../requests.ts";
import { everyRow } from "../stored.ts";
import { longTest } from "../long.ts";
import { answerCalls, complaints, fillIn, readToast } from "./auth.ts";
import { focused } from "./live.ts";
import { addKey, openDashboard, storedToken, storeUsage } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const DETAILS = "/dashboard/settings";
const SECURITY = "/dashboard/settings/security";
const NEW_PASSWORD = "another password";

function logInStatus(email: string, password: string): Promise<number> {
  return site.fetch("/api/v1/auth/login", post(null, { email, password })).then(async (answer) => {
    await answer.body?.cancel();
    return answer.status;
  });
}

/** A session whose password was given a while ago. */
function staleSession({ id }: SignedIn) {
  return createSession(site.worker.db, id, { passwordAt: Date.now() - 11 * 60_000 });
}

async function change(page: Page, old: string, next: string, again = next): Promise<void> {
  await fillIn(page, { old_password: old, new_password: next, confirm_password: again });
  await page.getByRole("button", { name: "Change password" }).click();
}

test("the name is changed in place, and in the header", async () => {
  const account = await createSignedIn(site.worker.db);
  const page = await openDashboard(site, account, DETAILS);
  const edit = page.getByRole("button", { name: "Edit name" });
  await edit.click();
  await expect.poll(() => focused(page)).toBe("name");
  await page.keyboard.type(" ");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => complaints(page)).toStrictEqual({ name: "Name is required" });
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => focused(page)).toBe("Edit name");
  await edit.click();
  await page.keyboard.type(" Ada King ");
  await page.keyboard.press("Enter");
  await expect.poll(() => readToast(page)).toStrictEqual(["Name updated"]);
  await expect.poll(() => focused(page)).toBe("Edit name");
  await page.getByRole("banner").getByText("Ada King", { exact: true }).waitFor();
  await page.reload();
  await page.getByRole("main").getByText("Ada King", { exact: true }).waitFor();
});

describe("subscription", () => {
  test("shows the expiry in US format, the days left, and the usage as a meter", async () => {
    const account = await createSignedIn(site.worker.db);
    const expiresAt = Date.now() + 3 * 86_400_000 - 60_000;
    await site.worker.db
      .update(subscriptions)
      .set({ startedAt: expiresAt - 14 * 86_400_000, expiresAt })
      .where(eq(subscriptions.userId, account.id));
    await storeUsage(site, account, [{ country: "BR", count: 250, mode: "live" }]);
    const page = await openDashboard(site, account, "/dashboard/settings/subscription");
    await page.getByRole("main").getByText("· 3 days left").waitFor();
    await page.getByText("250 of 1,000 successful live verifications used").waitFor();
    await page
      .getByText(new Date(expiresAt).toLocaleDateString("en-US", { dateStyle: "medium" }), { exact: true })
      .waitFor();
    const meters = await page.evaluate(
      `[...document.querySelectorAll("meter")].map((meter) => [meter.ariaLabel, meter.value, meter.max].join(" "))`,
    );
    expect(meters).toStrictEqual(["Usage 250 1000"]);
  });

  longTest("that ended early does not claim to have expired", async () => {
    const account = await createSignedIn(site.worker.db, { subscription: "ended" });
    const page = await openDashboard(site, account, "/dashboard/settings/subscription");
    await page.getByText("Was to expire", { exact: true }).waitFor();
    expect(await page.getByText("Expired", { exact: true }).count()).toBe(0);
    expect(await page.getByText("Usage", { exact: true }).count()).toBe(0);
  });

  longTest("without end and limit says so", async () => {
    const account = await createSignedIn(site.worker.db, { plan: "pro" });
    await site.worker.db.update(subscriptions).set({ expiresAt: null }).where(eq(subscriptions.userId, account.id));
    const page = await openDashboard(site, account, "/dashboard/settings/subscription");
    await page.getByText(/^0 successful live verifications since \w+ \d+, \d+$/).waitFor();
    await page.getByRole("columnheader", { name: "Pro Yours" }).waitFor();
    expect(await page.getByText("Expires", { exact: true }).count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: "Upgrade to Pro" }).count()).toBe(0);
  });
});

describe("changing the password", () => {
  test("is validated before anything is sent", async () => {
    const page = await openDashboard(site, await createSignedIn(site.worker.db), SECURITY);
    const calls = await answerCalls(page, "/users/change-password", { status: 500 });
    await page.getByRole("button", { name: "Change password" }).click();
    await expect.poll(() => complaints(page)).toMatchObject({ new_password: "Password must be at least 8 characters" });
    await change(page, PASSWORD, "short");
    await expect.poll(() => complaints(page)).toStrictEqual({ new_password: "Password must be at least 8 characters" });
    await expect.poll(() => focused(page)).toBe("new_password");
    await change(page, PASSWORD, NEW_PASSWORD, "something else");
    await expect.poll(() => complaints(page)).toStrictEqual({ confirm_password: "New passwords do not match" });
    expect(calls).toStrictEqual([]);
  });

  test("keeps this tab logged in without a spinner, and ends every other session", async () => {
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account, SECURITY);
    await page.evaluate(`new MutationObserver(() => {
      if (document.body.innerText.includes("Checking your session")) window.flashed = true;
    }).observe(document.body, { childList: true, subtree: true })`);
    await change(page, PASSWORD, NEW_PASSWORD);
    await expect.poll(() => readToast(page)).toStrictEqual(["Password updated"]);
    const token = await storedToken(page);
    expect(token).not.toBe(account.token);
    await expect.poll(() => page.getByLabel("Current password").inputValue()).toBe("");
    expect(await page.evaluate("window.flashed === true")).toBe(false);
    await page.reload();
    await page.getByText(account.email).first().waitFor();
    expect(await logInStatus(account.email, PASSWORD)).toBe(401);
    expect(await logInStatus(account.email, NEW_PASSWORD)).toBe(200);
    const before = await site.fetch("/api/v1/account/me", { headers: { Authorization: `Bearer ${account.token}` } });
    expect(before.status).toBe(401);
  });

  test("requests with the old token in the meantime, in this tab or another, don't end the session", async () => {
    site.expectProblem(/^answer 401: /);
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account, SECURITY);
    const other = await page.context().newPage();
    await other.goto(SECURITY);
    await other.getByText(account.email).first().waitFor();
    const changed = Promise.withResolvers<void>();
    await page.route("**/users/change-password", async (route) => {
      const response = await route.fetch();
      await changed.promise;
      await route.fulfill({ response });
    });
    // Data is refetched once it is ten seconds old and the page regains focus. Not later: a call gives up after twenty.
    await page.waitForTimeout(10_500);
    await change(page, PASSWORD, NEW_PASSWORD);
    const stored = () => site.worker.db.select().from(users).where(eq(users.id, account.id)).get();
    await expect.poll(async () => (await stored())?.sessionEpoch, { timeout: 15_000 }).toBe(1);
    for (const tab of [page, other]) {
      const rejected = tab.waitForResponse((response) => response.status() === 401);
      await tab.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
      await rejected;
    }
    changed.resolve();
    await expect.poll(() => readToast(page)).toStrictEqual(["Password updated"]);
    for (const tab of [page, other]) {
      await tab.getByText("This browser").waitFor();
      await expect.poll(() => tab.url()).toContain(SECURITY);
    }
  });

  test("a wrong one shows at its field, and no one is logged out", async () => {
    site.expectProblem(/^answer 400/);
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account, SECURITY);
    await change(page, "not the password", NEW_PASSWORD);
    await expect.poll(() => readToast(page)).toStrictEqual(["Change failed", "The current password is wrong."]);
    await expect.poll(() => complaints(page)).toStrictEqual({ old_password: "The current password is wrong." });
    await expect.poll(() => focused(page)).toBe("old_password");
    await expect.poll(() => storedToken(page)).toBe(account.token);
  });
});

describe("deleting the account", () => {
  test("asks for the email, and erases", async () => {
    const account = await createSignedIn(site.worker.db);
    await addKey(site, account, "live", "mine");
    await storeUsage(site, account, [{ country: "BR", count: 3 }]);
    const page = await openDashboard(site, account, DETAILS);
    await page.evaluate(`localStorage.setItem("checklist-dismissed", "usr_other ${account.id}")`);
    await page.getByRole("button", { name: "Delete account" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete your account?" });
    await question.waitFor();
    await expect.poll(() => focused(page)).toBe("Cancel");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect(await everyRow(site.worker)).toContain(account.id);

    await page.getByRole("button", { name: "Delete account" }).click();
    const last = question.getByRole("button", { name: "Delete account" });
    await question.getByLabel("Type your email to confirm").fill(`not-${account.email}`);
    await expect.poll(() => last.isDisabled()).toBe(true);
    await question.getByLabel("Type your email to confirm").fill(` ${account.email.toUpperCase()}`);
    await last.click();
    await expect.poll(() => readToast(page)).toStrictEqual(["Account deleted"]);
    await page.waitForURL(`${site.origin}/`);
    await expect.poll(() => storedToken(page)).toBeNull();
    expect(await everyRow(site.worker)).not.toContain(account.id);
    expect(await page.evaluate(`localStorage.getItem("checklist-dismissed")`)).toBe("usr_other");
    expect(await logInStatus(account.email, PASSWORD)).toBe(401);
  });

  test("requires the password if it was given a while ago: not without it, not with a wrong one", async () => {
    site.expectProblem(/^answer 400: .*\/confirm-password$/);
    site.expectProblem(/^answer 403: .*\/account$/);
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, await staleSession(account), DETAILS);
    const remove = async () => {
      await page.getByRole("button", { name: "Delete account" }).click();
      await page.getByLabel("Type your email to confirm").fill(account.email);
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete account" }).click();
    };
    const question = page.getByRole("alertdialog", { name: "Enter your password" });
    await remove();
    await question.waitFor();
    await expect.poll(() => focused(page)).toBe("password");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("alertdialog").count()).toBe(0);

    await remove();
    await question.getByLabel("Password", { exact: true }).fill("not the password");
    await page.keyboard.press("Enter");
    await question.getByText("The current password is wrong.").waitFor();
    expect(await everyRow(site.worker)).toContain(account.id);
    await expect.poll(() => page.locator("[data-sonner-toast]").count()).toBe(0);
    await question.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect.poll(() => readToast(page)).toStrictEqual(["Account deleted"]);
    expect(await everyRow(site.worker)).not.toContain(account.id);
  });
});
