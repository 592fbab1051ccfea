import { eq, sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { KeyMode } from "../../contract/limits.ts";
import { users } from "../../schema.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import type { SignedIn } from "../factories.ts";
import { addUsage } from "../usage.ts";
import { subscriptionOf } from "../notices.ts";
import type { Site } from "./site.ts";
import { requestsUnderWay } from "./tab.ts";
import type { TabOptions } from "./tab.ts";

/** Same as in web/lib/session/token.ts: changing it would log people out. */
const STORED_AS = "authToken";
const DAY_MS = 86_400_000;

/** Puts a session into the browser's storage, as logging in does. */
export async function keepToken(page: Page, token: string): Promise<void> {
  await page.evaluate(([name, value]) => localStorage.setItem(name, value), [STORED_AS, token] as const);
}

/** Makes the page think that another tab has logged in, or out with null. */
export async function changeTokenElsewhere(page: Page, token: string | null): Promise<void> {
  const name = JSON.stringify(STORED_AS);
  const change = token === null ? `removeItem(${name})` : `setItem(${name}, ${JSON.stringify(token)})`;
  await page.evaluate(`localStorage.${change}; dispatchEvent(new StorageEvent("storage", { key: ${name} }));`);
}

/** The session in the browser's storage. */
export function storedToken(page: Page): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), STORED_AS);
}

/** An empty page that logs in on its first visit to the site: an ended session must not come back. */
export async function signedInPage(site: Site, token: string, options?: TabOptions): Promise<Page> {
  const page = await site.newPage(options);
  // A window's name survives navigation.
  await page.addInitScript({
    content: `if (location.origin === "${site.origin}" && window.name !== "logged in") {
      window.name = "logged in";
      localStorage.setItem("${STORED_AS}", "${token}");
    }`,
  });
  return page;
}

/** Opens a page of the dashboard for an account, and waits until it has loaded. */
export async function openDashboard(
  site: Site,
  { token }: Pick<SignedIn, "token">,
  path = "/dashboard",
  options?: TabOptions,
): Promise<Page> {
  const page = await signedInPage(site, token, options);
  await page.goto(path);
  await page.getByRole("button", { name: "Log out", exact: true }).waitFor();
  return page;
}

/** Waits until a page is idle: a pending read could discover what a test is about to change. */
export async function atRest(page: Page): Promise<void> {
  const loading = page.locator("[aria-busy=true], .animate-pulse");
  await expect.poll(async () => (await loading.count()) + requestsUnderWay(page)).toBe(0);
}

/** Ends every session of an account while its page is idle. */
export async function endSessions(site: Site, page: Page, { id }: Pick<SignedIn, "id">): Promise<void> {
  await atRest(page);
  await site.worker.db
    .update(users)
    .set({ sessionEpoch: sql`${users.sessionEpoch} + 1` })
    .where(eq(users.id, id));
}

/** Fills in the login form, now or once it appears. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.waitForURL("**/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** Adds a key to an account without the page. */
export function addKey(site: Site, { id }: SignedIn, mode: KeyMode = "test", name = "Stored") {
  return insertApiKey({ db: site.worker.db, now: Date.now(), userId: id, mode, name });
}

export interface StoredUse {
  readonly country: string;
  readonly count: number;
  readonly mode?: KeyMode;
  readonly outcome?: "success" | "failure";
  /** Days ago, UTC. */
  readonly ago?: number;
}

/** Adds usage to an account without verifying anything. */
export async function storeUsage(
  { worker }: Site,
  { id }: Pick<SignedIn, "id">,
  uses: readonly StoredUse[],
): Promise<void> {
  const { startedAt } = (await subscriptionOf(worker.db, id)) ?? { startedAt: 0 };
  const used = uses.map(({ country, count, mode = "test", outcome = "success", ago = 0 }) => ({
    country,
    mode,
    day: new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10),
    [outcome]: count,
    startedAt,
  }));
  await addUsage({ db: worker.db, ledgers: worker.env.LEDGER }, id, used);
}
