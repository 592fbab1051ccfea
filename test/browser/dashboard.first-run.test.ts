import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { tokenIn, waitForMail } from "../mailbox.ts";
import { longTest } from "../long.ts";
import { fillIn } from "./auth.ts";
import { reveal } from "./dashboard.keys-page.ts";
import { launchFirefox } from "./firefox.ts";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";
import { openTab } from "./tab.ts";

const site = openSite();
const PASSWORD = "correct horse battery";
const MOST_ACTIONS = 7;
const MOST_MS = 120_000;

async function signUpAndVerify(page: Page, email: string): Promise<void> {
  const start = Date.now();
  const actions: string[] = [];
  /** A click, a submitted form, or a link opened from an email. */
  async function act(name: string, work: () => Promise<unknown>): Promise<void> {
    actions.push(name);
    await work();
  }
  const press = (role: "button" | "link", name: string, within: Page | ReturnType<typeof reveal> = page) =>
    within.getByRole(role, { name, exact: true }).filter({ visible: true }).first().click();

  await openLive(page);
  await act("Get Started", () => press("link", "Get Started"));
  await page.waitForURL("**/login");
  await page.getByRole("heading", { level: 1, name: "Get started" }).waitFor();
  await act("Create account", () => press("link", "Create account"));
  await page.waitForURL("**/register");
  await act("register", async () => {
    await fillIn(page, { name: "Grace", email, password: PASSWORD, confirm_password: PASSWORD });
    await press("button", "Create account");
  });
  const token = tokenIn(await waitForMail(site.worker, email, /verify/i));
  await act("open the email's link", () => page.goto(`/verify-account?token=${token}`));
  await page.waitForURL("**/login");
  await act("log in", async () => {
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe(email);
    await fillIn(page, { password: PASSWORD });
    await press("button", "Log in");
  });
  const checklist = page.getByRole("region", { name: "Getting started" });
  await checklist.getByText("0 of 3 done").waitFor();
  await act("Activate Free Trial", () => press("button", "Activate Free Trial"));
  await checklist.getByText("1 of 3 done").waitFor();
  await act("Generate key", () => press("button", "Generate key"));
  await reveal(page).getByText("200 OK").waitFor();
  await reveal(page).getByRole("heading", { name: "Your first verified number" }).waitFor();
  await reveal(page).getByRole("img", { name: "Valid", exact: true }).waitFor();
  // The drawing is in sight, without scrolling, and the form waits.
  const drawing = (await reveal(page).getByRole("img", { name: "Valid", exact: true }).boundingBox())!;
  expect(drawing.y + drawing.height).toBeLessThan(page.viewportSize()!.height - 120);
  expect(await reveal(page).getByLabel("Number to send").count()).toBe(0);
  await reveal(page).getByText("JSON", { exact: true }).click();
  const body = await reveal(page).getByRole("group", { name: "Response" }).innerText();
  expect(JSON.parse(body)).toMatchObject({ valid: true, number: "+5511987654321" });

  await press("button", "Try another number", reveal(page));
  await reveal(page).getByLabel("Number to send").and(page.locator(":focus")).waitFor();

  expect(Date.now() - start).toBeLessThan(MOST_MS);
  expect(actions.length, actions.join(", ")).toBeLessThanOrEqual(MOST_ACTIONS);
}

test(
  "from Get Started to the first verified number: at most 7 actions and 2 minutes",
  { timeout: 150_000 },
  async () => {
    await signUpAndVerify(await site.newPage(), "newcomer@example.com");
  },
);

longTest("the same in Firefox", { timeout: 150_000 }, async ({ skip }) => {
  const browser = await launchFirefox();
  if (browser === null) return skip("No Firefox was found. Set FIREFOX_PATH to the path of one.");
  try {
    const { page, problems } = await openTab(browser, site.origin);
    await signUpAndVerify(page, "fox@example.com");
    expect(problems).toStrictEqual([]);
  } finally {
    await browser.close();
  }
});
