import { beforeEach, describe, expect, test } from "vitest";
import { accountToAdminister } from "../../worker/accounts/administer.ts";
import { grantSubscription } from "../../worker/subscriptions/changes.ts";
import { settleQuotas } from "../../worker/subscriptions/settle-quotas.ts";
import { setUsage } from "../notices.ts";
import { post } from "../requests.ts";
import { INVALID, VALID, verify, verifyBatch } from "./calls.ts";
import { pass, until } from "./clock.ts";
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
  await setUsage(network.worker.db, caller.userId, used);
  return caller;
}

async function settle(): Promise<void> {
  await network.consume((userIds) => settleQuotas(network.behind(), userIds, Date.now()));
}

describe("at the limit of the trial", () => {
  test("a live key is refused with 402 and told why", async () => {
    const { key } = await callerWith(1_000);
    const answer = await verify(isolate, key);
    expect(answer).toMatchObject({ status: 402, code: "QUOTA_EXCEEDED" });
    expect(answer.body["error"]).toBe("All 1000 successful verifications of the subscription are used up.");
    await isolate.settled();
    expect(network.queued()).toStrictEqual([]);
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
    expect(network.queued()).toStrictEqual([]);
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
    await setUsage(network.worker.db, userId, 1_000_000);
    expect((await verify(isolate, key)).status).toBe(200);
  });
});

describe("what was counted reaches other isolates", () => {
  test("when the consumer has published it: at once where the key is new, within 30 s where it is known", async () => {
    const { key } = await callerWith(998);
    const known = await network.isolate();
    await verify(isolate, key);
    await isolate.settled();
    expect((await verify(known, key, INVALID)).status).toBe(200);
    await verify(isolate, key);
    await isolate.settled();
    await known.settled();
    await settle();
    const unknowing = await network.isolate();
    expect(await verify(unknowing, key)).toMatchObject({ status: 402, source: "kv" });
    await pass(30_000);
    expect(await verify(known, key)).toMatchObject({ status: 402, source: "kv" });
  });

  test("its owner is mailed once that the quota is used up", async () => {
    const { key, userId } = await callerWith(999);
    await verify(isolate, key);
    await isolate.settled();
    await settle();
    expect(network.mails).toStrictEqual([expect.objectContaining({ user_id: userId, purpose: "quota_100" })]);
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
