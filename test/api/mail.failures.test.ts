import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Bindings } from "../../worker/env.ts";
import { createIsolate } from "../../worker/io.ts";
import { consumeMail } from "../../worker/emails.ts";
import { listMails } from "../../worker/mail/mailbox.ts";
import { createAccount, emailOf } from "../factories.ts";
import { captureLog } from "../captured-log.ts";
import { startWorker } from "../harness.ts";
import { batchOf, deliverMail } from "../mail-delivery.ts";
import type { MailDelivery } from "../mail-delivery.ts";

const worker = startWorker();
const SECRET = "a session secret of more than 32 characters";
const MAILBOX = { SESSION_SECRET: SECRET, ENVIRONMENT: "development", MAIL_DRIVER: "mailbox" };
const RESEND = {
  SESSION_SECRET: SECRET,
  ENVIRONMENT: "development",
  MAIL_DRIVER: "resend",
  MAIL_FROM: "no-reply@checkline.test",
  RESEND_API_KEY: "re_SecretKey_123",
};

const log = captureLog("log", "error");

/** Hands messages to the consumer as one batch, and returns its outcome for each. */
async function consume(deliveries: MailDelivery[], settings: Record<string, string> = MAILBOX): Promise<string[]> {
  const { DB, EDGE } = worker.env;
  await consumeMail(batchOf(deliveries), createIsolate({ DB, EDGE, ...settings } as Bindings));
  return deliveries.map(({ answers }) => answers.join(", "));
}

function lines(): Record<string, unknown>[] {
  return [...log.parsed()];
}

describe("a message that fails", () => {
  test("does not affect the others", async () => {
    const userId = await createAccount(worker.db);
    const deliveries = [
      deliverMail(null),
      deliverMail("text"),
      deliverMail({ user_id: userId, purpose: "greeting" }),
      deliverMail({ user_id: userId, purpose: "verify_email" }),
      deliverMail({ user_id: userId, purpose: "live_key_created" }),
      deliverMail({ user_id: userId, purpose: "password_changed" }),
    ];
    const answers = await consume(deliveries);
    expect(answers).toStrictEqual([...Array.from({ length: 5 }, () => "retry 60"), "ack"]);
    const emails = await listMails(worker.env.EDGE);
    expect(emails.filter(({ to }) => to === emailOf(userId))).toHaveLength(1);
    expect(lines().map(({ outcome }) => outcome)).toStrictEqual([...Array.from({ length: 5 }, () => "retry"), "sent"]);
  });

  test("is retried with increasing delays, up to an hour", async () => {
    const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 100, 2_000];
    const answers = await consume(attempts.map((attempt) => deliverMail(null, { attempts: attempt })));
    const delays = [60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600, 3_600];
    expect(answers).toStrictEqual(delays.map((delay) => `retry ${delay}`));
  });

  test.each([
    ["no driver", { SESSION_SECRET: SECRET }],
    ["no secret", { ENVIRONMENT: "development", MAIL_DRIVER: "mailbox" }],
    ["a driver without its binding", { ...RESEND, MAIL_DRIVER: "cloudflare" }],
  ])("for missing settings (%s) waits for the operator", async (_, settings) => {
    const userId = await createAccount(worker.db);
    const message = { user_id: userId, purpose: "password_changed" };
    expect(await consume([deliverMail(message, { attempts: 3 })], settings)).toStrictEqual(["retry 240"]);
    expect(lines()).toMatchObject([{ level: "error", event: "mail", outcome: "retry", delay_seconds: 240 }]);
  });

  test("in the database is logged without the query's values", async () => {
    const broken = deliverMail({ user_id: "usr_secret", purpose: "password_changed" });
    await worker.env.DB.exec("ALTER TABLE users RENAME TO users_away");
    expect(await consume([broken])).toStrictEqual(["retry 60"]);
    await worker.env.DB.exec("ALTER TABLE users_away RENAME TO users");
    expect(log.lines.join()).toContain("no such table");
    expect(log.lines.join()).not.toContain("usr_secret");
  });
});

describe("through Resend", () => {
  let resend: Server;
  let settings: Record<string, string>;
  const asked: { readonly key: unknown; readonly to: string }[] = [];
  /** The status for emails by address; 200 for all others. */
  const statuses = new Map<string, number>();

  beforeEach(async () => {
    asked.length = 0;
    resend = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        const { to } = JSON.parse(body) as { to: string };
        asked.push({ key: request.headers["idempotency-key"], to });
        response.writeHead(statuses.get(to) ?? 200).end(JSON.stringify({ name: "some_error", message: `no ${to}` }));
      });
    });
    await new Promise<void>((resolve) => resend.listen(0, "127.0.0.1", resolve));
    settings = { ...RESEND, RESEND_ENDPOINT: `http://127.0.0.1:${(resend.address() as AddressInfo).port}/` };
  });

  afterEach(async () => {
    await new Promise((resolve) => resend.close(resolve));
  });

  test("a rejection is final, a failure is retried, and neither stops the next", async () => {
    const accounts = [];
    for (const status of [422, 429, 503, 200]) {
      const userId = await createAccount(worker.db);
      statuses.set(emailOf(userId), status);
      accounts.push(userId);
    }
    const deliveries = accounts.map((userId) => deliverMail({ user_id: userId, purpose: "password_changed" }));
    expect(await consume(deliveries, settings)).toStrictEqual(["ack", "retry 60", "retry 60", "ack"]);
    expect(asked.map(({ key }) => key)).toStrictEqual(deliveries.map(({ message }) => message.id));
    expect(lines()).toMatchObject([
      { event: "mail_rejected", purpose: "password_changed", message_id: deliveries[0]!.message.id },
      { event: "mail", outcome: "retry", message: "Resend responded with 429 (some_error)" },
      { event: "mail", outcome: "retry", message: "Resend responded with 503 (some_error)" },
      { event: "mail", outcome: "sent" },
    ]);
    for (const secret of ["@example.com", "Ada", RESEND.RESEND_API_KEY]) expect(log.lines.join()).not.toContain(secret);
  });
});
