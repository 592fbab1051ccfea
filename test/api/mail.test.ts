import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { emailTokens } from "../../schema.ts";
import { hashToken } from "../../worker/accounts/email-tokens.ts";
import { createAccount, emailOf } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import { post } from "../requests.ts";

const worker = startWorker();

async function register(email: string): Promise<void> {
  const body = { name: "Grace Hopper", email, password: "a password of this test" };
  expect((await worker.fetch("/api/v1/users/register", post(null, body))).status).toBe(201);
}

async function requestReset(email: string): Promise<void> {
  const response = await worker.fetch("/api/v1/users/password-reset/request", post(null, { email }));
  expect(response.status).toBe(202);
}

describe("email through the queue", () => {
  test("sends a new address its link, and leaves neither in the log", async () => {
    await register("grace.new@example.com");
    const mail = await waitForMail(worker, "grace.new@example.com", /^Verify/);
    const token = tokenIn(mail);
    expect(mail.text).toContain(`https://checkline.test/verify-account?token=${token}\n`);
    const row = await worker.db
      .select()
      .from(emailTokens)
      .where(eq(emailTokens.hash, hashToken(token)))
      .get();
    expect(row?.purpose).toBe("verify_email");
    const sent = () => worker.logs().filter((line) => line.includes('"event":"mail"'));
    await expect.poll(sent).toHaveLength(1);
    expect(JSON.parse(sent()[0]!)).toMatchObject({ purpose: "verify_email", outcome: "sent" });
    const log = worker.logs().join("\n");
    for (const secret of [token, "grace.new", "Grace"]) expect(log).not.toContain(secret);
  });

  test("notifies the owner of a verified address that the account exists, without a token", async () => {
    const email = emailOf(await createAccount(worker.db));
    await register(email);
    const mail = await waitForMail(worker, email, /already/);
    expect(mail.text).toContain("https://checkline.test/login\n");
    expect(mail.text + mail.html).not.toContain("token=");
  });

  test("sends a reset link to an account and nothing to an address without one", async () => {
    const email = emailOf(await createAccount(worker.db));
    await requestReset("nobody.here@example.com");
    await requestReset(email);
    const mail = await waitForMail(worker, email, /^Reset/);
    expect(mail.text).toContain(`https://checkline.test/reset-password?token=${tokenIn(mail)}\n`);
    expect(await mailsTo(worker, "nobody.here@example.com")).toStrictEqual([]);
  });

  test("can be read on a page without scripts", async () => {
    const response = await worker.fetch("/dev/mailbox");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(await response.text()).toContain("<h1>Mailbox</h1>");
  });
});
