import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { KeyMode } from "../../contract/limits.ts";
import { apiKeys, subscriptions, usageDaily, users } from "../../schema.ts";
import {
  AdministrationError,
  describeAccount,
  revokeAccountKeys,
  suspendAccount,
  unsuspendAccount,
} from "../../worker/accounts/administer.ts";
import { createApiKey } from "../../worker/keys/create-api-key.ts";
import { endSubscription, extendTrial, grantSubscription } from "../../worker/subscriptions/administer.ts";
import { DAY_MS, utcDay } from "../../worker/usage/days.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import type { AccountOptions, SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { answerTo, post, send } from "../requests.ts";

const worker = startWorker();

interface Customer extends SignedIn {
  readonly keys: { readonly test: string; readonly live: string };
}

async function createCustomer(options: AccountOptions = {}): Promise<Customer> {
  const { db } = worker;
  const account = await createSignedIn(db, options);
  const key = { db, now: Date.now(), userId: account.id };
  const sandbox = await createApiKey({ ...key, mode: "test", name: "My test key" });
  const live = await createApiKey({ ...key, mode: "live", name: "My live key" });
  return { ...account, keys: { test: sandbox.apiKey, live: live.apiKey } };
}

/** A key that the worker has not seen: it remembers the others for a while, as after a command it should. */
async function unseenKey({ id: userId }: SignedIn, mode: KeyMode): Promise<string> {
  return (await createApiKey({ db: worker.db, now: Date.now(), userId, mode, name: "Unseen" })).apiKey;
}

function administer({ email }: { readonly email: string }, now = Date.now()) {
  return { db: worker.db, now, email };
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
  test("tells what it has and used, finds it in any case, and holds no hash", async () => {
    const customer = await createCustomer();
    const row = { userId: customer.id, day: utcDay(Date.now()), countryCode: "BR" } as const;
    await worker.db.insert(usageDaily).values([
      { ...row, mode: "live", outcome: "success", count: 7 },
      { ...row, mode: "live", outcome: "failure", count: 2 },
      { ...row, mode: "test", outcome: "success", count: 1 },
    ]);
    const shown = await describeAccount(administer({ email: customer.email.toUpperCase() }));
    expect(shown).toMatchObject({
      id: customer.id,
      email: customer.email,
      name: "Ada",
      suspended_at: null,
      subscription: { status: "active", plan: "trial", quota: { limit: 1000, used: 7, remaining: 993 } },
      keys: {
        test: [{ name: "My test key", hint: customer.keys.test.slice(-4), last_used_at: null }],
        live: [{ name: "My live key", hint: customer.keys.live.slice(-4) }],
      },
      usage: { test: { total: 1, successful: 1 }, live: { total: 9, successful: 7 } },
    });
    expect(shown.verified_at).not.toBeNull();
    const user = await worker.db.select().from(users).where(eq(users.id, customer.id)).get();
    const hashes = [user!.passwordHash, ...(await keyRows(customer)).map(({ hash }) => hash)];
    for (const hash of hashes) expect(JSON.stringify(shown)).not.toContain(hash);
  });

  test("works for one that has nothing yet", async () => {
    const account = await createSignedIn(worker.db, { subscription: "none", verified: false });
    expect(await describeAccount(administer(account))).toMatchObject({
      verified_at: null,
      subscription: { status: "none", plan: null },
      keys: { test: [], live: [] },
    });
  });
});

test("every command refuses an account that does not exist", async () => {
  const nobody = administer({ email: "nobody@example.com" });
  const attempts = [
    () => describeAccount(nobody),
    () => suspendAccount(nobody),
    () => unsuspendAccount(nobody),
    () => revokeAccountKeys(nobody),
    () => grantSubscription({ ...nobody, plan: "pro", until: null }),
    () => endSubscription(nobody),
    () => extendTrial({ ...nobody, days: 1 }),
  ];
  for (const attempt of attempts) {
    const error = await attempt().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AdministrationError);
    expect(error).toMatchObject({ code: "ACCOUNT_NOT_FOUND", message: expect.stringContaining("nobody@example.com") });
  }
});

describe("a suspended account", () => {
  test("is refused with keys, session and password, and let in again with what it had", async () => {
    const customer = await createCustomer();
    const unseen = [await unseenKey(customer, "live"), await unseenKey(customer, "test")];
    expect(await openDashboard(customer)).toBe("200");
    const since = await suspendAccount(administer(customer));
    expect(await verify(customer.keys.live)).toBe("403 ACCOUNT_SUSPENDED");
    expect(await verify(customer.keys.test)).toBe("403 ACCOUNT_SUSPENDED");
    expect(await openDashboard(customer)).toBe("401 SESSION_EXPIRED");
    expect(await signIn(customer)).toBe("403 ACCOUNT_SUSPENDED");
    expect(await signIn(customer, "not its password")).toBe("401 INVALID_CREDENTIALS");
    expect(await suspendAccount(administer(customer, Date.now() + 5_000))).toBe(since);
    expect(await describeAccount(administer(customer))).toMatchObject({ suspended_at: since });

    await unsuspendAccount(administer(customer));
    await unsuspendAccount(administer(customer));
    for (const key of unseen) expect(await verify(key)).toBe("200");
    expect(await openDashboard(customer)).toBe("401 SESSION_EXPIRED");
    expect(await signIn(customer)).toBe("200");
  });

  test("leaves every other account alone", async () => {
    const [customer, other] = [await createCustomer(), await createCustomer()];
    await suspendAccount(administer(customer));
    expect(await verify(other.keys.live)).toBe("200");
    expect(await openDashboard(other)).toBe("200");
    expect((await keyRows(other)).map(({ version }) => version)).toStrictEqual([1, 1]);
  });
});

describe("a subscription", () => {
  test("that is ended stops the live keys only, whenever it would have run out", async () => {
    const customer = await createCustomer();
    expect(await endSubscription(administer(customer))).toMatchObject({ status: "ended", plan: "trial" });
    expect(await verify(customer.keys.live)).toBe("403 SUBSCRIPTION_INACTIVE");
    expect(await verify(customer.keys.test)).toBe("200");
    expect(await endSubscription(administer(customer))).toMatchObject({ status: "ended" });
  });

  test("that never was cannot be ended or extended", async () => {
    const customer = await createCustomer({ subscription: "none" });
    await expect(endSubscription(administer(customer))).rejects.toMatchObject({ code: "NO_SUBSCRIPTION" });
    const extended = extendTrial({ ...administer(customer), days: 3 });
    await expect(extended).rejects.toMatchObject({ code: "NO_TRIAL_TO_EXTEND" });
  });

  test.each(["none", "expired", "ended", "active"] as const)("of pro is granted after %s", async (before) => {
    const customer = await createCustomer({ subscription: before });
    const granted = await grantSubscription({ ...administer(customer), plan: "pro", until: null });
    expect(granted).toMatchObject({
      status: "active",
      plan: "pro",
      expires_at: null,
      trial_available: false,
      quota: { limit: null, remaining: null },
    });
    expect(await verify(customer.keys.live)).toBe("200");
  });

  test("holds until its day, and granted again keeps its start", async () => {
    const customer = await createCustomer({ subscription: "ended" });
    const now = Date.now();
    const grant = { plan: "trial", until: now + 40 * DAY_MS } as const;
    const first = await grantSubscription({ ...administer(customer, now), ...grant });
    expect(first).toMatchObject({
      started_at: new Date(now).toISOString(),
      expires_at: new Date(grant.until).toISOString(),
      quota: { limit: 1000 },
    });
    expect(await grantSubscription({ ...administer(customer, now + 2_000), ...grant })).toStrictEqual(first);
    const another = await grantSubscription({ ...administer(customer, now + 3_000), plan: "pro", until: null });
    expect(another.started_at).toBe(new Date(now + 3_000).toISOString());
  });

  test("cannot be granted into the past", async () => {
    const customer = await createCustomer();
    const past = grantSubscription({ ...administer(customer), plan: "pro", until: Date.now() - 1 });
    await expect(past).rejects.toMatchObject({ code: "END_IN_THE_PAST" });
    expect(await describeAccount(administer(customer))).toMatchObject({ subscription: { plan: "trial" } });
  });
});

describe("a trial", () => {
  test("that runs gets its days at its end, each time", async () => {
    const customer = await createCustomer();
    const { expires_at: end } = (await describeAccount(administer(customer))).subscription;
    for (const days of [3, 4]) await extendTrial({ ...administer(customer), days });
    const { subscription } = await describeAccount(administer(customer));
    expect(Date.parse(subscription.expires_at!) - Date.parse(end!)).toBe(7 * DAY_MS);
  });

  test.each(["expired", "ended"] as const)("that has %s works again", async (before) => {
    const customer = await createCustomer({ subscription: before });
    const unseen = await unseenKey(customer, "live");
    expect(await verify(customer.keys.live)).toBe("403 SUBSCRIPTION_INACTIVE");
    const now = Date.now();
    const extended = await extendTrial({ ...administer(customer, now), days: 5 });
    expect(extended).toMatchObject({ status: "active", plan: "trial" });
    expect(Date.parse(extended.expires_at!)).toBeGreaterThanOrEqual(now + 5 * DAY_MS);
    expect(await verify(unseen)).toBe("200");
  });

  test("is not what a plan without trial or without end has", async () => {
    for (const plan of ["pro", "trial"] as const) {
      const customer = await createCustomer();
      await grantSubscription({ ...administer(customer), plan, until: null });
      const extended = extendTrial({ ...administer(customer), days: 5 });
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
    expect(await revokeAccountKeys({ ...administer(customer), mode: "live" })).toBe(1);
    expect(await verify(customer.keys.live)).toBe("401 API_KEY_REVOKED");
    expect(await verify(customer.keys.test)).toBe("200");
    expect(await revokeAccountKeys(administer(customer))).toBe(2);
    expect(await verify(unseen)).toBe("401 API_KEY_REVOKED");
    expect(await revokeAccountKeys(administer(customer))).toBe(0);
  });

  test("are marked as changed by every change of what they may do, even under a clock that is behind", async () => {
    const customer = await createCustomer();
    const { db } = worker;
    const [old] = await keyRows(customer);
    await db.update(apiKeys).set({ revokedAt: 1 }).where(eq(apiKeys.id, old!.id));
    const late = administer(customer, Date.now() - 3_600_000);
    const changes = [
      () => suspendAccount(late),
      () => unsuspendAccount(late),
      () => grantSubscription({ ...late, plan: "trial", until: Date.now() + DAY_MS }),
      () => extendTrial({ ...late, days: 1 }),
      () => endSubscription(late),
      () => revokeAccountKeys(late),
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
