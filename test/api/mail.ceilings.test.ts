import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys, emailTokens, operationCounts, signInAttempts, users } from "../../schema.ts";
import { formatHealth } from "../../scripts/admin/health.ts";
import { register } from "../../worker/accounts/register.ts";
import { resendVerification, verifyRegistration } from "../../worker/accounts/email-verification.ts";
import { executePasswordReset, requestPasswordReset } from "../../worker/accounts/password-reset.ts";
import { deleteAccount } from "../../worker/administration/delete-account.ts";
import { consumeBatch } from "../../worker/queue.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import type { KeptMail } from "../../worker/mail/mailbox.ts";
import { sendNotice } from "../../worker/mail/queue.ts";
import { randomBase62 } from "../../worker/platform/random.ts";
import { DAY_MS, HOUR_MS } from "../../worker/platform/time.ts";
import { readHealth } from "../../worker/status/health.ts";
import { captureLog } from "../captured-log.ts";
import { createAccount, emailOf } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { batchOf, deliverMail } from "../mail-delivery.ts";
import { startMailService } from "../mail-service.ts";
import { tokenIn } from "../mailbox.ts";

const worker = startWorker();
captureLog("log", "warn", "error");

const START = Date.now();
const PASSWORD = "a password of the stranger";
const OWNERS = "a password of the owner";
const NONCE = "the nonce of the owner's browser";

beforeEach(async () => {
  const { db } = worker;
  await db.batch([db.delete(users), db.delete(signInAttempts), db.delete(operationCounts)]);
});

const startService = (settings?: Parameters<typeof startMailService>[1]) => startMailService(worker, settings);
type Service = ReturnType<typeof startService>;

function registration(email: string, { name = "Mallory", password = PASSWORD, nonce = randomBase62(8) } = {}) {
  return { name, email, password, verifier: createHash("sha256").update(nonce).digest("hex") };
}

/** Everything a stranger can do to have emails sent to these spellings of a mailbox. */
async function flood({ io, deliver }: Service, spellings: readonly string[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const email of spellings) {
      await register(io(), registration(email));
      await resendVerification(io(), email);
      await requestPasswordReset(io(), email);
    }
    await deliver();
  }
}

async function accountOf(email: string) {
  return worker.db.select().from(users).where(eq(users.email, email)).get();
}

async function verifiedAccount(email: string): Promise<string> {
  const id = await createAccount(worker.db);
  await worker.db.update(users).set({ email }).where(eq(users.id, id));
  return id;
}

const linksIn = (mails: readonly KeptMail[], subject: RegExp) =>
  mails.filter((mail) => subject.test(mail.subject)).map((mail) => tokenIn(mail));

test("the budgets of a mailbox are twenty emails a day", () => {
  // A change of email shares the budget of verification.
  expect(LIMITS.changeMail.name).toBe(LIMITS.verificationMail.name);
  const limits = Object.values(LIMITS)
    .filter(({ by }) => by.some((who) => who === "mailbox"))
    .filter((limit) => limit !== LIMITS.changeMail);
  expect(limits.map(({ window }) => window)).toStrictEqual([DAY_MS, DAY_MS, DAY_MS, DAY_MS]);
  expect(limits.reduce((sum, { max }) => sum + max, 0)).toBe(20);
});

describe("strangers from any number of addresses", () => {
  const SPELLINGS = ["victim@gmail.com", "vic.tim@gmail.com", "victim+1@gmail.com", "victim@googlemail.com"];

  test("send at most twenty emails a day to a mailbox, under any spelling, and its owner still registers", async () => {
    const service = startService();
    // The made-up spellings first: they leave half of each budget.
    await flood(service, SPELLINGS.toReversed(), 5);
    expect(service.mails().length).toBeLessThanOrEqual(20);
    await register(service.io(), registration("victim@gmail.com", { name: "Ada", password: OWNERS, nonce: NONCE }));
    await service.pass(DAY_MS - HOUR_MS);
    const mails = service.mails();
    expect(mails.length).toBeLessThanOrEqual(20);
    const own = mails.filter(({ to }) => to === "victim@gmail.com");
    const link = linksIn(own, /Verify/).at(-1)!;
    await verifyRegistration(service.io(), { token: link, nonce: NONCE });
    expect(await accountOf("victim@gmail.com")).toMatchObject({ name: "Ada", verifiedAt: expect.any(Number) });
  });

  test.each(["vic.tim@gmail.com", "victim@gmail.com", "victim+shop@gmail.com"])(
    "under other spellings leave resets to the owner of %s",
    async (email) => {
      const service = startService();
      await verifiedAccount(email);
      await flood(service, [...SPELLINGS.filter((spelling) => spelling !== email), "v.ictim@gmail.com"], 5);
      await requestPasswordReset(service.io(), email);
      await service.deliver();
      expect(service.mails().length).toBeLessThanOrEqual(20);
      expect(service.mails().filter(({ to, subject }) => to === email && /Reset/.test(subject))).toHaveLength(1);
    },
  );

  test("leave a link that resets the password until another can be sent, and the notices", async () => {
    const service = startService();
    const userId = await verifiedAccount("victim@gmail.com");
    await flood(service, ["victim@gmail.com"], 12);
    const flooded = service.mails();
    expect(flooded.map(({ subject }) => subject).toSorted()).toStrictEqual([
      ...Array.from({ length: 5 }, () => "Reset your Checkline password"),
      "You already have a Checkline account",
      "You already have a Checkline account",
    ]);
    // The owner needs one long after the usual hour, and gets no other.
    await service.pass(DAY_MS - HOUR_MS);
    await requestPasswordReset(service.io(), "victim@gmail.com");
    await service.deliver();
    expect(service.mails()).toHaveLength(flooded.length);
    const links = linksIn(flooded, /Reset/);
    const working = [];
    for (const token of links) {
      const row = { token, newPassword: `${OWNERS} ${token}` };
      const outcome = await executePasswordReset(service.io(), row).then(
        () => true,
        () => false,
      );
      if (outcome) working.push(token);
    }
    expect(working).toHaveLength(1);
    await service.deliver();
    const subjects = service.mails().map(({ subject }) => subject);
    expect(subjects).toContain("Your Checkline password was changed");
    expect((await accountOf("victim@gmail.com"))?.id).toBe(userId);
  });

  test("leave no day without a working link", async () => {
    const service = startService();
    await verifiedAccount("victim@example.com");
    let last = START;
    for (let hour = 0; hour < 60; hour += 1) {
      for (let asked = 0; asked < 3; asked += 1) await requestPasswordReset(service.io(), "victim@example.com");
      await service.pass(HOUR_MS);
      last += HOUR_MS;
      const rows = await worker.db.select().from(emailTokens).where(eq(emailTokens.purpose, "reset_password"));
      expect(rows.some(({ hash, expiresAt }) => hash !== null && expiresAt >= last)).toBe(true);
    }
  });

  test("get no second budget when the account is deleted", async () => {
    const service = startService();
    for (let round = 0; round < 5; round += 1) {
      await flood(service, ["victim@example.com"], 2);
      await deleteAccount(service.io(), null, (await accountOf("victim@example.com"))!);
    }
    const sent = service.mails().length;
    expect(sent).toBeLessThanOrEqual(20);
    await flood(service, ["victim@example.com"], 1);
    expect(service.mails().length).toBe(sent);
    await service.pass(DAY_MS);
    await flood(service, ["victim@example.com"], 1);
    expect(service.mails().length).toBeGreaterThan(sent);
  });
});

describe("notices", () => {
  test("are six a day to a mailbox, then one of each kind about the rest, across accounts", async () => {
    const service = startService();
    const first = await createAccount(worker.db);
    await worker.db.update(users).set({ email: "ada@gmail.com" }).where(eq(users.id, first));
    for (let round = 0; round < 40; round += 1) {
      await sendNotice(service.io(), { purpose: "password_changed" }, { user_id: first });
      const key = await insertApiKey({
        db: worker.db,
        now: service.isolate.now(),
        userId: first,
        mode: "live",
        name: `Key ${round}`,
      });
      await sendNotice(service.io(), { purpose: "live_key_created" }, { user_id: first, about: key.id });
      await worker.db.update(apiKeys).set({ revokedAt: 1 });
      await service.pass(20 * 60_000);
    }
    expect(service.mails()).toHaveLength(6);
    // One of each kind waits, whatever there were.
    expect(
      service
        .waiting()
        .map(({ body }) => body.purpose)
        .toSorted(),
    ).toStrictEqual(["live_key_created", "password_changed"]);
    const second = await createAccount(worker.db);
    await worker.db.update(users).set({ email: "a.da+2@gmail.com" }).where(eq(users.id, second));
    await sendNotice(service.io(), { purpose: "password_changed" }, { user_id: second });
    await service.deliver();
    expect(service.mails()).toHaveLength(6);
    await service.pass(DAY_MS);
    const later = service.mails().slice(6);
    expect(later.map(({ to, subject }) => [to, subject]).toSorted()).toStrictEqual([
      ["a.da+2@gmail.com", "Your Checkline password was changed"],
      ["ada@gmail.com", expect.stringMatching(/^\d+ live API keys were created/)],
      ["ada@gmail.com", "Your Checkline password was changed"],
    ]);
    // Each key is in an email, although most had none of their own.
    const texts = service
      .mails()
      .map(({ text }) => text)
      .join();
    for (let round = 0; round < 40; round += 1) expect(texts).toContain(`Name: Key ${round}\n`);
    expect(service.waiting()).toStrictEqual([]);
  });

  test("that the provider doesn't accept use up nothing", async () => {
    const service = startService();
    const userId = await createAccount(worker.db);
    service.setProvider(false);
    const deliveries = Array.from({ length: 10 }, () => deliverMail({ user_id: userId, purpose: "password_changed" }));
    await consumeBatch(batchOf(deliveries), service.isolate);
    expect(new Set(deliveries.flatMap(({ answers }) => answers))).toStrictEqual(new Set(["retry 60"]));
    service.setProvider(true);
    await sendNotice(service.io(), { purpose: "password_changed" }, { user_id: userId });
    await service.deliver();
    expect(service.mails()).toHaveLength(1);
  });
});

describe("the service's ceiling", () => {
  const subjects = (mails: readonly KeptMail[]) => mails.map(({ subject }) => subject.split(" ")[0]);

  test("delays each part of the emails once it has used its own, and sends all of them in the next hours", async () => {
    const service = startService({ MAIL_PER_HOUR: "20" });
    const accounts = await Promise.all(Array.from({ length: 12 }, () => createAccount(worker.db)));
    for (const userId of accounts) {
      await sendNotice(service.io(), { purpose: "password_changed" }, { user_id: userId });
    }
    await service.deliver();
    expect(service.mails()).toHaveLength(4);
    for (const userId of accounts.slice(0, 6)) await requestPasswordReset(service.io(), emailOf(userId));
    await service.deliver();
    expect(subjects(service.mails().slice(4))).toStrictEqual(["Reset", "Reset", "Reset", "Reset"]);
    expect(service.waiting()).toHaveLength(10);
    const health = await readHealth(worker.db, service.isolate.now());
    const { text } = formatHealth({ ...health, registers: [] });
    expect(text).toMatch(/mail_delayed +10 /);

    // A link's hour begins when it is sent.
    await service.pass(HOUR_MS + 1000);
    const [late] = linksIn(service.mails().slice(8), /Reset/);
    await executePasswordReset(service.io(), { token: late!, newPassword: OWNERS });
    await service.pass(3 * HOUR_MS);
    // All that was asked for, and the notice of the reset.
    expect(service.mails()).toHaveLength(19);
    expect(service.waiting()).toStrictEqual([]);
  });

  test("leaves half of the links to networks' first two, whatever resets of unproved addresses are requested", async () => {
    const service = startService({ MAIL_PER_HOUR: "20" });
    const made = await Promise.all(Array.from({ length: 7 }, () => createAccount(worker.db, { verified: false })));
    for (const userId of made) await requestPasswordReset(service.io(), emailOf(userId));
    await service.deliver();
    for (let asked = 0; asked < 5; asked += 1) {
      await register(service.io(), registration(`newcomer${asked}@example.com`));
      await service.deliver();
    }
    expect(subjects(service.mails())).toStrictEqual([...Array(5).fill("Reset"), ...Array(5).fill("Verify")]);
    // None left for anyone.
    await register(service.io(), registration("late@example.com"));
    await service.pass(HOUR_MS);
    expect(service.mails().at(-1)?.to).toBe("late@example.com");
  });
});
