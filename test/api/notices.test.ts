import type { D1Database } from "@cloudflare/workers-types";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { subscriptions, users } from "../../schema.ts";
import { openDatabase } from "../../worker/platform/db.ts";
import type { Database } from "../../worker/platform/db.ts";
import { sendMissedQuotaNotices, sendQuotaNotices } from "../../worker/subscriptions/notices.ts";
import { readSubscription } from "../../worker/subscriptions/subscription.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { createAccount } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { changeSubscription, recordingQueue, setUsage, subscriptionOf } from "../notices.ts";

const worker = startWorker();
const MINUTE = 60_000;

let clock = Date.now();

/** A minute later at each call: no later call is held back by an earlier one of the same isolate. */
function later(): number {
  return (clock += MINUTE);
}

beforeEach(async () => {
  clock = Date.now();
  // Runs over all trials meet only those of their own test.
  await worker.db.delete(users);
});

/** A database that cannot be written to. */
function readOnly(): Database {
  const d1: D1Database = new Proxy(worker.env.DB, {
    get(target, name) {
      if (name !== "prepare") return Reflect.get(target, name) as unknown;
      return (query: string) => {
        if (/^update/i.test(query)) throw new Error("D1_ERROR: D1 DB is overloaded.");
        return target.prepare(query);
      };
    },
  });
  return openDatabase(d1);
}

describe("the notice about the quota", () => {
  test("is sent once at 80 and once at 100 per cent, and not before", async () => {
    const userId = await createAccount(worker.db);
    const mail = recordingQueue();
    const steps = [
      [799, 0, []],
      [800, 80, ["quota_80"]],
      [800, 80, ["quota_80"]],
      [999, 80, ["quota_80"]],
      [1_000, 100, ["quota_80", "quota_100"]],
      [1_100, 100, ["quota_80", "quota_100"]],
    ] as const;
    for (const [used, told, purposes] of steps) {
      await setUsage(worker.db, userId, used);
      expect((await readSubscription(worker.db, userId, clock)).quota.used).toBe(used);
      await sendQuotaNotices({ db: worker.db, mail, now: later(), userIds: [userId] });
      expect(mail.purposes()).toStrictEqual(purposes);
      expect((await subscriptionOf(worker.db, userId))?.quotaNotice).toBe(told);
    }
    expect(mail.sent[0]).toStrictEqual({ user_id: userId, purpose: "quota_80" });
  });

  test("is only that of 100 per cent when both are passed at once", async () => {
    const userId = await createAccount(worker.db);
    const mail = recordingQueue();
    await setUsage(worker.db, userId, 1_000);
    expect(await sendQuotaNotices({ db: worker.db, mail, now: clock, userIds: [userId, userId] })).toBe(1);
    expect(await sendQuotaNotices({ db: worker.db, mail, now: later(), userIds: [userId] })).toBe(0);
    expect(mail.purposes()).toStrictEqual(["quota_100"]);
  });

  test.each([
    ["pro, which has no quota", { plan: "pro" }],
    ["ended", { status: "ended" }],
    ["expired", { expiresAt: 1 }],
  ] as const)("is not sent for a subscription that is %s", async (_, values) => {
    const userId = await createAccount(worker.db);
    const mail = recordingQueue();
    await setUsage(worker.db, userId, 5_000);
    await changeSubscription(worker.db, userId, values);
    await sendQuotaNotices({ db: worker.db, mail, now: clock, userIds: [userId] });
    await sendMissedQuotaNotices({ db: worker.db, mail, now: clock });
    expect(mail.sent).toStrictEqual([]);
  });

  test("is not sent to nobody, to a suspended account or to one without subscription", async () => {
    const suspended = await createAccount(worker.db);
    await worker.db.update(users).set({ suspendedAt: 1 }).where(eq(users.id, suspended));
    const none = await createAccount(worker.db, { subscription: "none" });
    for (const id of [suspended, none]) await setUsage(worker.db, id, 1_000);
    const mail = recordingQueue();
    expect(await sendQuotaNotices({ db: worker.db, mail, now: clock, userIds: [] })).toBe(0);
    const userIds = [suspended, none, "usr_gone"];
    expect(await sendQuotaNotices({ db: worker.db, mail, now: clock, userIds })).toBe(0);
    expect(mail.sent).toStrictEqual([]);
  });

  test("that the queue refuses is sent by the next call, and holds up no other", async () => {
    const [refused, other] = [await createAccount(worker.db), await createAccount(worker.db)];
    for (const id of [refused, other]) await setUsage(worker.db, id, 900);
    const mail = recordingQueue();
    mail.refuses = (message) => message.user_id === refused;
    const call = { db: worker.db, mail, now: clock, userIds: [refused, other] };
    await expect(sendQuotaNotices(call)).rejects.toThrow("could not be queued: 1");
    expect(mail.accounts()).toStrictEqual([other]);
    expect((await subscriptionOf(worker.db, refused))?.quotaNotice).toBe(0);
    mail.refuses = () => false;
    expect(await sendQuotaNotices(call)).toBe(1);
    expect(mail.accounts()).toStrictEqual([other, refused]);
  });

  test("that was sent but not marked is sent again rather than never", async () => {
    const userId = await createAccount(worker.db);
    await setUsage(worker.db, userId, 900);
    const mail = recordingQueue();
    await expect(sendQuotaNotices({ db: readOnly(), mail, now: clock, userIds: [userId] })).rejects.toThrow();
    expect(mail.purposes()).toStrictEqual(["quota_80"]);
    await sendQuotaNotices({ db: worker.db, mail, now: later(), userIds: [userId] });
    await sendQuotaNotices({ db: worker.db, mail, now: later(), userIds: [userId] });
    expect(mail.purposes()).toStrictEqual(["quota_80", "quota_80"]);
  });

  test("is one for ten calls at the same time, again and again", async () => {
    for (let round = 0; round < 10; round++) {
      const userId = await createAccount(worker.db);
      await setUsage(worker.db, userId, 800 + 25 * round);
      const mail = recordingQueue();
      const call = { db: worker.db, mail, now: clock, userIds: [userId] };
      await Promise.all(Array.from({ length: 10 }, () => sendQuotaNotices(call)));
      expect(mail.purposes()).toStrictEqual([round < 8 ? "quota_80" : "quota_100"]);
    }
  });

  test("of a subscription that began anew meanwhile leaves the new one unmarked", async () => {
    const userId = await createAccount(worker.db);
    await setUsage(worker.db, userId, 900);
    const mail = recordingQueue();
    const send = mail.send.bind(mail);
    mail.send = async (message) => {
      await changeSubscription(worker.db, userId, { startedAt: clock, quotaNotice: 0 });
      return send(message);
    };
    await sendQuotaNotices({ db: worker.db, mail, now: clock, userIds: [userId] });
    expect((await subscriptionOf(worker.db, userId))?.quotaNotice).toBe(0);
  });

  test("never lowers what another call has marked meanwhile", async () => {
    const userId = await createAccount(worker.db);
    await setUsage(worker.db, userId, 900);
    const mail = recordingQueue();
    const send = mail.send.bind(mail);
    mail.send = async (message) => {
      await changeSubscription(worker.db, userId, { quotaNotice: 100 });
      return send(message);
    };
    await sendQuotaNotices({ db: worker.db, mail, now: clock, userIds: [userId] });
    expect((await subscriptionOf(worker.db, userId))?.quotaNotice).toBe(100);
  });

  test("that was missed at the limit is found by the schedule, over many pages", async () => {
    const template = await createAccount(worker.db);
    const user = (await worker.db.select().from(users).get())!;
    const ids = Array.from({ length: 1_200 }, (_, index) => `usr_many${String(index).padStart(5, "0")}`);
    const now = clock;
    for (let start = 0; start < ids.length; start += 10) {
      const some = ids.slice(start, start + 10);
      const period = { plan: "trial", status: "active", startedAt: now - DAY_MS, expiresAt: now + 9 * DAY_MS } as const;
      await worker.db.batch([
        worker.db.insert(users).values(some.map((id) => ({ ...user, id, email: `${id}@example.com` }))),
        worker.db.insert(subscriptions).values(some.map((userId) => ({ userId, ...period }))),
      ]);
    }
    const due = [ids[0]!, ids[499]!, ids[500]!, ids[1_199]!];
    for (const id of due) await setUsage(worker.db, id, 1_000);
    await setUsage(worker.db, template, 10);
    const mail = recordingQueue();
    expect(await sendMissedQuotaNotices({ db: worker.db, mail, now })).toBe(4);
    expect(mail.accounts()).toStrictEqual(due);
    expect(await sendMissedQuotaNotices({ db: worker.db, mail, now: later() })).toBe(0);
    // As many accounts in one delivery of usage as there are.
    expect(await sendQuotaNotices({ db: worker.db, mail, now: later(), userIds: ids })).toBe(0);
  });
});
