import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { emailTokens, users } from "../../schema.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import type { Bindings } from "../../worker/env.ts";
import { createIsolate } from "../../worker/io.ts";
import { consumeMail, EMAILS } from "../../worker/emails.ts";
import { hashToken, tokenFor } from "../../worker/accounts/email-tokens.ts";
import { listMails } from "../../worker/mail/mailbox.ts";
import type { KeptMail } from "../../worker/mail/mailbox.ts";
import { deriveSecrets } from "../../worker/platform/config.ts";
import { newId } from "../../worker/platform/random.ts";
import { createAccount, emailOf } from "../factories.ts";
import { captureLog } from "../captured-log.ts";
import { startWorker } from "../harness.ts";
import { batchOf, deliverMail } from "../mail-delivery.ts";
import type { MailDelivery } from "../mail-delivery.ts";

const worker = startWorker();
const HOUR = 3_600_000;
const SECRET = "a session secret of more than 32 characters";
const MAILBOX = { SESSION_SECRET: SECRET, ENVIRONMENT: "development", MAIL_DRIVER: "mailbox" };
const log = captureLog("log", "error");

/** Hands messages to the consumer as one batch, and returns its outcome for each. */
async function consume(deliveries: MailDelivery[]): Promise<string[]> {
  const { DB, EDGE } = worker.env;
  await consumeMail(batchOf(deliveries), createIsolate({ DB, EDGE, ...MAILBOX } as Bindings));
  return deliveries.map(({ answers }) => answers.join(", "));
}

async function mailsTo(userId: string): Promise<KeptMail[]> {
  const address = emailOf(userId);
  return (await listMails(worker.env.EDGE)).filter(({ to }) => to === address);
}

async function newToken(
  userId: string,
  { purpose = "verify_email" as const, expiresAt = Date.now() + HOUR, usedAt = null as number | null } = {},
): Promise<string> {
  const id = newId("tok");
  await worker.db.insert(emailTokens).values({ id, userId, purpose, createdAt: Date.now(), expiresAt, usedAt });
  return id;
}

async function tokenRow(id: string) {
  return worker.db.select().from(emailTokens).where(eq(emailTokens.id, id)).get();
}

function lines(): Record<string, unknown>[] {
  return [...log.parsed()];
}

describe("a message", () => {
  test.each(["already_registered", "password_changed"] as const)("for %s sends that email", async (purpose) => {
    const userId = await createAccount(worker.db);
    expect(await consume([deliverMail({ user_id: userId, purpose })])).toStrictEqual(["ack"]);
    const [mail, ...more] = await mailsTo(userId);
    expect(more).toStrictEqual([]);
    expect(mail?.text).toContain("Hello Ada,");
    expect(lines()).toMatchObject([{ level: "info", event: "mail", purpose, outcome: "sent" }]);
  });

  test("for a live key identifies it, and never contains it", async () => {
    const userId = await createAccount(worker.db);
    const key = { db: worker.db, now: Date.now(), userId, mode: "live", name: "Checkout <b>" } as const;
    const { id, apiKey } = await insertApiKey(key);
    await consume([deliverMail({ user_id: userId, purpose: "live_key_created", about: id })]);
    const [mail] = await mailsTo(userId);
    expect(mail?.text).toContain(`Name: Checkout <b>\nKey: ch_live_…${apiKey.slice(-4)}\n`);
    expect(mail?.html).toContain("Checkout &lt;b&gt;");
    expect(JSON.stringify(mail)).not.toContain(apiKey.slice(8, -4));
  });

  test("for several live keys lists all that were created since then, and no other", async () => {
    const userId = await createAccount(worker.db);
    const made = async (name: string, mode: "live" | "test", age: number) =>
      insertApiKey({ db: worker.db, now: Date.now() - age, userId, mode, name });
    await made("long ago", "live", 2 * HOUR);
    await made("first", "live", 60_000);
    await made("sandbox", "test", 60_000);
    const { id } = await made("second", "live", 0);
    const message = { user_id: userId, purpose: "live_key_created", about: id, since: Date.now() - HOUR } as const;
    await consume([deliverMail(message)]);
    const [mail, ...more] = await mailsTo(userId);
    expect(more).toStrictEqual([]);
    expect(mail?.text.match(/Name: (.+)/g)).toStrictEqual(["Name: first", "Name: second"]);
  });

  test("to no one, or to a deleted account, is acknowledged silently", async () => {
    const before = await listMails(worker.env.EDGE);
    const deliveries = [
      deliverMail({ user_id: null, purpose: "reset_password", about: "tok_none" }),
      deliverMail({ user_id: "usr_gone", purpose: "password_changed" }),
    ];
    expect(await consume(deliveries)).toStrictEqual(["ack", "ack"]);
    expect(await listMails(worker.env.EDGE)).toStrictEqual(before);
    expect(log.lines).toStrictEqual([]);
  });

  test("about a key that is gone sends nothing", async () => {
    const userId = await createAccount(worker.db);
    const message = { user_id: userId, purpose: "live_key_created", about: "key_gone" };
    expect(await consume([deliverMail(message)])).toStrictEqual(["ack"]);
    expect(await mailsTo(userId)).toStrictEqual([]);
  });
});

describe("an email with a token", () => {
  test("links to it, while the database has only its hash", async () => {
    const userId = await createAccount(worker.db);
    const id = await newToken(userId);
    expect((await tokenRow(id))?.hash).toBeNull();
    await consume([deliverMail({ user_id: userId, purpose: "verify_email", about: id })]);
    const [mail] = await mailsTo(userId);
    const token = /\/verify-account\?token=([\w-]{43})\n/.exec(mail!.text)?.[1];
    expect(token).toBe(tokenFor(deriveSecrets({ current: SECRET, retiring: null }).emailTokens.current, id));
    const row = await tokenRow(id);
    expect(row?.hash).toBe(hashToken(token!));
    expect(JSON.stringify(row) + log.lines.join()).not.toContain(token);
  });

  test("contains the same one when redelivered", async () => {
    const userId = await createAccount(worker.db);
    const id = await newToken(userId);
    const message = { user_id: userId, purpose: "verify_email", about: id };
    await consume([deliverMail(message, { id: "again" })]);
    const row = await tokenRow(id);
    expect(await consume([deliverMail(message, { id: "again", attempts: 2 })])).toStrictEqual(["ack"]);
    const [first, second] = await mailsTo(userId);
    expect(second?.text).toBe(first?.text);
    expect(second?.html).toBe(first?.html);
    expect(await tokenRow(id)).toStrictEqual(row);
  });

  test.each([
    ["used", { usedAt: 1 }],
    ["expired", { expiresAt: 1 }],
  ])("that is %s is not sent", async (_, state) => {
    const userId = await createAccount(worker.db);
    const id = await newToken(userId, state);
    const message = { user_id: userId, purpose: "verify_email", about: id };
    expect(await consume([deliverMail(message)])).toStrictEqual(["ack"]);
    expect(await mailsTo(userId)).toStrictEqual([]);
    expect((await tokenRow(id))?.hash).toBeNull();
    expect(lines()).toMatchObject([{ event: "mail", purpose: "verify_email", outcome: "skipped" }]);
  });

  test("or that someone requested is the only one to an unverified address: it gets no notices", async () => {
    const userId = await createAccount(worker.db, { verified: false });
    const [verification, reset] = [await newToken(userId), await newToken(userId)];
    for (const { purpose } of EMAILS) {
      const about = purpose === "reset_password" ? reset : verification;
      expect(await consume([deliverMail({ user_id: userId, purpose, about })])).toStrictEqual(["ack"]);
    }
    expect((await mailsTo(userId)).map(({ subject }) => subject).toSorted()).toStrictEqual([
      "Reset your Checkline password",
      "Verify your email address for Checkline",
      // Only a verified account's is ever queued.
      "You already have a Checkline account",
    ]);
  });

  test("to an unverified address does not repeat a user-chosen name", async () => {
    const userId = await createAccount(worker.db);
    await worker.db.update(users).set({ verifiedAt: null, name: "Pay at evil.test" }).where(eq(users.id, userId));
    const id = await newToken(userId);
    await consume([deliverMail({ user_id: userId, purpose: "verify_email", about: id })]);
    const [mail] = await mailsTo(userId);
    expect(mail?.text).toContain("\nHello,\n");
    expect(mail!.text + mail!.html).not.toContain("evil.test");
  });
});
