import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { sessions } from "../../schema.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import { longTest } from "../long.ts";
import { CUT_OFF, cutOff, readToast } from "./auth.ts";
import { focused } from "./live.ts";
import { logIn, openDashboard, storedToken } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const SECURITY = "/dashboard/settings/security";
const HOUR = 3_600_000;

async function sessionsOf({ id }: { readonly id: string }): Promise<string[]> {
  const rows = await site.worker.db.select().from(sessions).where(eq(sessions.userId, id));
  return rows.map(({ browser }) => browser).toSorted();
}

describe("the list of sessions", () => {
  test("says where the account is logged in, and ends one; then the browser there is logged out", async () => {
    site.expectProblem(/^answer 401/);
    const account = await createSignedIn(site.worker.db);
    const now = Date.now();
    await createSession(site.worker.db, account.id, {
      browser: "Safari on iPhone",
      country: "DE",
      at: now - 5 * HOUR,
      lastUsedAt: now - 3 * HOUR,
    });
    const other = await createSession(site.worker.db, account.id, { browser: "Firefox on Linux", lastUsedAt: now });
    const there = await openDashboard(site, other, "/dashboard/settings");
    const page = await openDashboard(site, account, SECURITY);
    const list = page.getByRole("list", { name: "Active sessions" });
    await list.waitFor();
    const texts = (await list.getByRole("listitem").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    const since = "Logged in \\w+ \\d+, \\d+, \\d\\d:\\d\\d";
    expect(texts).toStrictEqual([
      expect.stringMatching(new RegExp(`^Chrome on Linux This browser Unknown country · Active now ${since}$`)),
      expect.stringMatching(
        new RegExp(`^Firefox on Linux Unknown country · Active in the last 2 hours ${since} Log out$`),
      ),
      expect.stringMatching(new RegExp(`^Safari on iPhone Germany · Active 3 hours ago ${since} Log out$`)),
    ]);

    await list.getByRole("button", { name: "Log out Firefox on Linux, Unknown country" }).click();
    await expect.poll(() => readToast(page)).toStrictEqual(["Session logged out"]);
    await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
    await expect.poll(() => focused(page)).toBe("Active sessions");
    expect(await sessionsOf(account)).toStrictEqual(["Chrome on Linux", "Safari on iPhone"]);
    await there.reload();
    await there.waitForURL("**/login");

    await page.getByRole("button", { name: "Log out all other sessions" }).click();
    await expect.poll(() => readToast(page)).toStrictEqual(["Logged out all other sessions"]);
    await expect.poll(() => page.getByRole("button", { name: /^End/ }).count()).toBe(0);
    await expect.poll(() => storedToken(page)).toBe(account.token);
  });

  test("asks for the password if it was given a while ago, and then continues", async () => {
    site.expectProblem(/^answer 403: .*\/account\/sessions$/);
    const account = await createSignedIn(site.worker.db);
    const stale = await createSession(site.worker.db, account.id, { passwordAt: Date.now() - 11 * 60_000 });
    const page = await openDashboard(site, stale, SECURITY);
    await page.getByRole("button", { name: "Log out all other sessions" }).click();
    const question = page.getByRole("alertdialog", { name: "Enter your password" });
    await question.waitFor();
    await expect.poll(() => focused(page)).toBe("password");
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("Log out all other sessions");
    await expect.poll(() => page.locator("[data-sonner-toast]").count()).toBe(0);
    expect(await sessionsOf(account)).toHaveLength(2);

    await page.getByRole("button", { name: "Log out all other sessions" }).click();
    await question.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await question.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => readToast(page)).toStrictEqual(["Logged out all other sessions"]);
    expect(await sessionsOf(account)).toHaveLength(1);
    expect(await storedToken(page)).not.toBe(stale.token);
    await page.reload();
    await page.getByRole("list", { name: "Active sessions" }).waitFor();
  });

  longTest("says what did not work; one that has ended already is as good as ended", async () => {
    site.expectProblem(CUT_OFF);
    site.expectProblem(/^answer 404: .*\/sessions\/ses_/);
    const account = await createSignedIn(site.worker.db);
    const other = await createSession(site.worker.db, account.id, { browser: "Safari on iPhone" });
    const page = await openDashboard(site, account, SECURITY);
    await page.getByRole("button", { name: "Log out all other sessions" }).waitFor();
    await page.route("**/account/sessions", (route) =>
      route.request().method() === "DELETE" ? route.abort("connectionrefused") : route.continue(),
    );
    await page.getByRole("button", { name: "Log out all other sessions" }).click();
    await expect.poll(async () => (await readToast(page))[0]).toBe("Couldn’t log out the other sessions");
    await site.worker.db.delete(sessions).where(eq(sessions.id, other.id));
    await page.getByRole("button", { name: /^Log out Safari/ }).click();
    await expect.poll(async () => (await readToast(page))[0]).toBe("Session logged out");
    await expect.poll(() => page.getByRole("listitem").filter({ hasText: "Safari" }).count()).toBe(0);
  });
});

describe("logging out", () => {
  test("ends the session on the server, and no other", async () => {
    const account = await createSignedIn(site.worker.db);
    await createSession(site.worker.db, account.id, { browser: "Safari on iPhone" });
    const page = await openDashboard(site, account, "/dashboard/settings");
    await page.getByRole("button", { name: "Log out" }).click();
    await expect.poll(() => readToast(page)).toStrictEqual(["Logged out"]);
    await expect.poll(() => sessionsOf(account)).toStrictEqual(["Safari on iPhone"]);
  });

  test("while another tab confirms the password also ends the renewed session, on the server too", async () => {
    site.expectProblem(/^answer 403: .*\/account\/sessions$/);
    // The other tab has the earlier token.
    site.expectProblem(/^answer 401: .*\/auth\/logout$/);
    const account = await createSignedIn(site.worker.db);
    const stale = await createSession(site.worker.db, account.id, { passwordAt: Date.now() - 11 * 60_000 });
    const page = await openDashboard(site, stale, SECURITY);
    const other = await page.context().newPage();
    await other.goto("/dashboard/settings");
    await other.getByRole("button", { name: "Log out" }).waitFor();
    const renewed = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    await page.route("**/auth/confirm-password", async (route) => {
      const response = await route.fetch();
      renewed.resolve();
      await release.promise;
      await route.fulfill({ response });
    });
    await page.getByRole("button", { name: "Log out all other sessions" }).click();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await renewed.promise;
    await other.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL("**/login");
    expect(await sessionsOf(account)).toHaveLength(2);
    release.resolve();
    await expect.poll(() => sessionsOf(account)).toHaveLength(1);
    expect(await storedToken(page)).toBeNull();
    await page.getByRole("button", { name: "Log in" }).waitFor();
  });

  test("offline still logs out here, and says that the session lasts a while", async () => {
    site.expectProblem(CUT_OFF);
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account, "/dashboard/settings");
    await cutOff(page, "/auth/logout");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL("**/login");
    await expect.poll(() => storedToken(page)).toBeNull();
    const toast = page.locator("[data-sonner-toast]").filter({ hasText: "Logged out in this browser only" });
    await expect.poll(() => toast.innerText()).toContain("ends after 24 hours without use");
    expect(await sessionsOf(account)).toHaveLength(1);
    await logIn(page, account.email, PASSWORD);
    await page.waitForURL("**/dashboard");
  });

  longTest("of a session that was ended elsewhere says only that it is done", async () => {
    site.expectProblem(/^answer 401: .*\/auth\/logout$/);
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account, "/dashboard/settings");
    await site.worker.db.delete(sessions).where(eq(sessions.userId, account.id));
    const rejected = page.waitForResponse((response) => response.url().endsWith("/auth/logout"));
    await page.getByRole("button", { name: "Log out" }).click();
    await rejected;
    await expect.poll(() => readToast(page)).toStrictEqual(["Logged out"]);
    await expect.poll(() => page.getByText("Your session expired").count()).toBe(0);
  });
});
