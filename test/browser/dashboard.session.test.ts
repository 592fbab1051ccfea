import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { users } from "../../schema.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { firstOrAll, longOrShort, longTest } from "../long.ts";
import { CUT_OFF, cutOff, readToast } from "./auth.ts";
import { atRest, endSessions, keepToken, logIn, openDashboard, signedInPage, storedToken } from "./signed-in.ts";
import { generateButton, openForm } from "./dashboard.keys-page.ts";
import { openSite } from "./site.ts";

const site = openSite();
const ME = "**/api/v1/account/me";
const ENDED = "Your session expired. Log in to pick up where you left off.";

describe("a visitor", () => {
  const paths = [
    "/dashboard",
    "/dashboard/settings/security?from=mail#end",
    "/dashboard/bulk",
    "/dashboard/reports",
    "/dashboard/settings",
    "/dashboard/settings/subscription",
  ];
  test.each(longOrShort(paths, paths.slice(0, 2)))("of %s is sent to log in and returns there", async (path) => {
    const { email } = await createSignedIn(site.worker.db);
    const page = await site.newPage();
    await page.goto(path);
    await logIn(page, email, PASSWORD);
    await page.waitForURL(`**${path}`);
    await page.getByText(email).first().waitFor();
    await expect
      .poll(() => new URL(page.url()).pathname + new URL(page.url()).search + new URL(page.url()).hash)
      .toBe(path);
  });

  longTest("who goes back from logging in does not run in circles", async () => {
    const page = await site.newPage();
    await page.goto("/help");
    await page.goto("/dashboard");
    await page.waitForURL("**/login");
    await page.goBack();
    await page.waitForURL("**/help");
  });
});

describe("while the session is checked", () => {
  test("the prerendered page shows a spinner, and says that it requires JavaScript", async () => {
    const page = await site.newPage({ javaScript: false });
    await page.goto("/dashboard/reports");
    await expect.poll(() => page.getByRole("banner").innerText()).toContain("Checking your session");
    await expect.poll(() => page.getByRole("main").innerText()).toContain("Turn on JavaScript");
    await expect.poll(() => page.locator("header svg.animate-spin").count()).toBe(1);
  });

  test("a spinner shows until the account has loaded", async () => {
    const { token } = await createSignedIn(site.worker.db);
    const page = await signedInPage(site, token);
    const release = Promise.withResolvers<void>();
    let asked = false;
    await page.route(ME, async (route) => {
      asked = true;
      await release.promise;
      await route.continue();
    });
    await page.goto("/dashboard/settings");
    await page.getByText("Checking your session").waitFor();
    await expect.poll(() => asked).toBe(true);
    // The navigation is there, and nothing of an account.
    expect(await page.getByRole("navigation").getByRole("link", { name: "Settings" }).count()).toBe(1);
    expect(await page.getByRole("button", { name: "Log out" }).count()).toBe(0);
    release.resolve();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
  });
});

describe("a stored token", () => {
  test.each(firstOrAll(["garbage", "a.b.c"]))("that the server rejects is dropped silently: %s", async (token) => {
    site.expectProblem(/^answer 401: .*\/account\/(me|subscription)$/);
    const page = await signedInPage(site, token);
    await page.goto("/dashboard/settings");
    await page.waitForURL("**/login");
    await expect.poll(() => storedToken(page)).toBeNull();
    await page.waitForTimeout(500);
    await expect.poll(() => page.locator("[data-sonner-toast]").count()).toBe(0);
    await expect.poll(() => page.getByText(ENDED).count()).toBe(0);
    await expect.poll(() => page.url()).toMatch(/\/login$/);
  });

  test("is kept while the server is unreachable, and works afterward", async () => {
    site.expectProblem(CUT_OFF);
    const { token, email } = await createSignedIn(site.worker.db);
    const page = await signedInPage(site, token);
    await cutOff(page, "/account/me");
    await page.goto("/dashboard/settings");
    await page.getByRole("heading", { name: "We couldn’t load your account" }).waitFor();
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("Check your connection and try again.");
    await expect.poll(() => storedToken(page)).toBe(token);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText(email).first().waitFor();
    await expect.poll(() => page.url()).toMatch(/\/dashboard\/settings$/);
  });

  longTest("is kept while the server does not answer, which the page says after two tries", async () => {
    const { token, email } = await createSignedIn(site.worker.db);
    const page = await signedInPage(site, token);
    let asked = 0;
    await page.route(ME, () => {
      asked += 1;
    });
    await page.goto("/dashboard/settings");
    await page.getByRole("heading", { name: "We couldn’t load your account" }).waitFor({ timeout: 45_000 });
    expect(asked).toBe(2);
    await expect.poll(() => storedToken(page)).toBe(token);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText(email).first().waitFor();
  });

  longTest("is kept when the server fails", async () => {
    site.expectProblem(/^answer 500/);
    const { token, email } = await createSignedIn(site.worker.db);
    const page = await signedInPage(site, token);
    await page.route(ME, (route) => route.fulfill({ status: 500, json: { error: "Broken.", code: "INTERNAL_ERROR" } }));
    await page.goto("/dashboard");
    await page.getByText("Broken.").waitFor();
    await expect.poll(() => storedToken(page)).toBe(token);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText(email).first().waitFor();
  });
});

describe("a suspended account", () => {
  test("gets a message, on arrival and in the middle", async () => {
    site.expectProblem(/^answer 403/);
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account);
    await atRest(page);
    await site.worker.db.update(users).set({ suspendedAt: Date.now() }).where(eq(users.id, account.id));
    // The next read reveals it.
    await page.getByRole("link", { name: "Reports" }).click();
    await page.getByRole("heading", { name: "Your account is suspended" }).waitFor();
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("Your API keys don’t work.");
    await page.reload();
    await page.getByRole("heading", { name: "Your account is suspended" }).waitFor();
    await expect.poll(() => storedToken(page)).toBe(account.token);
    await page.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL("**/login");
  });
});

describe("a session that ends in the middle", () => {
  test("leads to the login page once, back to the same page, and what was half written is there", async () => {
    site.expectProblem(/^answer 401/);
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account);
    const visited: string[] = [];
    page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
    await openForm(page);
    await page.getByLabel("Name", { exact: true }).fill("Half a na");
    await endSessions(site, page, account);
    await generateButton(page).click();
    await page.waitForURL("**/login");
    await page.waitForTimeout(500);
    expect(visited).toStrictEqual(["/login"]);
    const notice = page.getByRole("status").filter({ hasText: ENDED });
    await notice.waitFor();
    // Green means verified, which nothing here is.
    await expect.poll(() => notice.locator(".text-signal").count()).toBe(0);
    await expect.poll(() => storedToken(page)).toBeNull();
    await logIn(page, account.email, PASSWORD);
    await page.waitForURL("**/dashboard");
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Half a na");
    expect(visited).toStrictEqual(["/login", "/dashboard"]);
  });

  longTest("leaves no drafts to another account", async () => {
    site.expectProblem(/^answer 401/);
    const [first, second] = [await createSignedIn(site.worker.db), await createSignedIn(site.worker.db)];
    const page = await openDashboard(site, first);
    await openForm(page);
    await page.getByLabel("Name", { exact: true }).fill("Mine alone");
    await endSessions(site, page, first);
    await generateButton(page).click();
    await logIn(page, second.email, PASSWORD);
    await page.waitForURL("**/dashboard");
    await openForm(page);
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("");
  });
});

describe("logging out", () => {
  test("says so, deletes drafts, and the next login starts at the dashboard", async () => {
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account);
    await openForm(page);
    await page.getByLabel("Name", { exact: true }).fill("Half a name");
    await page.getByRole("link", { name: "Settings" }).click();
    await page.waitForURL("**/settings");
    await page.getByRole("button", { name: "Log out" }).click();
    await expect.poll(() => readToast(page)).toStrictEqual(["Logged out"]);
    await page.waitForURL("**/login");
    await expect.poll(() => page.getByText(ENDED).count()).toBe(0);
    await expect.poll(() => storedToken(page)).toBeNull();
    await logIn(page, account.email, PASSWORD);
    await page.waitForURL("**/dashboard");
    await openForm(page);
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("");
  });

  test("in one tab reaches the others, and so does logging in again", async () => {
    const account = await createSignedIn(site.worker.db);
    const one = await openDashboard(site, account, "/dashboard/settings");
    const other = await one.context().newPage();
    await other.goto("/dashboard/settings/security");
    await other.getByRole("heading", { level: 2, name: "Change password" }).waitFor();
    await one.getByRole("button", { name: "Log out" }).click();
    await other.waitForURL("**/login");
    await expect.poll(() => other.getByText(ENDED).count()).toBe(0);
    await logIn(one, account.email, PASSWORD);
    await one.waitForURL("**/dashboard");
    await other.waitForURL("**/dashboard/settings/security");
  });
});

longTest("the mode goes back to test for the next to log in, and stays for who comes back", async () => {
  site.expectProblem(/^answer 401/);
  const [first, second] = [await createSignedIn(site.worker.db), await createSignedIn(site.worker.db)];
  const page = await openDashboard(site, first);
  await page.getByRole("radio", { name: "Live" }).check();
  await openForm(page);
  await endSessions(site, page, first);
  await generateButton(page).click();
  await logIn(page, first.email, PASSWORD);
  await page.getByRole("banner").getByText("Live mode").waitFor();
  await page.getByRole("button", { name: "Log out" }).click();
  await logIn(page, second.email, PASSWORD);
  await page.getByRole("banner").getByText("Test mode").waitFor();
  await expect.poll(() => page.getByRole("radio", { name: "Test" }).isChecked()).toBe(true);
  await page.reload();
  await page.getByRole("banner").getByText("Test mode").waitFor();
});

longTest("logging out in one tab forgets what is half written in the others", async () => {
  const account = await createSignedIn(site.worker.db);
  const one = await openDashboard(site, account, "/dashboard/settings");
  const other = await one.context().newPage();
  await other.goto("/dashboard");
  await openForm(other);
  await other.getByLabel("Name", { exact: true }).fill("Half a name");
  await one.getByRole("button", { name: "Log out" }).click();
  await other.waitForURL("**/login");
  await logIn(one, account.email, PASSWORD);
  await other.waitForURL("**/dashboard");
  await openForm(other);
  await expect.poll(() => other.getByLabel("Name", { exact: true }).inputValue()).toBe("");
});

test("another account's login in another tab takes over this one, with its own figures", async () => {
  const [first, second] = [await createSignedIn(site.worker.db), await createSignedIn(site.worker.db)];
  const page = await openDashboard(site, first, "/dashboard/settings");
  const other = await page.context().newPage();
  await other.goto("/help");
  await keepToken(other, second.token);
  await page.getByRole("main").getByText(second.email).waitFor();
  await expect.poll(() => page.getByText(first.email).count()).toBe(0);
});
