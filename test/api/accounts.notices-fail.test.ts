import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { emailTokens, operationCounts } from "../../schema.ts";
import { changePassword } from "../../worker/accounts/change-password.ts";
import { findAccount } from "../../worker/accounts/accounts.ts";
import { confirmEmailChange } from "../../worker/administration/move-account.ts";
import { executePasswordReset } from "../../worker/accounts/password-reset.ts";
import { hashToken } from "../../worker/accounts/email-tokens.ts";
import { newId } from "../../worker/platform/random.ts";
import { captureLog } from "../captured-log.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf, sessionOf } from "../io.ts";

const worker = startWorker();
const log = captureLog("error");
const MAIL = { send: () => Promise.reject(new Error("the queue is full")) } as never;

/** The `io` of a request whose email the queue rejects. */
function ioWithFullQueue() {
  return ioOf({ env: { ...worker.env, MAIL } });
}

async function resetLink(userId: string): Promise<string> {
  const token = newId("tok");
  const row = { id: newId("tok"), hash: hashToken(token), userId, purpose: "reset_password" } as const;
  await worker.db.insert(emailTokens).values({ ...row, createdAt: Date.now(), expiresAt: Date.now() + 60_000 });
  return token;
}

/** The day's count of emails that could not be queued. */
async function notQueued(): Promise<number | undefined> {
  const { count } = operationCounts;
  const row = await worker.db
    .select({ count })
    .from(operationCounts)
    .where(eq(operationCounts.counter, "mail_not_queued"))
    .get();
  return row?.count;
}

beforeEach(async () => {
  await worker.db.delete(operationCounts);
});

describe("a password change whose email could not be queued", () => {
  test("takes effect, keeps the caller logged in, and ends reset links", async () => {
    const { id, token: before } = await createSignedIn(worker.db);
    const token = await resetLink(id);
    const io = ioWithFullQueue();
    const passwords = { oldPassword: PASSWORD, newPassword: "another password" };
    const session = await changePassword(io, await sessionOf(io, before), passwords);
    expect(await sessionOf(io, session.token)).toMatchObject({ userId: id, epoch: 1 });
    expect(log.events()).toStrictEqual(["mail_not_queued"]);
    expect(await notQueued()).toBe(1);
    const left = await worker.db
      .select()
      .from(emailTokens)
      .where(eq(emailTokens.hash, hashToken(token)))
      .get();
    expect(left?.usedAt).toBe(io.now);
  });

  test("takes effect for a reset too", async () => {
    const { id } = await createSignedIn(worker.db);
    const before = await findAccount(worker.db, id);
    const token = await resetLink(id);
    await executePasswordReset(ioWithFullQueue(), { token, newPassword: "another password" });
    expect((await findAccount(worker.db, id))?.passwordHash).not.toBe(before?.passwordHash);
    expect(log.events()).toStrictEqual(["mail_not_queued"]);
    expect(await notQueued()).toBe(1);
  });
});

test("a change of email whose email could not be queued takes effect, and is logged", async () => {
  const { id, token: before } = await createSignedIn(worker.db);
  const token = newId("tok");
  const row = { id: newId("tok"), hash: hashToken(token), userId: id, purpose: "change_email" } as const;
  const email = "moved@example.com";
  await worker.db.insert(emailTokens).values({ ...row, email, createdAt: Date.now(), expiresAt: Date.now() + 60_000 });
  const io = ioWithFullQueue();
  await confirmEmailChange(io, await sessionOf(io, before), token);
  expect(await sessionOf(io, before)).toMatchObject({ userId: id, epoch: 1, account: { email } });
  expect(log.events()).toStrictEqual(["mail_not_queued"]);
  expect(await notQueued()).toBe(1);
});
