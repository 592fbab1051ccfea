import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import type { CDPSession, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { passkeys, totp } from "../../schema.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { complaints, readToast, toastText } from "./auth.ts";
import { focused } from "./live.ts";
import { logIn, openDashboard } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const SECURITY = "/dashboard/settings/security";

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL("**/login");
}

/** The texts of a list's items, on one line each. */
async function items(page: Page, name: string): Promise<string[]> {
  const texts = await page.getByRole("list", { name }).getByRole("listitem").allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, " "));
}

const PASSKEYS = "Passkeys After your password, use your fingerprint, face, device PIN, or a security key. Add";

describe("an authenticator app", () => {
  test("is set up with its secret, logs in with its codes, and a recovery code replaces it", async () => {
    site.expectProblem(/^answer 401: .*\/auth\/login$/);
    site.expectProblem(/^answer 400: .*\/totp\/confirm$/);
    site.expectProblem(/^answer 400: .*\/auth\/second-factor$/);
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard(site, account, SECURITY);
    await page.getByRole("button", { name: "Set up" }).click();
    const dialog = page.getByRole("dialog", { name: "Set up an authenticator app" });
    await dialog.waitFor();
    const secret = (await dialog.locator("code").innerText()).replaceAll(/\s/g, "");
    const code = dialog.getByLabel("Code", { exact: true });
    await code.fill("00 00");
    // For a phone, which can't scan its own screen.
    const link = dialog.getByText("Open in your authenticator app");
    expect(await link.getAttribute("href")).toMatch(/^otpauth:\/\/totp\/Checkline:.*secret=[A-Z2-7]{16,}/);
    expect(await link.isVisible()).toBe(false);
    await dialog.getByRole("button", { name: "Add app" }).click();
    expect(await complaints(page)).toStrictEqual({ code: "Enter the 6-digit code from your app" });
    // Six digits submit automatically.
    await code.fill(codeOf(secret) === "000000" ? "111111" : "000000");
    await expect.poll(() => complaints(page)).toStrictEqual({ code: expect.stringContaining("your phone's clock") });
    expect(await focused(page)).toBe("code");
    await code.fill(codeOf(secret));

    const saved = page.getByRole("dialog", { name: "Save your recovery codes" });
    await saved.waitFor();
    const codes = await items(page, "Recovery codes");
    expect(codes).toHaveLength(10);
    await page.keyboard.press("Escape");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      saved.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("checkline-recovery-codes.txt");
    await saved.getByRole("button", { name: "I’ve saved them" }).click();
    await saved.waitFor({ state: "detached" });
    await expect
      .poll(() => items(page, "Two-factor authentication"))
      .toStrictEqual([
        expect.stringMatching(/^Authenticator app On Added \w+ \d+, \d+ Remove$/),
        PASSKEYS,
        "Recovery codes 10 of 10 left. Each one works once. Replace",
      ]);
    await expect
      .poll(() => items(page, "Security events"))
      .toStrictEqual([expect.stringMatching(/^Authenticator app added Just now · Chrome on Linux/)]);

    // The confirming code is used; half a minute is too long for a test.
    await site.worker.db.update(totp).set({ lastStep: 0 }).where(eq(totp.userId, account.id));
    await logOut(page);
    await logIn(page, account.email, PASSWORD);
    await page.getByRole("heading", { name: "Two-factor authentication" }).waitFor();
    await expect.poll(() => focused(page)).toBe("code");
    expect(await page.getByLabel("Code", { exact: true }).getAttribute("autocomplete")).toBe("one-time-code");
    await page.getByRole("button", { name: "Log in", disabled: true }).waitFor();
    await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
    await page.waitForURL("**/dashboard");

    await logOut(page);
    await logIn(page, account.email, PASSWORD);
    await page.getByRole("button", { name: "Back to password" }).click();
    expect(await page.getByLabel("Email").inputValue()).toBe(account.email);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill("not one of them");
    await page.keyboard.press("Enter");
    await expect.poll(() => complaints(page)).toHaveProperty("code");
    await page.getByLabel("Recovery code").fill(codes[4]!.toUpperCase());
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard");

    await page.goto(SECURITY);
    await page.getByRole("button", { name: "Remove the authenticator app" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await expect
      .poll(() => items(page, "Two-factor authentication"))
      .toStrictEqual(["Authenticator app Enter a code from your phone after your password. Set up", PASSKEYS]);
    await expect.poll(() => focused(page)).toBe("Two-factor authentication");
  });
});

/** An authenticator in the browser that approves everything. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "usb", automaticPresenceSimulation: true },
  });
  return { cdp, authenticatorId };
}

describe("a passkey", () => {
  test("is created by the browser and logs in; its clone does not; without it there are recovery codes", async () => {
    // A passkey is bound to a domain name, not an IP address.
    const { port } = new URL(site.origin);
    const origin = `http://localhost:${port}`;
    site.expectProblem(/^request to another origin: \w+ http:\/\/localhost:/);
    site.expectProblem(/^answer 401: .*\/auth\/login$/);
    site.expectProblem(/^answer 400: .*\/auth\/second-factor$/);
    const account = await createSignedIn(site.worker.db);
    const page = await openDashboard({ ...site, origin }, account, `${origin}${SECURITY}`);
    const { cdp, authenticatorId } = await addAuthenticator(page);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a passkey" });
    await dialog.getByLabel("Name").fill("Blue key");
    await dialog.getByRole("button", { name: "Continue" }).click();
    const saved = page.getByRole("dialog", { name: "Save your recovery codes" });
    await saved.waitFor();
    await saved.getByRole("button", { name: "I’ve saved them" }).click();
    await expect
      .poll(() => items(page, "Two-factor authentication"))
      .toStrictEqual([
        "Authenticator app Enter a code from your phone after your password. Set up",
        expect.stringMatching(/^Passkeys .* Add Blue key Added \w+ \d+, \d+ Remove$/),
        expect.stringMatching(/^Blue key Added /),
        "Recovery codes 10 of 10 left. Each one works once. Replace",
      ]);
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });

    await logOut(page);
    await logIn(page, account.email, PASSWORD);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL("**/dashboard");
    const [row] = await site.worker.db.select().from(passkeys).where(eq(passkeys.userId, account.id));
    expect(row).toMatchObject({ name: "Blue key", counter: expect.any(Number), lastUsedAt: expect.any(Number) });

    // The key as it was before that login: a clone.
    await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credentials[0]!.credentialId });
    await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credentials[0]!, signCount: 0 } });
    await logOut(page);
    await logIn(page, account.email, PASSWORD);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    expect(await toastText(page, "Login error")).toContain("may have been copied");

    await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credentials[0]!.credentialId });
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect
      .poll(async () => (await readToast(page)).join(" "))
      .toMatch(/passkey request was canceled|couldn’t use/);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").waitFor();

    // Chosen over a code, it's asked for at once.
    await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credentials[0]!, signCount: 100 } });
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL("**/dashboard");
  });
});
