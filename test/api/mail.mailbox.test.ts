import { beforeAll, describe, expect, test } from "vitest";
import { alreadyRegisteredEmail } from "../../worker/accounts/emails/already-registered.ts";
import { verificationEmail } from "../../worker/accounts/emails/verification.ts";
import { createApp } from "../../worker/app.ts";
import type { Bindings } from "../../worker/env.ts";
import { createIsolate } from "../../worker/io.ts";
import { forgetMails, listMails, mailboxDriver } from "../../worker/mail/mailbox.ts";
import { renderMail } from "../../worker/mail/render.ts";
import type { Settings } from "../../worker/platform/config.ts";
import { startWorker } from "../harness.ts";

const ORIGIN = "https://checkline.test";
const worker = startWorker();
const SECRET = { SESSION_SECRET: "a session secret of more than 32 characters" };
const LOCAL = { ...SECRET, ENVIRONMENT: "development", MAIL_DRIVER: "mailbox" };

/** The route as mounted by the worker, under settings chosen by the test. */
function request(init: RequestInit = {}, settings: Settings = LOCAL, url = "/dev/mailbox") {
  const { DB, EDGE, ADDRESS_BACKSTOP, ACCOUNT_BACKSTOP, LEDGER } = worker.env;
  const app = createApp(
    createIsolate({ DB, EDGE, ADDRESS_BACKSTOP, ACCOUNT_BACKSTOP, LEDGER, ...settings } as Bindings),
  );
  return app.request(url, init);
}

const AS_JSON = { headers: { Accept: "application/json" } };

describe("an empty mailbox", () => {
  test("is an empty list", async () => {
    const response = await request(AS_JSON);
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual([]);
  });

  test("says what will show up", async () => {
    const page = await (await request()).text();
    expect(page).toContain("No emails yet.");
    expect(page).toContain("reload this page");
  });
});

describe("a mailbox with emails", () => {
  beforeAll(async () => {
    const mailbox = mailboxDriver(worker.env.EDGE);
    const recipient = { address: `"<b>"@example.com`, name: null };
    const older = renderMail(alreadyRegisteredEmail.write(undefined, ORIGIN), recipient, ORIGIN);
    const newer = renderMail(verificationEmail.write("t0k3n", ORIGIN), recipient, ORIGIN);
    const now = Date.now();
    await mailbox.send(older, { now, userId: "usr_1", messageId: "1" });
    await mailbox.send(newer, { now: now + 1, userId: "usr_1", messageId: "2" });
  });

  test("is a list, newest first", async () => {
    const emails = (await (await request(AS_JSON)).json()) as Record<string, string>[];
    expect(emails.map(({ subject }) => subject)).toStrictEqual([
      "Verify your email address for Checkline",
      "You already have a Checkline account",
    ]);
    expect(Object.keys(emails[0]!)).toStrictEqual(["to", "subject", "text", "html", "sent_at"]);
    expect(emails[0]?.["text"]).toContain("https://checkline.test/verify-account?token=t0k3n\n");
    expect(emails[0]?.["sent_at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test.each(["text/html,application/xhtml+xml,*/*;q=0.8", "*/*", ""])("is a page for Accept: %s", async (accept) => {
    const response = await request({ headers: { Accept: accept } });
    expect(response.headers.get("Content-Type")).toContain("text/html");
    expect(response.headers.get("Vary")).toContain("Accept");
  });

  test("shows each email in a frame that only allows opening links, and its text with links", async () => {
    const page = await (await request()).text();
    const frames = page.match(/<iframe[^>]*>/g) ?? [];
    expect(frames).toHaveLength(2);
    for (const frame of frames) {
      expect(frame).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
      expect(frame).toContain('srcdoc="&lt;!doctype html&gt;');
    }
    const link = "https://checkline.test/verify-account?token=t0k3n";
    expect(page).toContain(`<a href="${link}" target="_blank" rel="noopener noreferrer">${link}</a>`);
    expect(page).toContain("&quot;&lt;b&gt;&quot;@example.com");
    expect(page).not.toMatch(/<script|<b>|\son\w+=/);
  });

  test("allows no script and no other host", async () => {
    const policy = (await request()).headers.get("Content-Security-Policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("script");
  });
});

test.each(["GET", "POST", "DELETE"])("without the local mailbox %s finds nothing", async (method) => {
  const production = { ...LOCAL, ENVIRONMENT: "production" };
  const resend = { ...LOCAL, MAIL_DRIVER: "resend", MAIL_FROM: "a@example.com", RESEND_API_KEY: "re_key" };
  for (const settings of [production, resend]) {
    const response = await request({ method, ...AS_JSON }, settings);
    expect(response.status).toBe(404);
    expect(response.headers.get("Allow")).toBeNull();
    expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
  }
});

describe("another site", () => {
  const HOSTS = [
    "attacker.example",
    "attacker.example:8787",
    "127.0.0.1.attacker.example",
    "192.168.1.2",
    "localhost.",
  ];

  test.each(HOSTS)("whose name %s leads to this machine sees no emails and records no usage", async (host) => {
    expect((await request(AS_JSON, LOCAL, `http://${host}/dev/mailbox`)).status).toBe(404);
    const page = { method: "POST", headers: { Origin: `http://${host}` }, body: "{}" };
    expect((await request(page, LOCAL, `http://${host}/dev/usage`)).status).toBe(404);
  });

  test.each(["https://attacker.example", "http://localhost:3000", "null"])(
    "at %s can't send a form here",
    async (origin) => {
      const form = { method: "POST", headers: { Origin: origin, "Content-Type": "text/plain" }, body: "{}" };
      expect((await request(form, LOCAL, "http://localhost:8787/dev/usage")).status).toBe(404);
    },
  );

  test.each(["localhost:8787", "127.0.0.1:8787", "[::1]:8787"])("is not %s", async (host) => {
    expect((await request(AS_JSON, LOCAL, `http://${host}/dev/mailbox`)).status).toBe(200);
    // A program has no Origin. This message isn't one about usage.
    expect((await request({ method: "POST", body: "{}" }, LOCAL, `http://${host}/dev/usage`)).status).toBe(400);
    const own = { method: "POST", headers: { Origin: "http://localhost:8787" }, body: "{}" };
    expect((await request(own, LOCAL, `http://${host}/dev/usage`)).status).toBe(400);
  });
});

test("one account's emails can be deleted, and none is kept for long", async () => {
  const { EDGE } = worker.env;
  const now = Date.now();
  for (const [offset, userId] of ["usr_one", "usr_two", "usr_one"].entries()) {
    const mail = { to: `${userId}@example.com`, subject: String(offset), text: "", html: "" };
    await mailboxDriver(EDGE).send(mail, { now: now + 1_000 + offset, userId, messageId: "1" });
  }
  const subjects = async () => (await listMails(EDGE)).map(({ subject }) => subject).slice(0, 3);
  expect(await subjects()).toStrictEqual(["2", "1", "0"]);
  await forgetMails(EDGE, "usr_one");
  expect((await subjects())[0]).toBe("1");
  expect(JSON.stringify(await listMails(EDGE))).not.toContain("usr_one");
  const { keys } = await EDGE.list({ prefix: "mailbox:" });
  for (const { expiration } of keys) {
    expect(expiration).toBeGreaterThan(now / 1000 + 29 * 86_400);
    expect(expiration).toBeLessThan(now / 1000 + 31 * 86_400);
  }
});
