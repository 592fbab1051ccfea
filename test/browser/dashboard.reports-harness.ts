import type { Page } from "playwright-core";
import type { KeyMode } from "../../contract/limits.ts";
import type { UsageReport } from "../../contract/reports.ts";
import { usageDaily } from "../../schema.ts";
import { createApiKey } from "../../worker/keys/create-api-key.ts";
import { createSignedIn } from "../factories.ts";
import type { AccountOptions, SignedIn } from "../factories.ts";
import type { Site } from "./site.ts";
import type { TabOptions } from "./tab.ts";

/** Where the browser keeps the session token (web/lib/session/token.ts, which needs a browser to be imported). */
const STORED_AS = "authToken";

export interface Developer extends SignedIn {
  readonly keys: Record<KeyMode, string>;
}

/** A new account with a session and a key of each mode. */
export async function createDeveloper(site: Site, options: AccountOptions = {}): Promise<Developer> {
  const { db } = site.worker;
  const account = await createSignedIn(db, options);
  async function keyOf(mode: KeyMode): Promise<string> {
    return (await createApiKey({ db, now: Date.now(), userId: account.id, mode, name: mode })).apiKey;
  }
  return { ...account, keys: { test: await keyOf("test"), live: await keyOf("live") } };
}

/** Opens a page of the dashboard as somebody who is signed in, and waits for its heading. */
export async function openAs(site: Site, token: string, path: string, options: TabOptions = {}): Promise<Page> {
  const page = await site.newPage(options);
  // Once: a session that ended must not come back by itself.
  await page.goto("/favicon.svg");
  await page.evaluate(`localStorage.setItem(${JSON.stringify(STORED_AS)}, ${JSON.stringify(token)})`);
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

/** Verifies numbers with a key, as a program does. */
export async function verifyAll(site: Site, key: string, numbers: readonly string[]): Promise<void> {
  const response = await site.fetch("/api/v1/verify/batch", {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ numbers }),
  });
  if (response.status !== 200) throw new Error(`The batch was answered with ${response.status}`);
}

export async function reportOf(site: Site, token: string, query: string): Promise<UsageReport> {
  const response = await site.fetch(`/api/v1/account/reports/usage?${query}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return (await response.json()) as UsageReport;
}

/** Waits until so many verifications have been counted: they go through a queue. */
export async function waitForUsage(site: Site, token: string, total: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const { days } = await reportOf(site, token, "days=90");
    if (days.reduce((sum, day) => sum + day.total, 0) >= total) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${total} verifications have not been counted`);
}

/** Usage of an earlier day, which no call can make. */
export async function addUsage(
  site: Site,
  userId: string,
  usage: { daysAgo: number; mode: KeyMode; countryCode: string; outcome: "success" | "failure"; count: number },
): Promise<void> {
  const { daysAgo, ...row } = usage;
  const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  await site.worker.db.insert(usageDaily).values({ userId, day, ...row });
}

/** The content of the file that a press downloads, and its name. */
export async function downloadBy(page: Page, name: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") };
}
