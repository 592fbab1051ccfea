import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { users } from "../../schema.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { createSignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { addUsage, countOf, partOf } from "../usage.ts";
import { quotaUse } from "../../worker/ledger/part.ts";
import { setUsage, subscriptionOf } from "../notices.ts";
import { post, send } from "../requests.ts";

// What depends on the runtime; the rules are tested in worker/ledger/*.test.ts.

const worker = startWorker();
const EVER = { first: "", last: "~" };
const NUMBER = "+5511987654321";

async function customer(plan: "trial" | "pro", mode: "live" | "test" = "live") {
  const account = await createSignedIn(worker.db, { plan });
  const { apiKey, id: keyId } = await insertApiKey({
    db: worker.db,
    now: Date.now(),
    userId: account.id,
    mode,
    name: "a",
  });
  return { ...account, apiKey, keyId, ledger: worker.env.LEDGER.getByName(account.id) };
}

async function read(path: string, token: string): Promise<Record<string, unknown>> {
  const response = await worker.fetch(`/api/v1/account/${path}`, send("GET", token));
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

describe("a verification", () => {
  test("of a plan without quota arrives through the queue, in reports, in the subscription, and at its key", async () => {
    const { apiKey, keyId, token } = await customer("pro");
    const before = Date.now();
    expect((await worker.fetch("/api/v1/verify", post(apiKey, { number: NUMBER }))).status).toBe(200);
    const summary = () => read("reports/summary", token);
    await expect.poll(summary).toMatchObject({ total_verifications: 1, successful_verifications: 1 });
    expect(await read("subscription", token)).toMatchObject({ quota: { limit: null, used: 1 } });
    const { keys } = (await read("api-keys", token)) as { keys: { id: string; last_used_at: string }[] };
    expect(keys[0]).toMatchObject({ id: keyId });
    expect(Date.parse(keys[0]!.last_used_at)).toBeGreaterThanOrEqual(before);
  });

  test("of a trial is charged behind its response, a batch before it, and both are rejected when nothing is left", async () => {
    const account = await customer("trial");
    await setUsage(worker, account.id, 998);
    const used = async () => ((await read("subscription", account.token)) as { quota: object }).quota;
    const first = await worker.fetch("/api/v1/verify", post(account.apiKey, { number: NUMBER }));
    expect(first.status).toBe(200);
    expect(first.headers.get("Server-Timing")).not.toMatch(/ledger/);
    await expect.poll(used).toMatchObject({ used: 999, remaining: 1 });
    const batch = post(account.apiKey, { numbers: [NUMBER, "+1"] });
    const second = await worker.fetch("/api/v1/verify/batch", batch);
    expect(second.status).toBe(200);
    expect(second.headers.get("Server-Timing")).toMatch(/ledger;dur=\d+/);
    expect(await used()).toMatchObject({ used: 1_000, remaining: 0 });
    expect((await worker.fetch("/api/v1/verify/batch", batch)).status).toBe(402);
    expect((await worker.fetch("/api/v1/verify", post(account.apiKey, { number: NUMBER }))).status).toBe(402);
  });
});

test("a part is counted once, however often it is recorded concurrently", async () => {
  const { id, ledger } = await customer("pro");
  const part = partOf(id, [countOf(5, 1, { day: "2026-01-02" })]);
  await Promise.all(Array.from({ length: 20 }, () => ledger.record(part)));
  expect((await ledger.usage(EVER)).days).toEqual([{ date: "2026-01-02", total: 6, successful: 5 }]);
});

test("a quota is exact under concurrent calls that wait for it", async () => {
  const { id, ledger } = await customer("trial");
  const { startedAt } = (await subscriptionOf(worker.db, id))!;
  const calls = Array.from({ length: 80 }, (_, at) => {
    const part = partOf(id, [countOf(25, 0, { startedAt })], {
      isolate: `${(Date.now() - 1000).toString(36)}.i${at % 12}`,
      seq: 1 + Math.floor(at / 12),
      uses: [quotaUse(startedAt, 25, 1_000)],
    });
    return ledger.record(part, { enforce: true });
  });
  const replies = await Promise.all(calls);
  const used = 25 * replies.filter(({ refusedBy }) => refusedBy === null).length;
  expect(await ledger.quotaUsed(startedAt)).toBe(used);
  expect(used).toBe(1_000);
});

test("the first record registers the ledger in D1; reading does not create one", async () => {
  const { id, token, ledger } = await customer("pro");
  const meteredAt = async () => (await worker.db.select().from(users).where(eq(users.id, id)).get())!.meteredAt;
  await read("reports/usage", token);
  expect(await meteredAt()).toBeNull();
  await ledger.record(partOf(id, [countOf(5, 1)]));
  await expect.poll(meteredAt).not.toBeNull();
});

test("a deleted account has an erased ledger, after 40,000 rows, and nothing late brings it back", async () => {
  const account = await customer("pro");
  for (let month = 1; month <= 4; month++) {
    const used = Array.from({ length: 10_000 }, (_, at) => ({
      day: `2026-0${month}-01`,
      keyId: `key_${at}`,
      success: 1,
    }));
    await addUsage({ ledgers: worker.env.LEDGER }, account.id, used);
  }
  expect((await account.ledger.usage(EVER)).days).toHaveLength(4);
  const began = performance.now();
  expect((await worker.fetch("/api/v1/account", send("DELETE", account.token))).status).toBe(204);
  expect(performance.now() - began).toBeLessThan(5_000);
  await addUsage({ ledgers: worker.env.LEDGER }, account.id, [{ success: 3 }]);
  expect(await account.ledger.usage(EVER)).toEqual({ days: [], countries: [], keys: [] });
});
