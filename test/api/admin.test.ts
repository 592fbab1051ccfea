import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { KeyMode } from "../../contract/limits.ts";
import { apiKeys, subscriptions, usageMonths, users } from "../../schema.ts";
import {
  accountToAdminister,
  describeAccount,
  suspendAccount,
  unsuspendAccount,
} from "../../worker/administration/administer.ts";
import { insertApiKey, revokeApiKeys } from "../../worker/keys/api-keys.ts";
import { AdministrationError } from "../../worker/platform/errors.ts";
import { endSubscription, extendTrial, grantSubscription } from "../../worker/subscriptions/changes.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { createAccount, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import type { AccountOptions, SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";
import { answerTo, post, send } from "../requests.ts";

const worker = startWorker();

interface Customer extends SignedIn {
  readonly keys: { readonly test: string; readonly live: string };
}

async function createCustomer(options: AccountOptions = {}): Promise<Customer> {
  const { db } = worker;
  const account = await createSignedIn(db, options);
  const key = { db, now: Date.now(), userId: account.id };
  const sandbox = await insertApiKey({ ...key, mode: "test", name: "My test key" });
  const live = await insertApiKey({ ...key, mode: "live", name: "My live key" });
  return { ...account, keys: { test: sandbox.apiKey, live: live.apiKey } };
}

/** A key unknown to the worker, which remembers the others for a while, as it should after a command. */
async function unseenKey({ id: userId }: SignedIn, mode: KeyMode): Promise<string> {
  return (await insertApiKey({ db: worker.db, now: Date.now(), userId, mode, name: "Unseen" })).apiKey;
}

/** Operations on an account, found by the address that operators type. */
function administer({ email }: { readonly email: string }, at?: number) {
  const io = ioOf(worker, at === undefined ? Date.now : () => at);
  const find = () => accountToAdminister(io.db, email);
  return {
    describe: async () => describeAccount(io, await find()),
    suspend: async () => suspendAccount(io, await find()),
    unsuspend: async () => unsuspendAccount(io, await find()),
    grant: async (grant: Parameters<typeof grantSubscription>[2]) => grantSubscription(io, (await find()).id, grant),
    end: async () => endSubscription(io, (await find()).id),
    extend: async (days: number) => extendTrial(io, (await find()).id, days),
    revoke: async (mode?: KeyMode) => revokeApiKeys(io, null, { userId: (await find()).id, mode }),
  };
}

function verify(key: string): Promise<string> {
  return answerTo(worker, "/api/v1/verify", post(key, { number: "+5511987654321" }));
}

function openDashboard({ token }: SignedIn): Promise<string> {
  return answerTo(worker, "/api/v1/account/me", send("GET", token));
}

function signIn({ email }: SignedIn, password = PASSWORD): Promise<string> {
  return answerTo(worker, "/api/v1/auth/login", post(null, { email, password }));
}

async function keyRows({ id }: SignedIn) {
  return worker.db.select().from(apiKeys).where(eq(apiKeys.userId, id));
}

describe("showing an account", () => {
  test("reports what its ledger has reported to D1; nothing before the first report", async () => {
    const customer = await createCustomer();
    expect(await administer(customer).describe()).toMatchObject({ usage: { live: { total: 0, successful: 0 } } });
    await worker.db.update(users).set({ meteredAt: 1 }).where(eq(users.id, customer.id));
    expect(await administer(customer).describe()).toMatchObject({
      subscription: { quota: { used: null } },
      usage: null,
    });
    const counts = { liveSuccessful: 7, liveFailed: 2, testSuccessful: 1, testFailed: 3 };
    const month = new Date().toISOString().slice(0, 7);
    await worker.db.insert(usageMonths).values([
      { userId: customer.id, month, ...counts },
      { userId: customer.id, month: "2020-01", ...counts },
    ]);
    expect(await administer(customer).describe()).toMatchObject({
      subscription: { quota: { limit: 1000, used: 7 } },
      usage: { test: { total: 8, successful: 2 }, live: { total: 18, successful: 14 } },
    });
  });

  test("reports what it has, finds it in any case, and contains no hash", async () => {
    const customer = await createCustomer();
    const shown = await administer({ email: customer.email.toUpperCase() }).describe();
    expect(shown).toMatchObject({
      id: customer.id,
      email: customer.email,
      name: "Ada",
      suspended_at: null,
      subscription: { status: "active", plan: "trial", quota: { limit: 1000, used: 0 } },
      keys: {
        test: [{ name: "My test key", hint: customer.keys.test.slice(-4) }],
        live: [{ name: "My live key", hint: customer.keys.live.slice(-4) }],
      },
      usage: { test: { total: 0, successful: 0 }, live: { total: 0, successful: 0 } },
    });
    expect(shown.verified_at).not.toBeNull();
    const user = await worker.db.select().from(users).where(eq(users.id, customer.id)).get();
    const hashes = [user!.passwordHash, ...(await keyRows(customer)).map(({ hash }) => hash)];
    for (const hash of hashes) expect(JSON.stringify(shown)).not.toContain(hash);
  });

  test("works for an empty account", async () => {
    const account = { email: emailOf(await createAccount(worker.db, { subscription: "none", verified: false })) };
    expect(await administer(account).describe()).toMatchObject({
      verified_at: null,
      subscription: { status: "none", plan: null },
      keys: { test: [], live: [] },
    });
  });
});

test("every command rejects an account that does not exist", async () => {
  const nobody = administer({ email: "nobody@example.com" });
  const attempts = [
    () => nobody.describe(),
    () => nobody.suspend(),
    () => nobody.unsuspend(),
    () => nobody.revoke(),
    () => nobody.grant({ plan: "pro", until: null }),
    () => nobody.end(),
    () => nobody.extend(1),
  ];
  for (const attempt of attempts) {
    const error = await attempt().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AdministrationError);
    expect(error).toMatchObject({ code: "ACCOUNT_NOT_FOUND", message: expect.stringContaining("nobody@example.com") });
  }
});

describe("a suspended account", () => {
  test("is rejected with keys, session, and password, and gets everything back when the suspension is lifted", async () => {
    const customer = await createCustomer();
    const unseen = [await unseenKey(customer, "live"), await unseenKey(customer, "test")];
    expect(await openDashboard(customer)).toBe("200");
    const since = await administer(customer).suspend();
    expect(await verify(customer.keys.live)).toBe("403 ACCOUNT_SUSPENDED");
    expect(await verify(customer.keys.test)).toBe("403 ACCOUNT_SUSPENDED");
    expect(await openDashboard(customer)).toBe("401 SESSION_EXPIRED");
    expect(await signIn(customer)).toBe("403 ACCOUNT_SUSPENDED");
    expect(await signIn(customer, "not its password")).toBe("401 INVALID_CREDENTIALS");
    expect(await administer(customer, Date.now() + 5_000).suspend()).toBe(since);
    expect(await administer(customer).describe()).toMatchObject({ suspended_at: since });

    // Later than a change that follows another soon, which the scheduled job publishes.
    for (const _ of [1, 2]) await administer(customer, Date.now() + 15_000).unsuspend();
    for (const key of unseen) expect(await verify(key)).toBe("200");
    expect(await openDashboard(customer)).toBe("401 SESSION_EXPIRED");
    expect(await signIn(customer)).toBe("200");
  });

  test("affects no other account", async () => {
    const [customer, other] = [await createCustomer(), await createCustomer()];
    await administer(customer).suspend();
    expect(await verify(other.keys.live)).toBe("200");
    expect(await openDashboard(other)).toBe("200");
    expect((await keyRows(other)).map(({ version }) => version)).toStrictEqual([1, 1]);
  });
});

describe("a subscription", () => {
  test("that is ended stops only the live keys, regardless of its expiry", async () => {
    const customer = await createCustomer();
    expect(await administer(customer).end()).toMatchObject({ status: "ended", plan: "trial" });
    expect(await verify(customer.keys.live)).toBe("403 SUBSCRIPTION_INACTIVE");
    expect(await verify(customer.keys.test)).toBe("200");
    expect(await administer(customer).end()).toMatchObject({ status: "ended" });
  });

  test("that never existed can't be ended or extended", async () => {
    const customer = await createCustomer({ subscription: "none" });
    await expect(administer(customer).end()).rejects.toMatchObject({ code: "NO_SUBSCRIPTION" });
    const extended = administer(customer).extend(3);
    await expect(extended).rejects.toMatchObject({ code: "NO_TRIAL_TO_EXTEND" });
  });

  test.each(["none", "expired", "ended", "active"] as const)("of pro is granted after %s", async (before) => {
    const customer = await createCustomer({ subscription: before });
    const granted = await administer(customer).grant({ plan: "pro", until: null });
    expect(granted).toMatchObject({
      status: "active",
      plan: "pro",
      expires_at: null,
      trial_available: false,
      quota: { limit: null, remaining: null },
    });
    expect(await verify(customer.keys.live)).toBe("200");
  });

  test("lasts until its end date, and granted again keeps its start", async () => {
    const customer = await createCustomer({ subscription: "ended" });
    const now = Date.now();
    const grant = { plan: "trial", until: now + 40 * DAY_MS } as const;
    const first = await administer(customer, now).grant({ ...grant });
    expect(first).toMatchObject({
      started_at: new Date(now).toISOString(),
      expires_at: new Date(grant.until).toISOString(),
      quota: { limit: 1000 },
    });
    expect(await administer(customer, now + 2_000).grant({ ...grant })).toStrictEqual(first);
    const another = await administer(customer, now + 3_000).grant({ plan: "pro", until: null });
    expect(another.started_at).toBe(new Date(now + 3_000).toISOString());
  });

  test("can't be granted into the past", async () => {
    const customer = await createCustomer();
    const past = administer(customer).grant({ plan: "pro", until: Date.now() - 1 });
    await expect(past).rejects.toMatchObject({ code: "END_IN_THE_PAST" });
    expect(await administer(customer).describe()).toMatchObject({ subscription: { plan: "trial" } });
  });
});

describe("a trial", () => {
  test("that is active gets its days at its end, each time", async () => {
    const customer = await createCustomer();
    const { expires_at: end } = (await administer(customer).describe()).subscription;
    for (const days of [3, 4]) await administer(customer).extend(days);
    const { subscription } = await administer(customer).describe();
    expect(Date.parse(subscription.expires_at!) - Date.parse(end!)).toBe(7 * DAY_MS);
  });

  test.each(["expired", "ended"] as const)("that has %s works again", async (before) => {
    const customer = await createCustomer({ subscription: before });
    const unseen = await unseenKey(customer, "live");
    expect(await verify(customer.keys.live)).toBe("403 SUBSCRIPTION_INACTIVE");
    const now = Date.now();
    const extended = await administer(customer, now).extend(5);
    expect(extended).toMatchObject({ status: "active", plan: "trial" });
    expect(Date.parse(extended.expires_at!)).toBeGreaterThanOrEqual(now + 5 * DAY_MS);
    expect(await verify(unseen)).toBe("200");
  });

  test("is not what a plan without trial or end has", async () => {
    for (const plan of ["pro", "trial"] as const) {
      const customer = await createCustomer();
      await administer(customer).grant({ plan, until: null });
      const extended = administer(customer).extend(5);
      await expect(extended).rejects.toMatchObject({ code: "NO_TRIAL_TO_EXTEND" });
      const row = await worker.db.select().from(subscriptions).where(eq(subscriptions.userId, customer.id)).get();
      expect(row).toMatchObject({ plan, expiresAt: null });
    }
  });
});

describe("an account's keys", () => {
  test("are revoked in one mode, then in both", async () => {
    const customer = await createCustomer();
    const unseen = await unseenKey(customer, "test");
    expect(await administer(customer).revoke("live")).toBe(1);
    expect(await verify(customer.keys.live)).toBe("401 API_KEY_REVOKED");
    expect(await verify(customer.keys.test)).toBe("200");
    expect(await administer(customer).revoke()).toBe(2);
    expect(await verify(unseen)).toBe("401 API_KEY_REVOKED");
    expect(await administer(customer).revoke()).toBe(0);
  });

  test("are marked as changed by every change to their permissions, even with a slow clock", async () => {
    const customer = await createCustomer();
    const { db } = worker;
    const [old] = await keyRows(customer);
    await db.update(apiKeys).set({ revokedAt: 1 }).where(eq(apiKeys.id, old!.id));
    const late = administer(customer, Date.now() - 3_600_000);
    const changes = [
      () => late.suspend(),
      () => late.unsuspend(),
      () => late.grant({ plan: "trial", until: Date.now() + DAY_MS }),
      () => late.extend(1),
      () => late.end(),
      () => late.revoke(),
    ];
    for (const [index, change] of changes.entries()) {
      const syncedAt = Date.now();
      await db.update(apiKeys).set({ syncedAt }).where(eq(apiKeys.userId, customer.id));
      await change();
      const rows = await keyRows(customer);
      expect(rows.find(({ id }) => id === old!.id)).toMatchObject({ version: 1, updatedAt: old!.updatedAt });
      const changed = rows.find(({ id }) => id !== old!.id)!;
      expect(changed.version).toBe(index + 2);
      expect(changed.updatedAt).toBeGreaterThan(syncedAt);
    }
  });
});
