import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { emailTokens } from "../../schema.ts";
import { accountView, findAccount, findAccountByEmail } from "../../worker/accounts/accounts.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { grantSubscription } from "../../worker/subscriptions/changes.ts";
import { accountCalls, NEW, newEmail, OWNERS, shown, STRANGERS } from "../account-calls.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import { DEAD_LINK, emailChanges } from "../email-change.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";
import { mailsOnceThereAre, mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import { fromManyAddresses, pathOf, post } from "../requests.ts";

// What someone can do to an account whose session or password they have, or to an address that isn't theirs.

const worker = startWorker();

const call = fromManyAddresses(worker);

const { me, register, signIn, verify } = accountCalls({ fetch: call });
const { change, confirm, linkTo, request, undo, undoFor } = emailChanges({ fetch: call });
const NONCE = "the nonce of the owner's browser";

async function registerAsOwner(email: string): Promise<void> {
  const verifier = createHash("sha256").update(NONCE).digest("hex");
  const body = { name: "Ada Lovelace", email, password: OWNERS, verifier };
  expect((await call(pathOf("register"), post(null, body))).status).toBe(201);
}

async function proveRegistration(token: string): Promise<number> {
  return (await call(pathOf("verifyRegistration"), post(null, { token, nonce: NONCE }))).status;
}

async function reset(email: string, password: string): Promise<number> {
  await call(pathOf("requestPasswordReset"), post(null, { email }));
  const token = tokenIn(await waitForMail(worker, email, /^Reset/));
  return (await call(pathOf("executePasswordReset"), post(null, { token, new_password: password }))).status;
}

describe("a stranger with a session but without the password", () => {
  test("can't request a change", async () => {
    const { id, email } = await createSignedIn(worker.db);
    const { token } = await createSession(worker.db, id, { passwordAt: Date.now() - 11 * 60_000 });
    const next = newEmail();
    expect(await request(token, next)).toStrictEqual({ status: 403, code: "PASSWORD_REQUIRED" });
    expect(await me(token)).toMatchObject({ body: { email, pending_email: null } });
    expect([...(await mailsTo(worker, next)), ...(await mailsTo(worker, email))]).toStrictEqual([]);
  });
});

describe("a link to confirm a change", () => {
  test("does nothing for a mailbox's owner, who has no session of the account", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const victim = await createSignedIn(worker.db);
    const next = newEmail();
    await request(token, next);
    const link = await linkTo(next);
    expect(await confirm(null, link)).toStrictEqual({ status: 401, code: "UNAUTHENTICATED" });
    expect(await confirm(victim.token, link)).toStrictEqual(DEAD_LINK);
    expect(await me(victim.token)).toMatchObject({ body: { email: victim.email } });
    expect(await me(token)).toMatchObject({ body: { email, pending_email: next } });
    expect(await confirm(token, link)).toStrictEqual({ status: 200 });
  });

  test("neither verifies an address nor sets a password, nor do the others change one", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const next = newEmail();
    await request(token, next);
    const link = tokenIn(await linkTo(next));
    expect(await verify(link)).toBe(400);
    const body = { token: link, new_password: NEW };
    expect((await call(pathOf("executePasswordReset"), post(null, body))).status).toBe(400);
    await call(pathOf("requestPasswordReset"), post(null, { email }));
    const other = await waitForMail(worker, email, /^Reset/);
    expect(await confirm(token, other)).toStrictEqual(DEAD_LINK);
    expect(await undo(other)).toStrictEqual(DEAD_LINK);
  });
});

describe("a stranger who proposes an address", () => {
  test("leaves its registration, links, and verification emails alone", async () => {
    const email = newEmail();
    await registerAsOwner(email);
    const verification = tokenIn(await waitForMail(worker, email, /^Verify/));
    for (let account = 0; account < 12; account += 1) {
      const { token } = await createSignedIn(worker.db);
      expect(await request(token, email)).toStrictEqual({ status: 202 });
    }
    await call(pathOf("resendVerification"), post(null, { email }));
    // The registration's, two of the twelve, and the one sent again.
    const subjects = (await mailsOnceThereAre(worker, 4, email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith("Confirm"))).toHaveLength(2);
    expect(subjects.filter((subject) => subject.startsWith("Verify"))).toHaveLength(2);
    expect(await proveRegistration(verification)).toBe(200);
    expect((await signIn(email, OWNERS)).status).toBe(200);
  });

  test("can't use up what its owner needs to register it later", async () => {
    const email = newEmail();
    for (let account = 0; account < 12; account += 1) await request((await createSignedIn(worker.db)).token, email);
    await registerAsOwner(email);
    expect(await proveRegistration(tokenIn(await waitForMail(worker, email, /^Verify/)))).toBe(200);
  });

  test("can't tell whether it has an account, for which no link is made", async () => {
    const taken = await createSignedIn(worker.db);
    const unverified = newEmail();
    await registerAsOwner(unverified);
    const free = newEmail();
    const answers = [];
    for (const email of [taken.email, unverified, free]) {
      const { token } = await createSignedIn(worker.db);
      const { body, ...rest } = await shown(await call(pathOf("requestEmailChange"), post(token, { email })));
      const { pending_email: pending, ...account } = JSON.parse(body) as Record<string, unknown>;
      expect(pending).toBe(email);
      const { "content-length": _, ...headers } = rest.headers;
      answers.push({ ...rest, headers, fields: Object.keys(account), me: Object.keys((await me(token)).body) });
    }
    expect(answers[1]).toStrictEqual(answers[0]);
    expect(answers[2]).toStrictEqual(answers[0]);
    await linkTo(free);
    await linkTo(unverified);
    const [mail, ...others] = await mailsTo(worker, taken.email);
    expect([mail!.subject, others]).toStrictEqual(["You already have a Checkline account", []]);
    const rows = await worker.db.select().from(emailTokens).where(eq(emailTokens.email, taken.email));
    expect(rows.map(({ hash }) => hash)).toStrictEqual([null]);
    expect((await signIn(taken.email, PASSWORD)).status).toBe(200);
  });
});

test("whether an address has an account can't be told by how long a change to it is pending", async () => {
  const taken = await createSignedIn(worker.db);
  const free = newEmail();
  for (const email of [taken.email, free]) {
    const { id, token } = await createSignedIn(worker.db);
    expect(await request(token, email)).toStrictEqual({ status: 202 });
    // Its time begins when it is sent.
    if (email === free) await linkTo(free);
    const [row] = await worker.db.select().from(emailTokens).where(eq(emailTokens.userId, id));
    const account = (await findAccount(worker.db, id))!;
    const pendingAfter = async (time: number) =>
      (await accountView({ db: worker.db, now: row!.createdAt + time }, account)).pending_email;
    expect(await pendingAfter(DAY_MS - 1)).toBe(email);
    expect(await pendingAfter(DAY_MS)).toBeNull();
  }
});

test("registrations of an address lose it to a change confirmed there, with their links and keys", async () => {
  const email = newEmail();
  await register(email, STRANGERS);
  const { id: strangers } = (await findAccountByEmail(worker.db, email))!;
  await grantSubscription(ioOf(worker), strangers, { plan: "pro", until: null });
  const { apiKey } = await insertApiKey({
    db: worker.db,
    now: Date.now(),
    userId: strangers,
    mode: "live",
    name: "early",
  });
  const verifyNumber = async () => (await call("/api/v1/verify", post(apiKey, { number: "+442079460018" }))).status;
  expect(await verifyNumber()).toBe(200);
  const verification = tokenIn(await waitForMail(worker, email, /^Verify/));
  const { id, token } = await createSignedIn(worker.db);
  await change(token, email);
  expect((await findAccountByEmail(worker.db, email))?.id).toBe(id);
  expect(await verify(verification)).toBe(400);
  expect((await signIn(email, STRANGERS)).status).toBe(401);
  await expect.poll(verifyNumber).toBe(401);
});

describe("a stranger who has taken over an account with its password", () => {
  test("can't end its owner's way back by a reset or by another change", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const [second, third] = [newEmail(), newEmail()];
    await change(token, second);
    const owners = await undoFor(email);
    expect(await reset(second, STRANGERS)).toBe(200);
    await change((await signIn(second, STRANGERS)).token, third);
    // From the mailbox in between, which ends only what came after it.
    const strangers = await undoFor(second);
    expect(await undo(strangers)).toStrictEqual({ status: 200 });
    expect(await findAccountByEmail(worker.db, second)).not.toBeNull();
    expect(await undo(owners)).toStrictEqual({ status: 200 });
    expect(await reset(email, OWNERS)).toBe(200);
    expect(await me((await signIn(email, OWNERS)).token)).toMatchObject({ body: { email } });
  });

  test("can't return to their mailbox once the owner has undone everything", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const [second, third] = [newEmail(), newEmail()];
    await change(token, second);
    await change(token, third);
    const strangers = await undoFor(second);
    expect(await undo(await undoFor(email))).toStrictEqual({ status: 200 });
    expect(await undo(strangers)).toStrictEqual(DEAD_LINK);
  });

  test("gets no link to undo the owner's change back", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const strangers = newEmail();
    await change(token, strangers);
    await change(token, email);
    const rows = await worker.db.select().from(emailTokens).where(eq(emailTokens.email, strangers));
    expect(rows.filter(({ purpose, usedAt }) => purpose === "undo_email_change" && usedAt === null)).toStrictEqual([]);
    expect((await mailsTo(worker, strangers)).map(({ subject }) => subject)).not.toContain(
      "Your Checkline email address was changed",
    );
    // The owner's own link still works: everyone else is logged out.
    expect(await undo(await undoFor(email))).toStrictEqual({ status: 200 });
    expect((await me(token)).status).toBe(401);
  });
});
