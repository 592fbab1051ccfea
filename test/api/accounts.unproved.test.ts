import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { KEY_MODES } from "../../contract/limits.ts";
import { registrations } from "../../schema.ts";
import { findAccountByEmail } from "../../worker/accounts/accounts.ts";
import { tombstoneName } from "../../worker/key-cache/edge.ts";
import { createApiKey, insertApiKey, rollApiKey } from "../../worker/keys/api-keys.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { grantSubscription } from "../../worker/subscriptions/changes.ts";
import { accountCalls, NEW, newEmail, OWNERS, shown, STRANGERS } from "../account-calls.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf, sessionOf } from "../io.ts";
import { mailsOnceThereAre, mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import type { ReceivedMail } from "../mailbox.ts";
import { fromManyAddresses, pathOf, post, send } from "../requests.ts";

// What someone can do who knows an address but has never opened its mail.

const worker = startWorker();

const call = fromManyAddresses(worker);

const { register, signIn, me } = accountCalls({ fetch: call });
const NONCE = "the nonce of the owner's browser";

async function registerAsOwner(email: string): Promise<void> {
  const verifier = createHash("sha256").update(NONCE).digest("hex");
  const body = { name: "Ada Lovelace", email, password: OWNERS, verifier };
  expect((await call(pathOf("register"), post(null, body))).status).toBe(201);
}

test("a nonce proves nothing if a single digit of its digest differs", async () => {
  const email = newEmail();
  const digest = createHash("sha256").update(NONCE).digest("hex");
  const verifier = digest.slice(0, -1) + (digest.endsWith("0") ? "1" : "0");
  await call(pathOf("register"), post(null, { name: "Ada", email, password: OWNERS, verifier }));
  const [mail] = await mailsOnceThereAre(worker, 1, email);
  expect(await confirm(mail!, { nonce: NONCE })).toBe(403);
});

const requestReset = (email: string) => call(pathOf("requestPasswordReset"), post(null, { email }));
const resend = (email: string) => call(pathOf("resendVerification"), post(null, { email }));

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await work();
}

/** The status of opening a verification link with a proof. */
async function confirm(mail: ReceivedMail, proof: object): Promise<number> {
  return (await call(pathOf("verifyRegistration"), post(null, { token: tokenIn(mail), ...proof }))).status;
}

async function execute(mail: ReceivedMail, password: string): Promise<number> {
  const body = { token: tokenIn(mail), new_password: password };
  return (await call(pathOf("executePasswordReset"), post(null, body))).status;
}

async function expectOwned(email: string, password = OWNERS): Promise<void> {
  const { token } = await signIn(email, password);
  expect(await me(token)).toMatchObject({ status: 200, body: { email, is_verified: true } });
}

/** Waits until every earlier email has been sent: the queue is ordered. */
async function allMailsSent(): Promise<void> {
  const { email } = await createSignedIn(worker.db);
  await requestReset(email);
  await waitForMail(worker, email, /reset/i);
}

describe("a stranger", () => {
  test("who uses up an address's emails and deletes its account over and over leaves working links", async () => {
    const email = newEmail();
    await times(10, () => register(email, STRANGERS));
    await times(5, () => requestReset(email));
    await registerAsOwner(email);
    for (let round = 0; round < 2; round += 1) {
      const { status, token } = await signIn(email, STRANGERS);
      const deleted = await call(pathOf("deleteAccount"), send("DELETE", token));
      expect([status, deleted.status]).toStrictEqual([401, 401]);
      await register(email, STRANGERS);
    }
    const emails = await mailsOnceThereAre(worker, 10, email);
    const first = emails.find(({ subject }) => /verify/i.test(subject));
    expect(await confirm(first!, { nonce: NONCE })).toBe(200);
    await expectOwned(email);
  });

  test("who asks for links to an address before its owner signs up doesn't use up the owner's", async () => {
    const email = newEmail();
    await times(10, () => resend(email));
    await times(5, () => requestReset(email));
    await registerAsOwner(email);
    const mail = await waitForMail(worker, email, /verify/i);
    await requestReset(email);
    await waitForMail(worker, email, /reset/i);
    expect(await confirm(mail, { nonce: NONCE })).toBe(200);
    await expectOwned(email);
  });

  test("who has used up the resets can't keep out an owner whose links have ended", async () => {
    const { email } = await createSignedIn(worker.db);
    await times(5, () => requestReset(email));
    const links = await mailsOnceThereAre(worker, 5, email);
    const { token } = await signIn(email, PASSWORD);
    const change = { old_password: PASSWORD, new_password: STRANGERS };
    expect((await call(pathOf("changePassword"), post(token, change))).status).toBe(200);
    for (const link of links) expect(await execute(link, NEW)).toBe(400);
    await requestReset(email);
    const newest = (await mailsOnceThereAre(worker, 7, email)).find(
      (mail) => /reset/i.test(mail.subject) && !links.some((link) => link.text === mail.text),
    );
    expect(await execute(newest!, NEW)).toBe(200);
    await requestReset(email);
    await mailsOnceThereAre(worker, 8, email);
    await expectOwned(email, NEW);
  });

  test("can't have a mailbox told that its password was changed", async () => {
    const email = newEmail();
    for (let round = 0; round < 14; round += 1) {
      await register(email, STRANGERS);
      const { token } = await signIn(email, STRANGERS);
      await call(pathOf("changePassword"), post(token, { old_password: STRANGERS, new_password: NEW }));
      await call(pathOf("deleteAccount"), send("DELETE", token));
    }
    await allMailsSent();
    const subjects = (await mailsTo(worker, email)).map(({ subject }) => subject);
    expect(subjects).toStrictEqual(Array.from({ length: 7 }, () => "Verify your email address for Checkline"));
  });

  test("gets no key out of a subscription granted to an address they registered", async () => {
    const email = newEmail();
    await register(email, STRANGERS);
    const { id } = (await findAccountByEmail(worker.db, email))!;
    await grantSubscription(ioOf(worker), id, { plan: "pro", until: null });
    const { token } = await signIn(email, STRANGERS);
    expect((await call(pathOf("createApiKey"), post(token, { mode: "live" }))).status).toBe(401);
  });

  test("can't tell whether an address had an account by registering it and logging in", async () => {
    const taken = await createSignedIn(worker.db);
    const answers = [];
    for (const email of [newEmail(), taken.email]) {
      answers.push(await shown(await register(email, STRANGERS)));
      answers.push(await shown(await call(pathOf("login"), post(null, { email, password: STRANGERS }))));
      answers.push(await shown(await resend(email)));
    }
    expect(answers.slice(3)).toStrictEqual(answers.slice(0, 3));
  });

  test.each([
    ["nonce", { nonce: NONCE }],
    ["password", { password: OWNERS }],
  ])("who registers an address six times after its owner leaves the owner's %s valid", async (_, proof) => {
    const email = newEmail();
    await registerAsOwner(email);
    const [mail] = await mailsOnceThereAre(worker, 1, email);
    await times(6, () => register(email, STRANGERS));
    expect(await confirm(mail!, proof)).toBe(200);
    await expectOwned(email);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
  });
});

/** Keys that an unverified account should never have, live and test, rolled with grace too, and its address. */
async function keysOfUnverified(): Promise<{ email: string; early: readonly string[] }> {
  const email = newEmail();
  await register(email, STRANGERS);
  const { id: userId } = (await findAccountByEmail(worker.db, email))!;
  const io = ioOf(worker);
  await grantSubscription(io, userId, { plan: "pro", until: null });
  const { token } = await createSession(worker.db, userId);
  const session = await sessionOf(io, token);
  const early: string[] = [];
  for (const mode of KEY_MODES) {
    const rolled = await createApiKey(io, session, { mode, name: "early" });
    const replacement = await rollApiKey(io, session, { id: rolled.id, graceHours: 24 });
    early.push(rolled.api_key, replacement.api_key);
  }
  for (const apiKey of early) expect(await verifyWith(apiKey)).toBe(200);
  return { email, early };
}

/** Every key ends in the isolate that knew it as good, and as a tombstone for all others. */
async function expectRevoked(early: readonly string[]): Promise<void> {
  for (const apiKey of early) {
    await expect.poll(() => verifyWith(apiKey)).toBe(401);
    await expect.poll(() => worker.env.EDGE.get(tombstoneName(hashKey(apiKey)))).toBe("revoked");
  }
}

async function verifyWith(apiKey: string): Promise<number> {
  return (await call("/api/v1/verify", post(apiKey, { number: "+442079460018" }))).status;
}

describe("the first proof of an address", () => {
  test("by a verification link revokes every earlier key", async () => {
    const { email, early } = await keysOfUnverified();
    await registerAsOwner(email);
    const mail = await waitForMail(worker, email, /verify/i);
    expect(await confirm(mail, { nonce: NONCE })).toBe(200);
    await expectRevoked(early);
  });

  test("by a reset revokes every earlier key; a later reset revokes none", async () => {
    const { email, early } = await keysOfUnverified();
    await requestReset(email);
    expect(await execute(await waitForMail(worker, email, /reset/i), NEW)).toBe(200);
    await expectRevoked(early);
    const { id: userId } = (await findAccountByEmail(worker.db, email))!;
    const own = await insertApiKey({ db: worker.db, now: Date.now(), userId, mode: "live", name: "own" });
    await requestReset(email);
    const mails = await mailsOnceThereAre(worker, 4, email);
    const [, again] = mails.filter(({ subject }) => /^reset/i.test(subject));
    expect(await execute(again!, OWNERS)).toBe(200);
    expect(await verifyWith(own.apiKey)).toBe(200);
  });

  test("forgets wrong guesses, such as logins that came too early", async () => {
    const email = newEmail();
    const from = { "CF-Connecting-IP": "203.0.113.77" };
    const logIn = async () => (await call(pathOf("login"), post(null, { email, password: OWNERS }, from))).status;
    await registerAsOwner(email);
    await times(10, logIn);
    expect(await logIn()).toBe(429);
    const [mail] = await mailsOnceThereAre(worker, 1, email);
    const body = { token: tokenIn(mail!), nonce: NONCE };
    expect((await call(pathOf("verifyRegistration"), post(null, body, from))).status).toBe(200);
    expect(await logIn()).toBe(200);
  });
});

describe("an unverified address", () => {
  test("keeps its first twenty registrations, and those that come again from their browsers", async () => {
    const email = newEmail();
    const name = (index: number) => `Person ${index}`;
    const from = (nonce: string, index: number) => {
      const verifier = createHash("sha256").update(nonce).digest("hex");
      return call(pathOf("register"), post(null, { name: name(index), email, password: STRANGERS, verifier }));
    };
    await from("the first browser's nonce", 0);
    for (let index = 1; index < 20; index += 1) await register(email, STRANGERS, name(index));
    await registerAsOwner(email);
    await from("the first browser's nonce", 20);
    const account = (await findAccountByEmail(worker.db, email))!;
    const kept = await worker.db.select().from(registrations).where(eq(registrations.userId, account.id));
    expect(kept.map((row) => row.name).toSorted()).toStrictEqual(
      Array.from({ length: 20 }, (_, index) => name(index + 1)).toSorted(),
    );
    // The owner's came too late to be kept, but the mailbox is still theirs.
    const [mail] = await mailsOnceThereAre(worker, 7, email);
    expect(await confirm(mail!, { nonce: NONCE })).toBe(403);
    expect(await confirm(mail!, { password: OWNERS })).toBe(400);
    expect(await confirm(mail!, { new_password: OWNERS, name: "Ada" })).toBe(200);
    await expectOwned(email);
  });

  test("gets the email again for anyone who asks, and a verified one a notice that it has an account", async () => {
    const email = newEmail();
    await registerAsOwner(email);
    await resend(` ${email.toUpperCase()} `);
    const [, again] = await mailsOnceThereAre(worker, 2, email);
    expect(await confirm(again!, { password: OWNERS })).toBe(200);
    await resend(email);
    const [, , notice] = await mailsOnceThereAre(worker, 3, email);
    expect(notice!.subject).toBe("You already have a Checkline account");
    await expectOwned(email);
  });
});
