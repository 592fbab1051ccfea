import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq, inArray, isNull, lt, or } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys, cronRuns, emailTokens, securityEvents, signInAttempts, subscriptions, users } from "../../schema.ts";
import { createIsolate } from "../../worker/io.ts";
import { CRONS } from "../../worker/operations/jobs.ts";
import { runJob } from "../schedule.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { createAccount, emailOf, PASSWORD } from "../factories.ts";
import type { AccountOptions } from "../factories.ts";
import { NOON } from "../usage.ts";
import { post } from "../requests.ts";
import { skip, until } from "./clock.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();

function run(cron: string): Promise<void> {
  return until(runJob(cron, createIsolate(network.behind())));
}

/** A job's runs in the log. */
function told(job: string): unknown[] {
  return network.logs.map((line) => JSON.parse(line) as { event: string }).filter(({ event }) => event === job);
}

beforeEach(async () => {
  await network.worker.db.delete(subscriptions);
});

test("the jobs match the crons in wrangler.toml, and each has a distinct name", () => {
  const settings = readFileSync(join(import.meta.dirname, "../../wrangler.toml"), "utf8");
  const crons = JSON.parse(/^crons = (\[.*\])$/m.exec(settings)![1]!) as string[];
  expect(Object.keys(CRONS).toSorted()).toStrictEqual(crons.toSorted());
  expect(new Set(Object.values(CRONS)).size).toBe(crons.length);
});

test("a cron expression without a job fails loudly", async () => {
  await expect(run("0 0 * * *")).rejects.toThrow("0 0 * * *");
});

test.each(Object.entries(CRONS))("a failing job (%s: %s) is logged and fails the run", async (cron, name) => {
  network.faults.d1 = "down";
  await expect(run(cron)).rejects.toThrow();
  expect(told(`${name}_failed`)).toHaveLength(1);
  network.repair();
  await run(cron);
});

test("a run is recorded with its job's first one", async () => {
  const { db } = network.worker;
  const times = () => db.select({ first: cronRuns.firstStartedAt, last: cronRuns.startedAt }).from(cronRuns);
  await db.delete(cronRuns);
  for (const last of [NOON, NOON + 60_000]) {
    skip(last - Date.now());
    await run("* * * * *");
    expect(await times()).toStrictEqual([{ first: NOON, last }]);
  }
});

describe("every minute", () => {
  async function unsynced(): Promise<number> {
    const behind = or(isNull(apiKeys.syncedAt), lt(apiKeys.syncedAt, apiKeys.updatedAt));
    return (await network.worker.db.select().from(apiKeys).where(behind)).length;
  }

  test("changed keys are written to KV, until a minute after the change; with nothing to do, nothing is logged", async () => {
    await network.caller();
    expect(await unsynced()).toBeGreaterThan(0);
    await run("* * * * *");
    expect(await unsynced()).toBe(1);
    skip(60_000);
    await run("* * * * *");
    expect(await unsynced()).toBe(0);
    expect(told("kv_sync")).toHaveLength(2);
    await run("* * * * *");
    expect(told("kv_sync")).toHaveLength(2);
  });
});

describe("every hour", () => {
  test("owners are emailed about a trial that is about to end, once", async () => {
    await network.caller();
    await run("7 * * * *");
    await run("7 * * * *");
    expect(network.emails.map(({ purpose }) => purpose)).toStrictEqual(["trial_ending"]);
  });

  test("expired rows are deleted, and no others", async () => {
    const { db } = network.worker;
    const { userId } = await network.caller();
    const token = (id: string, expiresAt: number) => ({
      id,
      userId,
      purpose: "verify_email" as const,
      createdAt: 1,
      expiresAt,
    });
    await db
      .insert(emailTokens)
      .values([token("tok_old", Date.now() - 8 * DAY_MS), token("tok_expired", Date.now() - 6 * DAY_MS)]);
    await db.insert(signInAttempts).values([
      { subject: "over", count: 1, windowEndsAt: Date.now() - 1 },
      { subject: "open", count: 1, windowEndsAt: Date.now() + 1 },
    ]);
    for (const _ of [1, 2]) {
      await run("17 * * * *");
      const tokens = await db.select({ id: emailTokens.id }).from(emailTokens).where(eq(emailTokens.userId, userId));
      expect(tokens).toStrictEqual([{ id: "tok_expired" }]);
      const attempts = await db.select({ subject: signInAttempts.subject }).from(signInAttempts);
      expect(attempts).toStrictEqual([{ subject: "open" }]);
    }
  });

  test("unverified accounts are erased after 30 days, unless a link works or they have a subscription", async () => {
    const { db } = network.worker;
    const MONTH = 30 * DAY_MS;
    async function account(age: number, options: AccountOptions = {}): Promise<string> {
      const id = await createAccount(db, { subscription: "none", verified: false, ...options });
      await db
        .update(users)
        .set({ createdAt: Date.now() - age })
        .where(eq(users.id, id));
      return id;
    }
    const old = await account(MONTH + 1);
    const expired = await account(MONTH + 1);
    const kept = {
      recent: await account(MONTH),
      verified: await account(2 * MONTH, { verified: true }),
      granted: await account(2 * MONTH, { subscription: "ended" }),
      registeredAgain: await account(2 * MONTH),
    };
    const token = (userId: string, expiresAt: number) => ({
      id: `tok_${userId}`,
      userId,
      purpose: "verify_email" as const,
      createdAt: 1,
      expiresAt,
    });
    await db.insert(emailTokens).values([token(expired, Date.now()), token(kept.registeredAgain, Date.now() + 1)]);
    for (const erased of [2, 0]) {
      network.logs.length = 0;
      await run("17 * * * *");
      expect(told("clean_up")).toMatchObject([{ unverified_accounts: erased }]);
      const left = await db
        .select({ id: users.id })
        .from(users)
        .where(inArray(users.id, [old, expired, ...Object.values(kept)]));
      expect(left.map(({ id }) => id).toSorted()).toStrictEqual(Object.values(kept).toSorted());
    }
  });
});

describe("security events", () => {
  const kept = async () => {
    const rows = await network.worker.db.select({ id: securityEvents.id }).from(securityEvents);
    return rows.map(({ id }) => id).toSorted();
  };

  beforeEach(async () => {
    await network.worker.db.delete(securityEvents);
  });

  test("are kept for 90 days, an account's last login for longer", async () => {
    const { db } = network.worker;
    const active = { userId: await createAccount(db), kind: "log_in" } as const;
    const away = { userId: await createAccount(db) };
    await db.insert(securityEvents).values([
      { ...active, id: "evt_old", at: NOON - 90 * DAY_MS - 1 },
      { ...active, id: "evt_kept", at: NOON - 90 * DAY_MS },
      { ...away, id: "evt_away_1", kind: "log_in", at: NOON - 130 * DAY_MS },
      { ...away, id: "evt_away_2", kind: "log_in_new_device", at: NOON - 120 * DAY_MS },
      { ...away, id: "evt_away_3", kind: "log_out", at: NOON - 110 * DAY_MS },
    ]);
    await run("17 * * * *");
    expect(await kept()).toStrictEqual(["evt_away_2", "evt_kept"]);
  });

  test("a thief's login after four months without one is on a new device, the owner's own is not", async () => {
    const { db } = network.worker;
    const from = (browser: string) => ({ "User-Agent": `Mozilla/5.0 (X11; Linux x86_64; rv:145.0) ${browser}` });
    const isolate = await network.isolate();
    for (const [browser, kind] of [
      ["Gecko/20100101 Firefox/145.0", "log_in"],
      ["Chrome/142.0.0.0 Safari/537.36", "log_in_new_device"],
    ] as const) {
      const userId = await createAccount(db);
      const past = { userId, kind: "log_in", at: NOON - 120 * DAY_MS, browser: "Firefox on Linux" } as const;
      await db.insert(securityEvents).values({ ...past, id: `evt_${kind}` });
      await run("17 * * * *");
      const body = { email: emailOf(userId), password: PASSWORD };
      expect((await isolate.fetch("/api/v1/auth/login", post(null, body, from(browser)))).status).toBe(200);
      await isolate.settled();
      const rows = await db.select().from(securityEvents).where(eq(securityEvents.userId, userId));
      expect(rows.map((row) => row.kind)).toStrictEqual(["log_in", kind]);
    }
  });
});
