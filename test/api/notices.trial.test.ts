import { beforeEach, describe, expect, test } from "vitest";
import { users } from "../../schema.ts";
import { sendExpiryNotices } from "../../worker/subscriptions/notices.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { createAccount } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { changeSubscription, recordingQueue, subscriptionOf } from "../notices.ts";

const worker = startWorker();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let clock = Date.now();

beforeEach(async () => {
  clock = Date.now();
  // A run over all trials must only find those of this test.
  await worker.db.delete(users);
});

describe("the notice about the end of a trial", () => {
  async function trialEnding(inMs: number): Promise<string> {
    const userId = await createAccount(worker.db);
    await changeSubscription(worker.db, userId, { expiresAt: clock + inMs });
    return userId;
  }

  test.each([
    ["three days", 3 * DAY_MS, 1],
    ["three days less a minute", 3 * DAY_MS - MINUTE, 1],
    ["three days and a minute", 3 * DAY_MS + MINUTE, 0],
    ["a minute", MINUTE, 1],
    ["no time: it is over", 0, 0],
    ["no time: it was over a minute ago", -MINUTE, 0],
  ])("with %s left", async (_, inMs, expected) => {
    const userId = await trialEnding(inMs);
    const mail = recordingQueue();
    expect(await sendExpiryNotices({ db: worker.db, mail, now: clock })).toBe(expected);
    const message = { user_id: userId, purpose: "trial_ending" };
    expect(mail.sent).toStrictEqual(expected === 1 ? [message] : []);
    expect((await subscriptionOf(worker.db, userId))?.expiryNoticeFor).toBe(expected === 1 ? clock + inMs : null);
  });

  test("is sent once, and again when the trial was extended and nears its new end", async () => {
    const userId = await trialEnding(2 * DAY_MS);
    const mail = recordingQueue();
    const end = clock + 2 * DAY_MS;
    expect(await sendExpiryNotices({ db: worker.db, mail, now: clock })).toBe(1);
    expect(await sendExpiryNotices({ db: worker.db, mail, now: clock + HOUR })).toBe(0);
    await changeSubscription(worker.db, userId, { expiresAt: end + 7 * DAY_MS });
    expect(await sendExpiryNotices({ db: worker.db, mail, now: clock + 2 * HOUR })).toBe(0);
    expect(await sendExpiryNotices({ db: worker.db, mail, now: end + 4 * DAY_MS - 1 })).toBe(0);
    expect(await sendExpiryNotices({ db: worker.db, mail, now: end + 4 * DAY_MS })).toBe(1);
    expect(await sendExpiryNotices({ db: worker.db, mail, now: end + 5 * DAY_MS })).toBe(0);
  });

  test.each([
    ["ended", { status: "ended" }],
    ["pro", { plan: "pro" }],
    ["without an end", { expiresAt: null }],
  ] as const)("is not sent for a subscription that is %s", async (_, values) => {
    await changeSubscription(worker.db, await trialEnding(DAY_MS), values);
    const mail = recordingQueue();
    expect(await sendExpiryNotices({ db: worker.db, mail, now: clock })).toBe(0);
  });

  test("goes to every trial once, page by page, whatever the queue rejects in between", async () => {
    const ids: string[] = [];
    // Many end in the same millisecond, across a page boundary.
    for (let index = 0; index < 120; index++) ids.push(await trialEnding(index < 80 ? DAY_MS : DAY_MS + index));
    const mail = recordingQueue();
    const unlucky = new Set([ids[10], ids[60], ids[119]]);
    mail.rejects = ({ user_id: id }) => unlucky.delete(id ?? undefined);
    let tries = 0;
    for (let now = clock; mail.sent.length < ids.length && tries < 10; now += MINUTE) {
      tries += 1;
      await sendExpiryNotices({ db: worker.db, mail, now }).catch(() => 0);
    }
    expect(tries).toBeLessThanOrEqual(4);
    expect(mail.accounts().toSorted()).toStrictEqual(ids.toSorted());
    expect(await sendExpiryNotices({ db: worker.db, mail, now: clock + HOUR })).toBe(0);
  });

  test("that moves while its notice is sent is announced again", async () => {
    const userId = await trialEnding(DAY_MS);
    const mail = recordingQueue();
    const send = mail.send.bind(mail);
    mail.send = async (message) => {
      await changeSubscription(worker.db, userId, { expiresAt: clock + 2 * DAY_MS });
      return send(message);
    };
    expect(await sendExpiryNotices({ db: worker.db, mail, now: clock })).toBe(1);
    expect((await subscriptionOf(worker.db, userId))?.expiryNoticeFor).toBeNull();
    expect(await sendExpiryNotices({ db: worker.db, mail: recordingQueue(), now: clock + HOUR })).toBe(1);
  });
});
