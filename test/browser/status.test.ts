import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { DATA_RELEASES, dataReleaseName, REGISTER_RELEASES } from "../../contract/data.ts";
import { formatUtcDay } from "../../contract/format.ts";
import { capacities, cronRuns, statusRuns } from "../../schema.ts";
import type { Bindings } from "../../worker/env.ts";
import { openDatabase } from "../../worker/platform/db.ts";
import { runChecks } from "../../worker/status/run-checks.ts";
import { STATUS_MAX_AGE_SECONDS } from "../../worker/status/read-status.ts";
import { longTest } from "../long.ts";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";
import type { TabOptions } from "./tab.ts";

const site = openSite();

/** Every call of a binding fails. */
function broken<Binding extends object>(): Binding {
  const fail = () => Promise.reject(new Error("away"));
  const statement = { bind: () => statement, all: fail, raw: fail, run: fail, first: fail };
  return { get: fail, put: fail, delete: fail, send: fail, batch: fail, prepare: () => statement } as never as Binding;
}

/** One run of the checks on the worker's own parts, some of them broken. */
async function check(instead: Partial<Pick<Bindings, "DB" | "EDGE">> = {}): Promise<void> {
  const { DB, EDGE: edge } = { ...site.worker.env, ...instead };
  const verify = async () => [3, 3, 8];
  await runChecks({ db: openDatabase(DB), edge, verify }, Date.now());
}

/** Opens the page once the worker's cached response has expired. */
async function openStatus(options: TabOptions = {}): Promise<Page> {
  await sleep(STATUS_MAX_AGE_SECONDS * 1000 + 100);
  const page = await site.newPage(options);
  await openLive(page, "/status");
  await page.locator("#overall").waitFor();
  return page;
}

function overall(page: Page): Promise<string> {
  return page.locator("#overall").innerText();
}

/** The page's text for each part: "Working". */
async function parts(page: Page): Promise<Record<string, string>> {
  const rows = await page.locator("[data-part]").all();
  const told = rows.map(async (row) => [
    await row.getByRole("heading", { level: 3 }).innerText(),
    await row.locator("h3 + span").innerText(),
  ]);
  return Object.fromEntries(await Promise.all(told)) as Record<string, string>;
}

/** The colors of today's bar, from the top. */
async function todaysBar(page: Page, part: string): Promise<(string | null)[]> {
  const bars = await page.locator(`[data-part="${part}"] [data-day]`).last().locator("rect[fill^=var]").all();
  return Promise.all(bars.map((bar) => bar.getAttribute("fill")));
}

function failedChecks(page: Page): Promise<string> {
  return page.getByRole("region", { name: "Failed checks" }).innerText();
}

const VERIFIES = { Verification: "Working" };
const GREEN = "var(--signal)";
const RED = "var(--invalid)";

beforeEach(async () => {
  const { db } = site.worker;
  await db.batch([db.delete(statusRuns), db.delete(cronRuns), db.delete(capacities)]);
});

describe("the page shows what was measured", () => {
  test("nothing, if nothing was", async () => {
    const page = await openStatus();
    expect(await overall(page)).toBe("The API is responding");
    expect(await page.locator("[data-part], [data-strip]").count()).toBe(0);
    expect(await page.getByText("Median latency").count()).toBe(0);
    const data = await page.getByRole("region", { name: "Data sources" }).innerText();
    for (const of of Object.values(DATA_RELEASES)) expect(data).toContain(dataReleaseName(of));
  });

  test("which registers are too old to say that a range is unassigned, by the day it is read", async () => {
    const page = await site.newPage();
    const { unassigned_until: until } = REGISTER_RELEASES.US!;
    const registers = page.getByRole("region", { name: "Data sources" });
    await page.clock.setFixedTime(`${until}T12:00:00Z`);
    await page.goto("/status");
    await registers
      .getByText(`Says which ranges are unassigned until ${formatUtcDay(until)}.`)
      .first()
      .waitFor();
    await page.clock.setFixedTime(Date.parse(`${until}T12:00:00Z`) + 86_400_000);
    await page.reload();
    await registers
      .getByText(`Holders only: after ${formatUtcDay(until)}, it’s too old`)
      .first()
      .waitFor();
  });

  test("every part, when all work; its days as a table by keyboard", async () => {
    await check();
    const page = await openStatus();
    expect(await overall(page)).toBe("All systems operational");
    expect(await parts(page)).toStrictEqual({
      ...VERIFIES,
      Database: "Working",
      "Key store": "Working",
    });
    expect(await page.locator('[data-part="verification"]').innerText()).toMatch(/Median 3 ms, p95 8 ms · just now/);
    for (const part of ["verification", "database", "key_store"])
      expect(await todaysBar(page, part)).toStrictEqual([GREEN]);
    expect(await page.locator('[data-part="database"] [data-day]').count()).toBe(90);
    expect(await page.locator('[data-part="database"]').innerText()).toMatch(/100% passed · 1 check since/);
    const figures = await page.locator("dl").first().innerText();
    expect(figures).toMatch(/Median latency\s+3 ms\s+just now[\s\S]*p95 latency\s+8 ms[\s\S]*100%\s+of 3 since/);
    expect(figures).toContain(DATA_RELEASES.numbering_plans.release);
    expect(await failedChecks(page)).toContain("No failed checks in the last 90 days.");
    await page.locator("summary", { hasText: "View as table" }).focus();
    await page.keyboard.press("Enter");
    const rows = page.getByRole("table").getByRole("row");
    await expect.poll(() => rows.count()).toBe(8);
    expect(await rows.nth(1).innerText()).toMatch(/1 of 1\s+1 of 1\s+1 of 1/);
    expect(await rows.nth(2).innerText()).toMatch(/no data/);
  });

  test("the key store down: that it is failing, and that the others work", async () => {
    await check();
    await check({ EDGE: broken<Bindings["EDGE"]>() });
    const page = await openStatus();
    expect(await overall(page)).toBe("The key store is failing");
    expect(await parts(page)).toStrictEqual({ ...VERIFIES, Database: "Working", "Key store": "Failing" });
    expect(await todaysBar(page, "key_store")).toStrictEqual([RED, GREEN]);
    expect(await todaysBar(page, "database")).toStrictEqual([GREEN]);
    expect(await failedChecks(page)).toMatch(/Key store[\s\S]*1 failed check[\s\S]*Still failing/);
  });

  test("the database down: that it is failing and its history is unavailable", async () => {
    await check();
    const { db } = site.worker;
    await db.run(sql`ALTER TABLE status_runs RENAME TO taken_away`);
    try {
      const page = await openStatus();
      expect(await overall(page)).toBe("The database is failing");
      expect(await parts(page)).toStrictEqual({ Verification: "Unknown", Database: "Failing", "Key store": "Unknown" });
      expect(await page.locator("[data-strip]").count()).toBe(0);
      expect(await failedChecks(page)).toContain("This history is in the database, which isn’t responding.");
    } finally {
      await db.run(sql`ALTER TABLE taken_away RENAME TO status_runs`);
    }
  });
});

test("the page says when something is nearly full", async () => {
  const { db } = site.worker;
  await check();
  const full = { name: "database_bytes", used: 9e9, most: 10e9, measuredAt: Date.now() };
  await db.insert(capacities).values(full);
  const told = (page: Page) => page.getByText("A database or the day’s limit of emails is nearly full.").count();
  expect(await told(await openStatus())).toBe(1);
  await db.update(capacities).set({ used: 1 });
  expect(await told(await openStatus())).toBe(0);
});

describe("without a response", () => {
  test("the figures age with the list below them", async () => {
    await check();
    await sleep(STATUS_MAX_AGE_SECONDS * 1000 + 100);
    const page = await site.newPage();
    await page.clock.install();
    await openLive(page, "/status");
    const places = [page.locator("dl").first(), page.locator('[data-part="verification"]')];
    for (const place of places) await place.getByText("just now").waitFor();
    await page.route("**/api/v1/status", (route) => route.fulfill({ status: 503, body: "{}" }));
    site.expectProblem(/^answer 503: .*\/api\/v1\/status$/);
    await page.clock.runFor(180_000);
    for (const place of places) await place.getByText("3 minutes ago").waitFor();
  });

  test("the page says so, and recovers on retry", async () => {
    await check();
    const page = await site.newPage();
    await page.route("**/api/v1/status", (route) => route.fulfill({ status: 503, body: "{}" }));
    site.expectProblem(/^answer 503: .*\/api\/v1\/status$/);
    await openLive(page, "/status");
    await expect.poll(() => overall(page)).toBe("The API is not responding");
    expect(await page.locator("[data-part]").count()).toBe(0);
    await page.unroute("**/api/v1/status");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("[data-part]").first().waitFor();
    expect(await overall(page)).not.toBe("The API is not responding");
  });

  longTest("what was known before is shown as of then; back online it asks again", async () => {
    await check();
    const page = await openStatus();
    expect(await overall(page)).toBe("All systems operational");
    site.expectProblem(/^request failed: .*\/api\/v1\/status /);
    // The browser's cache would respond without the network.
    await sleep(STATUS_MAX_AGE_SECONDS * 1000 + 100);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Check again" }).click();
    await expect.poll(() => overall(page)).toBe("This device is offline");
    expect(await page.getByRole("main").innerText()).toMatch(/The results below are from .*UTC/);
    expect(await page.locator("[data-part]").count()).toBe(3);
    await page.context().setOffline(false);
    await expect.poll(() => overall(page)).toBe("All systems operational");
  });
});
