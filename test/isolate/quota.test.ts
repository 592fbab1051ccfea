import { beforeEach, describe, expect, test } from "vitest";
import { accountToAdminister } from "../../worker/accounts/administer.ts";
import { grantSubscription } from "../../worker/subscriptions/changes.ts";
import { post } from "../requests.ts";
import { INVALID, VALID, verify, verifyBatch } from "./calls.ts";
import { pass, skip, until } from "./clock.ts";
import { ioOf } from "../io.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const network = startNetwork();

let isolate: NetworkIsolate;

beforeEach(async () => {
  isolate = await network.isolate();
});

/** A live caller of the trial, whose quota is 1,000, and what of it is used. */
async function callerWith(used: number): Promise<Caller> {
  const caller = await network.caller();
  await network.use(caller.userId, used);
  return caller;
}

describe("at the limit of the trial", () => {
  test("a live key is refused with 402 and told why", async () => {
    const { key } = await callerWith(1_000);
    const answer = await verify(isolate, key);
    expect(answer).toMatchObject({ status: 402, code: "QUOTA_EXCEEDED" });
    expect(answer.body["error"]).toBe("All 1000 successful verifications of the subscription are used up.");
    await isolate.settled();
    expect(network.queued()).toBe(0);
  });

  test("the isolate counts down what it admits itself", async () => {
    const { key } = await callerWith(998);
    const statuses = [];
    for (let made = 0; made < 4; made++) statuses.push((await verify(isolate, key)).status);
    expect(statuses).toStrictEqual([200, 200, 402, 402]);
  });

  test("look-ups of numbers that are not valid are free", async () => {
    const { key } = await callerWith(999);
    for (let made = 0; made < 5; made++) expect((await verify(isolate, key, INVALID)).status).toBe(200);
    expect((await verify(isolate, key)).status).toBe(200);
    expect((await verify(isolate, key)).status).toBe(402);
  });

  test("a batch larger than what is left is refused as a whole, and nothing of it is counted", async () => {
    const { key } = await callerWith(998);
    const answer = await verifyBatch(isolate, key, [VALID, VALID, VALID]);
    expect(answer).toMatchObject({ status: 402, code: "QUOTA_EXCEEDED" });
    expect(answer.body["error"]).toBe(
      "The subscription has 2 successful verifications left, fewer than the 3 of this batch.",
    );
    await isolate.settled();
    expect(network.queued()).toBe(0);
    expect((await verifyBatch(isolate, key, [VALID, VALID])).status).toBe(200);
    expect((await verify(isolate, key)).status).toBe(402);
  });

  test("all live keys of the account share what is left, and test keys go on", async () => {
    const { key, userId } = await callerWith(999);
    const other = await network.anotherKey(userId, "live");
    const sandbox = await network.anotherKey(userId, "test");
    expect((await verify(isolate, key)).status).toBe(200);
    expect((await verify(isolate, other.apiKey)).status).toBe(402);
    expect((await verify(isolate, sandbox.apiKey)).status).toBe(200);
  });

  test("a plan without a limit is never refused", async () => {
    const { key, userId } = await network.caller("live", { plan: "pro" });
    await network.use(userId, 1_000_000);
    expect((await verify(isolate, key)).status).toBe(200);
  });
});

describe("across isolates", () => {
  test("what one has used holds in all, at once", async () => {
    const { key } = await callerWith(998);
    const [known, unknowing] = [await network.isolate(), await network.isolate()];
    expect((await verify(known, key)).status).toBe(200);
    expect((await verify(isolate, key)).status).toBe(200);
    expect((await verify(known, key)).status).toBe(402);
    expect((await verify(unknowing, key)).status).toBe(402);
  });

  test("its owner is emailed once that the quota is used up", async () => {
    const { key, userId } = await callerWith(999);
    await verify(isolate, key);
    await isolate.settled();
    await network.ledgerOf(userId).settled();
    expect(network.mails).toStrictEqual([expect.objectContaining({ user_id: userId, purpose: "quota_100" })]);
  });
});

describe("a call waits for the ledger", () => {
  const timing = ({ headers }: { readonly headers: Headers }) => headers.get("Server-Timing") ?? "";

  test("when nothing is known of what is left, and then not while it is much", async () => {
    const { key } = await callerWith(10);
    expect(timing(await verify(isolate, key))).toMatch(/, ledger;dur=0$/);
    for (let made = 0; made < 10; made++) {
      const seen = await verify(isolate, key);
      expect(seen).toMatchObject({ status: 200, waited: 0 });
      expect(timing(seen)).not.toContain("ledger");
    }
    expect(timing(await verifyBatch(isolate, key, Array(50).fill(VALID)))).toContain("ledger");
  });

  test("when little is left", async () => {
    const { key } = await callerWith(960);
    for (let made = 0; made < 3; made++) expect(timing(await verify(isolate, key))).toContain("ledger");
  });

  test("and without a quota never", async () => {
    const { key } = await network.caller("live", { plan: "pro" });
    network.faults.ledger = "hangs";
    const seen = await verify(isolate, key);
    expect(timing(seen)).not.toContain("ledger");
    expect(seen).toMatchObject({ status: 200, waited: 0 });
  });
});

describe.each(["down", "hangs", "silent"] as const)("without a ledger (%s)", (fault) => {
  test("25 numbers are answered by an isolate, then 503 with Retry-After, and all of them are counted", async () => {
    const { key, userId } = await callerWith(1);
    network.faults.ledger = fault;
    const seen = [];
    for (let made = 0; made < 28; made++) seen.push(await verify(isolate, key));
    expect(seen.filter(({ status }) => status === 200)).toHaveLength(25);
    expect(seen.at(-1)).toMatchObject({ status: 503, code: "TEMPORARILY_UNAVAILABLE", retryAfter: "5" });
    expect((await verifyBatch(isolate, key, Array(26).fill(VALID))).status).toBe(503);
    network.repair();
    await isolate.settled();
    await network.consume();
    const before = await network.counted(userId);
    expect((await verify(isolate, key)).status).toBe(200);
    // Calls that were refused with 503 may have been charged, where the ledger did what it was asked.
    const charged = before - (await callerTotal());
    expect(charged).toBeGreaterThanOrEqual(25);
    expect(charged).toBeLessThanOrEqual(fault === "silent" ? 54 : 25);
  });

  /** What `use` has counted beside the quota. */
  async function callerTotal(): Promise<number> {
    return 1 + 5_000 + 5_000 + 5_000;
  }
});

describe("the look-ups of test keys", () => {
  test("of numbers that are not the sandbox's own are limited to 1,000 a day", async () => {
    const { key } = await network.caller("test");
    const numbers = Array.from({ length: 100 }, () => "+5511987654322");
    for (let made = 0; made < 10; made++) {
      expect((await verifyBatch(isolate, key, numbers)).status).toBe(200);
      // Of the limit by the minute, five batches use up most.
      if (made === 4) await pass(120_000);
    }
    await pass(120_000);
    const refused = await verify(isolate, key, "+5511987654322");
    expect(refused).toMatchObject({ status: 429, code: "RATE_LIMITED", retryAfter: String(43_200 - 240) });
    expect((await verify(isolate, key, VALID)).status).toBe(200);
    expect((await verify(isolate, key, "+12025550106")).status).toBe(400);
    skip(12 * 3_600_000);
    expect((await verify(isolate, key, "+5511987654322")).status).toBe(200);
  });
});

describe("a new subscription", () => {
  test("activated through the API holds from the next request on, and within 30 s where the key is known already", async () => {
    const { key, token } = await network.caller("live", { subscription: "none" });
    const known = await network.isolate();
    expect((await verify(known, key)).status).toBe(403);
    expect(await verify(isolate, key)).toMatchObject({ status: 403, code: "SUBSCRIPTION_INACTIVE" });
    const activated = await isolate.fetch("/api/v1/account/subscriptions/trial", post(token, {}));
    expect(activated.status).toBe(201);
    expect(await verify(isolate, key)).toMatchObject({ status: 200, source: "memory" });
    const unknowing = await network.isolate();
    expect(await verify(unknowing, key)).toMatchObject({ status: 200, source: "kv" });
    await pass(30_000);
    expect((await verify(known, key)).status).toBe(200);
  });

  test("granted by an operator holds within 30 s", async () => {
    const { key, email } = await callerWith(1_000);
    expect((await verify(isolate, key)).status).toBe(402);
    await isolate.settled();
    const io = ioOf({ env: network.behind() });
    const { id } = await accountToAdminister(io.db, email);
    await until(grantSubscription(io, id, { plan: "pro", until: null }));
    await pass(30_000);
    expect((await verify(isolate, key)).status).toBe(200);
  });
});
