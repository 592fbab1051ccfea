import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { users } from "../../schema.ts";
import { hashToken } from "../../worker/accounts/email-tokens.ts";
import { accountCalls, NEW, newEmail, OWNERS, STRANGERS, WRONG } from "../account-calls.ts";
import { createAccount, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { allMails, mailsOnceThereAre, tokenIn, waitForMail } from "../mailbox.ts";
import { pathOf, post, send } from "../requests.ts";
import { everyRow } from "../stored.ts";
import { watchedRoutes } from "../watched-routes.ts";

const worker = startWorker();
const { me, register, signIn } = accountCalls(worker);

const PASSWORDS = [PASSWORD, STRANGERS, OWNERS, NEW, WRONG];

/** Sessions and keys from responses: like passwords and email tokens, they must not appear anywhere else. */
const handedOut: string[] = [];

/** A registration by a stranger and one by the owner, and what follows, up to the third password and a key. */
async function live(): Promise<void> {
  const email = newEmail();
  await register(email, STRANGERS);
  await register(email, OWNERS);
  const [, mail] = await mailsOnceThereAre(worker, 2, email);
  const confirmed = post(null, { token: tokenIn(mail!), password: OWNERS });
  expect((await worker.fetch(pathOf("verifyRegistration"), confirmed)).status).toBe(200);
  expect((await signIn(email, WRONG)).status).toBe(401);
  const before = await signIn(email, OWNERS);
  await worker.fetch(pathOf("requestPasswordReset"), post(null, { email }));
  const token = tokenIn(await waitForMail(worker, email, /reset/i));
  await worker.fetch(pathOf("executePasswordReset"), post(null, { token, new_password: NEW }));
  const after = await signIn(email, NEW);
  const changed = await worker.fetch(
    pathOf("changePassword"),
    post(after.token, { old_password: NEW, new_password: PASSWORD }),
  );
  const session = (await changed.json()) as { token: string };
  expect((await me(session.token)).status).toBe(200);
  await worker.fetch(pathOf("activateTrial"), send("POST", session.token));
  const created = await worker.fetch(pathOf("createApiKey"), post(session.token, { mode: "test", name: "Staging" }));
  expect(created.status).toBe(201);
  handedOut.push(before.token, after.token, session.token, ((await created.json()) as { api_key: string }).api_key);
}

beforeAll(async () => {
  await Promise.all([live(), live(), live(), live()]);
});

/** The tokens of all emails so far. */
async function mailedTokens(): Promise<string[]> {
  return (await allMails(worker)).flatMap(({ text }) =>
    [...text.matchAll(/token=([\w-]+)/g)].map(([, token]) => token!),
  );
}

/** Every password, token, session, and key so far, each plain and in the usual encodings. */
async function secrets(): Promise<string[]> {
  const plain = [...PASSWORDS, ...(await mailedTokens()), ...handedOut];
  const bytes = plain.map((secret) => Buffer.from(secret));
  const unsalted = PASSWORDS.map((password) => createHash("sha256").update(password).digest("hex"));
  return [
    ...plain,
    ...plain.map(encodeURIComponent),
    ...bytes.map((secret) => secret.toString("base64")),
    ...bytes.map((secret) => secret.toString("hex")),
    ...unsalted,
  ];
}

async function secretsIn(text: string): Promise<string[]> {
  return (await secrets()).filter((secret) => text.includes(secret));
}

describe("passwords, tokens, sessions and keys", () => {
  test("are in no message of the email queue", async () => {
    const { request, messages } = watchedRoutes(worker);
    const email = newEmail();
    await request(pathOf("register"), post(null, { name: "Somebody", email, password: OWNERS }));
    const known = await createSignedIn(worker.db);
    await request(pathOf("register"), post(null, { name: "Somebody", email: known.email, password: STRANGERS }));
    await request(pathOf("requestPasswordReset"), post(null, { email: known.email }));
    await request(pathOf("requestPasswordReset"), post(null, { email: newEmail() }));
    const unverified = emailOf(await createAccount(worker.db, { verified: false }));
    await request(pathOf("resendVerification"), post(null, { email: unverified }));
    const token = tokenIn(await waitForMail(worker, known.email, /reset/i));
    await request(pathOf("executePasswordReset"), post(null, { token, new_password: NEW }));
    const { token: session } = await signIn(known.email, NEW);
    const created = await request(pathOf("createApiKey"), post(session, { mode: "live", name: "Production" }));
    const { api_key: key } = (await created.json()) as { api_key: string };
    const change = { old_password: NEW, new_password: PASSWORD };
    const changed = await request(pathOf("changePassword"), post(session, change));
    handedOut.push(session, key, ((await changed.json()) as { token: string }).token);

    expect(messages.map(({ purpose }) => purpose)).toStrictEqual([
      "verify_email",
      "already_registered",
      "reset_password",
      "reset_password",
      "verify_email",
      "password_changed",
      "live_key_created",
      "password_changed",
    ]);
    for (const { purpose: _, user_id: userId, ...about } of messages) {
      expect(userId ?? "usr_none").toMatch(/^usr_\w+$/);
      for (const [name, id] of Object.entries(about)) {
        const expected = name === "since" ? expect.any(Number) : expect.stringMatching(/^(tok|key)_[0-9A-Za-z]{20}$/);
        expect([name, id]).toStrictEqual([name, expected]);
      }
    }
    await waitForMail(worker, unverified, /verify/i);
    await waitForMail(worker, email, /verify/i);
    await mailsOnceThereAre(worker, 5, known.email);
    const queued = JSON.stringify(messages);
    expect(await secretsIn(queued)).toStrictEqual([]);
    expect(queued).not.toContain("@");
  });

  test("are in no database row", async () => {
    const rows = await everyRow(worker);
    const tokens = await mailedTokens();
    expect(tokens.length).toBeGreaterThan(10);
    expect(handedOut.length).toBeGreaterThan(5);
    // What is stored instead.
    expect(rows).toContain(hashToken(tokens[0]!));
    expect(rows).toContain("scrypt$16384$8$5$");
    expect(await secretsIn(rows)).toStrictEqual([]);
  });

  test("are in no log line, nor are addresses", async () => {
    const log = worker.logs().join("\n");
    expect(log.match(/"event":"request"/g)!.length).toBeGreaterThan(40);
    expect(log).toContain('"event":"mail"');
    expect(await secretsIn(log)).toStrictEqual([]);
    const addresses = (await worker.db.select().from(users)).map(({ email }) => email);
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((email) => log.includes(email) || log.includes(encodeURIComponent(email)))).toStrictEqual(
      [],
    );
  });
});
