import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { KeyMode } from "../../contract/limits.ts";
import type { UsageReport } from "../../contract/reports.ts";
import { createSignedIn } from "../factories.ts";
import type { AccountOptions, SignedIn } from "../factories.ts";
import { post } from "../requests.ts";
import { addKey } from "./signed-in.ts";
import type { Site } from "./site.ts";

export interface Developer extends SignedIn {
  readonly keys: Record<KeyMode, string>;
}

/** A new account with a session and a key of each mode. */
export async function createDeveloper(site: Site, options: AccountOptions = {}): Promise<Developer> {
  const account = await createSignedIn(site.worker.db, options);
  const [test, live] = [await addKey(site, account, "test"), await addKey(site, account, "live")];
  return { ...account, keys: { test: test.apiKey, live: live.apiKey } };
}

/** Verifies numbers with a key, like a program. */
export async function verifyAll(site: Site, key: string, numbers: readonly string[]): Promise<void> {
  const response = await site.fetch("/api/v1/verify/batch", post(key, { numbers }));
  if (response.status !== 200) throw new Error(`The batch was answered with ${response.status}`);
}

export async function reportOf(site: Site, token: string, query: string): Promise<UsageReport> {
  const response = await site.fetch(`/api/v1/account/reports/usage?${query}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return (await response.json()) as UsageReport;
}

/** Waits until this many verifications have been counted: they go through a queue. */
export async function waitForUsage(site: Site, token: string, total: number): Promise<void> {
  async function counted(): Promise<number> {
    const { days } = await reportOf(site, token, "days=90");
    return days.reduce((sum, day) => sum + day.total, 0);
  }
  await expect.poll(counted, { timeout: 30_000, interval: 100 }).toBeGreaterThanOrEqual(total);
}

/** The name and content of the file that a click downloads. */
export async function downloadBy(page: Page, name: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") };
}
