import type { KVNamespace } from "@cloudflare/workers-types";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { users } from "../../schema.ts";
import type { Bindings } from "../../worker/env.ts";
import { createIsolate } from "../../worker/io.ts";
import { consumeMail } from "../../worker/emails.ts";
import { listMails } from "../../worker/mail/mailbox.ts";
import type { MailMessage } from "../../worker/mail/email.ts";
import { sendExpiryNotices } from "../../worker/subscriptions/notices.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { createAccount, emailOf } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { batchOf, deliverMail } from "../mail-delivery.ts";
import { mailsTo, waitForMail } from "../mailbox.ts";
import { changeSubscription, setUsage } from "../notices.ts";
import { TEST_SETTINGS } from "../worker.ts";

const worker = startWorker();

afterEach(() => {
  vi.restoreAllMocks();
});

async function subjectsTo(userId: string): Promise<string[]> {
  const emails = await mailsTo(worker, emailOf(userId));
  return emails.map(({ subject }) => subject).toReversed();
}

/** Flushes the email queue: waits for a later email to someone else. */
async function queueEmptied(): Promise<void> {
  const userId = await createAccount(worker.db);
  await worker.env.MAIL.send({ user_id: userId, purpose: "password_changed" });
  await waitForMail(worker, emailOf(userId), /password was changed/);
}

describe("notices through the queue", () => {
  test("send one email at 80 and one at 100 percent of the quota", async () => {
    const userId = await createAccount(worker.db);
    const steps = [
      [799, []],
      [800, ["80% of your Checkline quota is used"]],
      [950, ["80% of your Checkline quota is used"]],
      [1_001, ["80% of your Checkline quota is used", "Your Checkline quota is used up"]],
      [1_002, ["80% of your Checkline quota is used", "Your Checkline quota is used up"]],
    ] as const;
    for (const [used, subjects] of steps) {
      await setUsage(worker, userId, used, { limit: 1_000 });
      await queueEmptied();
      expect(await subjectsTo(userId)).toStrictEqual(subjects);
    }
    const mail = await waitForMail(worker, emailOf(userId), /used up/);
    expect(mail.text).toContain("Used: 1,001 of 1,000\nRemaining: 0\n");
    expect(mail.text).toContain("https://checkline.test/dashboard\n");
  });

  test("send one email before a trial ends", async () => {
    const userId = await createAccount(worker.db);
    await changeSubscription(worker.db, userId, { expiresAt: Date.UTC(2099, 10, 17, 14, 5) });
    const call = { db: worker.db, mail: worker.env.MAIL, now: Date.now() };
    await sendExpiryNotices(call);
    await queueEmptied();
    expect(await subjectsTo(userId)).toStrictEqual([]);
    await changeSubscription(worker.db, userId, { expiresAt: Date.now() + 2 * DAY_MS });
    for (let run = 0; run < 3; run++) await sendExpiryNotices(call);
    await queueEmptied();
    expect(await subjectsTo(userId)).toStrictEqual([
      expect.stringMatching(/^Your Checkline trial ends on \w+ \d+, \d{4}$/),
    ]);
  });

  test("that ten isolates queue concurrently send one email", async () => {
    const userId = await createAccount(worker.db);
    await setUsage(worker, userId, 850);
    const body: MailMessage = { user_id: userId, purpose: "quota_80" };
    await worker.env.MAIL.sendBatch(Array.from({ length: 10 }, () => ({ body })));
    await queueEmptied();
    expect(await subjectsTo(userId)).toStrictEqual(["85% of your Checkline quota is used"]);
  });
});

describe("a late notice", () => {
  beforeEach(() => {
    vi.spyOn(console, "log").mockReturnValue();
    vi.spyOn(console, "error").mockReturnValue();
  });

  /** Hands messages to the consumer as one batch; returns the subjects of what it sent, in order. */
  async function consume(userId: string, purposes: readonly string[]): Promise<string[]> {
    const { DB, EDGE, LEDGER } = worker.env;
    const deliveries = purposes.map((purpose) => deliverMail({ user_id: userId, purpose } satisfies MailMessage));
    let now = Date.now();
    const isolate = createIsolate({ DB, EDGE, LEDGER, ...TEST_SETTINGS } as Bindings, { now: () => now++ });
    await consumeMail(batchOf(deliveries), isolate);
    for (const { answers } of deliveries) expect(answers).toStrictEqual(["ack"]);
    const emails = (await listMails(EDGE)).filter(({ to }) => to === emailOf(userId));
    return emails.map(({ subject }) => subject).toReversed();
  }

  test("reports the state at that time", async () => {
    const userId = await createAccount(worker.db);
    await setUsage(worker, userId, 937);
    expect(await consume(userId, ["quota_80"])).toStrictEqual(["93% of your Checkline quota is used"]);
  });

  test.each<[string, string, number, Parameters<typeof changeSubscription>[2]]>([
    ["nearly used, but now used up", "quota_80", 1_000, { plan: "trial" }],
    ["used, but counted again", "quota_100", 1_000, { startedAt: 1 }],
    ["used, but the subscription has ended", "quota_100", 1_000, { status: "ended" }],
    ["nearly used, but the subscription is over", "quota_80", 900, { expiresAt: 1 }],
    ["used, but the plan has no limit now", "quota_100", 1_000, { plan: "pro" }],
    ["ending, but over", "trial_ending", 0, { expiresAt: 1 }],
    ["ending, but ended", "trial_ending", 0, { status: "ended" }],
    ["ending, but extended", "trial_ending", 0, { expiresAt: Date.now() + 4 * DAY_MS }],
    ["ending, but without an end now", "trial_ending", 0, { expiresAt: null }],
    ["ending, but another plan", "trial_ending", 0, { plan: "pro" }],
  ])("is not sent when it no longer applies: %s", async (_, purpose, used, values) => {
    const userId = await createAccount(worker.db);
    await setUsage(worker, userId, used);
    await changeSubscription(worker.db, userId, values);
    expect(await consume(userId, [purpose])).toStrictEqual([]);
  });

  test("is not sent to a suspended account, or to one without a subscription", async () => {
    const suspended = await createAccount(worker.db);
    await setUsage(worker, suspended, 1_000);
    await worker.db.update(users).set({ suspendedAt: 1 }).where(eq(users.id, suspended));
    const none = await createAccount(worker.db, { subscription: "none" });
    for (const userId of [suspended, none]) {
      expect(await consume(userId, ["quota_80", "quota_100", "trial_ending"])).toStrictEqual([]);
    }
  });

  test("is one email when a batch contains it repeatedly, beside others of that account", async () => {
    const userId = await createAccount(worker.db);
    await setUsage(worker, userId, 1_000);
    const subjects = await consume(userId, ["quota_100", "trial_ending", "quota_100", "quota_100", "trial_ending"]);
    expect(subjects).toHaveLength(2);
    expect(subjects[0]).toBe("Your Checkline quota is used up");
    expect(subjects[1]).toMatch(/trial ends/);
  });

  test("is sent by a repeat in its batch if sending it failed", async () => {
    const userId = await createAccount(worker.db);
    await setUsage(worker, userId, 1_000);
    let puts = 0;
    const edge: KVNamespace = new Proxy(worker.env.EDGE, {
      get(target, name) {
        if (name === "put" && ++puts === 1) throw new Error("KV is away");
        return Reflect.get(target, name) as unknown;
      },
    });
    const deliveries = [1, 2, 3].map(() => deliverMail({ user_id: userId, purpose: "quota_100" }));
    await consumeMail(batchOf(deliveries), createIsolate({ ...worker.env, EDGE: edge, ...TEST_SETTINGS }));
    expect(deliveries.map(({ answers }) => answers.join())).toStrictEqual(["retry 60", "ack", "ack"]);
    expect(await subjectsTo(userId)).toStrictEqual(["Your Checkline quota is used up"]);
  });
});
