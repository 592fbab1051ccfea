import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { emailTokens, passkeys, recoveryCodes, totp, trialClaims, users } from "../../schema.ts";
import { findAccountByEmail } from "../../worker/accounts/accounts.ts";
import { hashToken } from "../../worker/accounts/email-tokens.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { newId } from "../../worker/platform/random.ts";
import { accountCalls, NEW, newEmail, OWNERS } from "../account-calls.ts";
import { createAccount, createSession, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { DEAD_LINK, emailChanges } from "../email-change.ts";
import { startWorker } from "../harness.ts";
import { mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import type { ReceivedMail } from "../mailbox.ts";
import { fromManyAddresses, pathOf, post, send } from "../requests.ts";

const worker = startWorker();

const call = fromManyAddresses(worker);

const { me, register, signIn, verify } = accountCalls({ fetch: call });
const { cancel, change, confirm, linkTo, request, undo, undoFor } = emailChanges({ fetch: call });

async function verifyWith(apiKey: string): Promise<number> {
  return (await call("/api/v1/verify", post(apiKey, { number: "+442079460018" }))).status;
}

async function addKey(userId: string, name: string) {
  return (await insertApiKey({ db: worker.db, now: Date.now(), userId, mode: "live", name })).apiKey;
}

async function resetPassword(email: string, password: string): Promise<number> {
  const token = tokenIn(await waitForMail(worker, email, /^Reset/));
  return (await call(pathOf("executePasswordReset"), post(null, { token, new_password: password }))).status;
}

/** The kinds of an account's security events, and what they are about, newest first. */
async function events(token: string): Promise<string[]> {
  const response = await call(pathOf("securityEvents"), send("GET", token));
  const { events: rows } = (await response.json()) as { events: { kind: string; about: string | null }[] };
  return rows.map(({ kind, about }) => (about === null ? kind : `${kind} ${about}`));
}

async function expire(mail: ReceivedMail): Promise<void> {
  const its = eq(emailTokens.hash, hashToken(tokenIn(mail)));
  await worker.db
    .update(emailTokens)
    .set({ expiresAt: Date.now() - 1 })
    .where(its);
}

describe("a change of email", () => {
  test("waits for the new address, then moves the login there, and ends all other sessions", async () => {
    const { id, email, token } = await createSignedIn(worker.db);
    const { token: other } = await createSession(worker.db, id);
    const next = newEmail();
    expect(await request(token, ` ${next.toUpperCase()} `)).toStrictEqual({ status: 202 });
    expect(await me(token)).toMatchObject({ body: { email, is_verified: true, pending_email: next } });
    const notice = await waitForMail(worker, email, /^Someone asked/);
    expect(notice.text).toContain(`New address: ${next}`);
    const link = await linkTo(next);
    // The name may be a stranger's, and the address someone else's.
    expect(link.text).toContain("Hello,\n");
    expect(link.text).not.toContain(email);
    expect((await signIn(next, PASSWORD)).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(200);

    expect(await confirm(token, link)).toStrictEqual({ status: 200 });
    expect(await me(token)).toMatchObject({ body: { id, email: next, is_verified: true, pending_email: null } });
    expect((await me(other)).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await signIn(next, PASSWORD)).status).toBe(200);
    expect((await undoFor(email)).text).toContain("/undo-email-change?token=");
    await expect
      .poll(() => events(token))
      .toStrictEqual(expect.arrayContaining([`email_change_requested ${next}`, `email_changed ${email} → ${next}`]));
  });

  test("doesn't happen by opening the confirmation's path, or its page", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const next = newEmail();
    await request(token, next);
    const link = tokenIn(await linkTo(next));
    for (const path of [pathOf("confirmEmailChange"), "/confirm-email"]) {
      await call(`${path}?token=${link}`, send("GET", token));
    }
    expect(await me(token)).toMatchObject({ body: { email, pending_email: next } });
  });

  test("to the account's own address is rejected", async () => {
    const { email, token } = await createSignedIn(worker.db);
    expect(await request(token, email.toUpperCase())).toMatchObject({ status: 400, code: "VALIDATION_FAILED" });
  });

  test("is reported with the last address requested, and no more once it is made", async () => {
    const { id, email, token } = await createSignedIn(worker.db);
    const [first, last] = [newEmail(), newEmail()];
    const reported = async () =>
      (await mailsTo(worker, email))
        .filter(({ subject }) => subject.startsWith("Someone asked"))
        .map(({ text }) => /New address: (.+)/.exec(text)![1]);
    await request(token, first);
    await expect.poll(reported).toStrictEqual([first]);
    // The notices of these wait for ten minutes.
    await request(token, newEmail());
    await request(token, last);
    const notice = { user_id: id, purpose: "email_change_requested" };
    await worker.env.MAIL.send({ ...notice, since: 0 });
    await expect.poll(reported).toStrictEqual([last, first]);

    await confirm(token, await linkTo(last));
    await worker.env.MAIL.send(notice);
    await worker.env.MAIL.send({ user_id: id, purpose: "password_changed" });
    await waitForMail(worker, last, /password was changed/);
    expect(await mailsTo(worker, last)).toHaveLength(2);
  });

  test("is limited to ten requests per hour", async () => {
    const { token } = await createSignedIn(worker.db);
    const statuses = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await request(token, newEmail())).status);
    expect(statuses).toStrictEqual([...Array.from({ length: 10 }, () => 202), 429]);
  });

  test("keeps the second factor", async () => {
    const { id, token } = await createSignedIn(worker.db);
    const next = newEmail();
    await worker.env.DB.prepare("insert into totp (user_id, secret, confirmed_at) values (?, 'x', 1)").bind(id).run();
    await change(token, next);
    const response = await call(pathOf("login"), post(null, { email: next, password: PASSWORD }));
    expect(await response.json()).toMatchObject({ code: "SECOND_FACTOR_REQUIRED" });
  });
});

describe("a link to confirm a change", () => {
  test("works once, also for concurrent requests", async () => {
    const { token } = await createSignedIn(worker.db);
    const next = newEmail();
    await request(token, next);
    const link = await linkTo(next);
    const statuses = (await Promise.all([confirm(token, link), confirm(token, link)])).map(({ status }) => status);
    expect(statuses.toSorted()).toStrictEqual([200, 400]);
    expect((await me(token)).status).toBe(200);
    expect(await confirm(token, link)).toStrictEqual(DEAD_LINK);
  });

  test.each([
    ["a day", (_: string, link: ReceivedMail) => expire(link)],
    ["being canceled", (token: string) => cancel(token)],
    ["a request for another address", (token: string) => request(token, newEmail())],
    [
      "a change of the password",
      (token: string) => call(pathOf("changePassword"), post(token, { old_password: PASSWORD, new_password: NEW })),
    ],
  ])("is dead after %s", async (_, end) => {
    const { id, email, token } = await createSignedIn(worker.db);
    const next = newEmail();
    await request(token, next);
    const link = await linkTo(next);
    await end(token, link);
    // Either password logs in, but for the change of password.
    const current = (await signIn(email, PASSWORD)).token || (await signIn(email, NEW)).token;
    expect(await confirm(current, link)).toStrictEqual(DEAD_LINK);
    expect((await findAccountByEmail(worker.db, email))?.id).toBe(id);
  });

  test("is dead after a reset of the password", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const next = newEmail();
    await request(token, next);
    const link = await linkTo(next);
    await call(pathOf("requestPasswordReset"), post(null, { email }));
    expect(await resetPassword(email, NEW)).toBe(200);
    expect(await confirm((await signIn(email, NEW)).token, link)).toStrictEqual(DEAD_LINK);
  });

  test("of two concurrent requests is dead for the earlier one", async () => {
    const { id, token } = await createSignedIn(worker.db);
    const addresses = [newEmail(), newEmail()] as const;
    await Promise.all(addresses.map((address) => request(token, address)));
    const { pending_email: pending } = (await me(token)).body as { pending_email: string };
    expect(addresses).toContain(pending);
    const usable = (await worker.db.select().from(emailTokens).where(eq(emailTokens.userId, id))).filter(
      ({ usedAt }) => usedAt === null,
    );
    expect(usable.map(({ email }) => email)).toStrictEqual([pending]);
    expect(await confirm(token, await linkTo(pending))).toStrictEqual({ status: 200 });
  });

  test("fails once someone else has registered and verified the address", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const next = newEmail();
    await request(token, next);
    const link = await linkTo(next);
    await register(next, OWNERS);
    expect(await verify(tokenIn(await waitForMail(worker, next, /^Verify/)))).toBe(200);
    expect(await confirm(token, link)).toStrictEqual({ status: 409, code: "EMAIL_TAKEN" });
    expect(await me(token)).toMatchObject({ body: { email } });
    expect((await signIn(next, OWNERS)).status).toBe(200);
    expect(await mailsTo(worker, email)).toHaveLength(1);
  });
});

/** Adds an authenticator app, a passkey, and a recovery code to an account. */
async function addFactors(userId: string, at: number): Promise<void> {
  const credential = { credentialId: userId, publicKey: "x", counter: 0, transports: [] };
  await worker.db.insert(totp).values({ userId, secret: "x", confirmedAt: at });
  await worker.db
    .insert(passkeys)
    .values({ id: newId("psk"), userId, name: "A passkey", createdAt: at, ...credential });
  await worker.db.insert(recoveryCodes).values({ userId, hash: "x" });
}

async function factorsOf(userId: string) {
  return {
    totp: await worker.db.$count(totp, eq(totp.userId, userId)),
    passkeys: await worker.db.$count(passkeys, eq(passkeys.userId, userId)),
    codes: await worker.db.$count(recoveryCodes, eq(recoveryCodes.userId, userId)),
  };
}

describe("undoing a change", () => {
  test("restores the address, ends sessions, links, later keys, and the password, once", async () => {
    const { id, email, token } = await createSignedIn(worker.db);
    const earlier = await addKey(id, "earlier");
    const next = newEmail();
    await change(token, next);
    const later = await addKey(id, "later");
    const third = newEmail();
    await request(token, third);
    const pending = await linkTo(third);
    await call(pathOf("requestPasswordReset"), post(null, { email: next }));
    await waitForMail(worker, next, /^Reset/);
    expect([await verifyWith(earlier), await verifyWith(later)]).toStrictEqual([200, 200]);

    const link = await undoFor(email);
    const statuses = (await Promise.all([undo(link), undo(link)])).map(({ status }) => status);
    expect(statuses.toSorted()).toStrictEqual([200, 400]);
    expect((await me(token)).status).toBe(401);
    await expect.poll(() => verifyWith(later)).toBe(401);
    expect(await verifyWith(earlier)).toBe(200);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await signIn(next, PASSWORD)).status).toBe(401);
    expect(await resetPassword(next, NEW)).toBe(400);
    expect(await resetPassword(email, NEW)).toBe(200);
    const { token: restored } = await signIn(email, NEW);
    expect(await confirm(restored, pending)).toStrictEqual(DEAD_LINK);
    expect(await me(restored)).toMatchObject({ body: { id, email, is_verified: true, pending_email: null } });
    await expect.poll(() => events(restored)).toContain(`email_change_undone ${email}`);
    expect(await undo(link)).toStrictEqual(DEAD_LINK);
  });

  test("ends second factors added since, with recovery codes nobody can use, and keeps earlier ones", async () => {
    const taken = await createSignedIn(worker.db);
    await change(taken.token, newEmail());
    await addFactors(taken.id, Date.now());
    expect((await undo(await undoFor(taken.email))).status).toBe(200);
    expect(await factorsOf(taken.id)).toStrictEqual({ totp: 0, passkeys: 0, codes: 0 });

    const own = await createSignedIn(worker.db);
    await addFactors(own.id, 1);
    await change(own.token, newEmail());
    expect((await undo(await undoFor(own.email))).status).toBe(200);
    expect(await factorsOf(own.id)).toStrictEqual({ totp: 1, passkeys: 1, codes: 1 });
  });

  test("is over after three days, and after the account was deleted", async () => {
    const { email, token } = await createSignedIn(worker.db);
    await change(token, newEmail());
    const link = await undoFor(email);
    const [row] = await worker.db
      .select()
      .from(emailTokens)
      .where(eq(emailTokens.hash, hashToken(tokenIn(link))));
    expect(Math.abs(row!.expiresAt - Date.now() - 72 * 3_600_000)).toBeLessThan(60_000);
    await expire(link);
    expect(await undo(link)).toStrictEqual(DEAD_LINK);

    const deleted = await createSignedIn(worker.db);
    await change(deleted.token, newEmail());
    const late = await undoFor(deleted.email);
    expect((await call(pathOf("deleteAccount"), send("DELETE", deleted.token))).status).toBe(204);
    expect(await undo(late)).toStrictEqual(DEAD_LINK);
  });

  test("fails if the previous address has another verified account, and erases an unverified one", async () => {
    const { id, email, token } = await createSignedIn(worker.db);
    const next = newEmail();
    await change(token, next);
    const link = await undoFor(email);
    await register(email, OWNERS);
    const verification = tokenIn(await waitForMail(worker, email, /^Verify/));
    const registered = (await findAccountByEmail(worker.db, email))!;
    expect(registered.id).not.toBe(id);
    await worker.db.update(users).set({ verifiedAt: 1 }).where(eq(users.id, registered.id));
    expect(await undo(link)).toStrictEqual({ status: 409, code: "EMAIL_TAKEN" });
    expect(await me(token)).toMatchObject({ body: { email: next } });
    await worker.db.update(users).set({ verifiedAt: null }).where(eq(users.id, registered.id));
    expect(await undo(link)).toStrictEqual({ status: 200 });
    expect((await findAccountByEmail(worker.db, email))?.id).toBe(id);
    expect(await verify(verification)).toBe(400);
  });
});

describe("after a change", () => {
  test("a trial isn't available again, neither to the account nor at the old address", async () => {
    const { email, token } = await createSignedIn(worker.db, { subscription: "none" });
    expect((await call(pathOf("activateTrial"), post(token, {}))).status).toBe(201);
    await change(token, newEmail());
    const again = await call(pathOf("activateTrial"), post(token, {}));
    expect(await again.json()).toMatchObject({ code: "TRIAL_ALREADY_USED" });
    await register(email, OWNERS);
    expect(await verify(tokenIn(await waitForMail(worker, email, /^Verify/)))).toBe(200);
    const { token: second } = await signIn(email, OWNERS);
    const response = await call(pathOf("activateTrial"), post(second, {}));
    expect(await response.json()).toMatchObject({ code: "TRIAL_UNAVAILABLE" });
  });

  test("a trial granted to the old address is claimed for that one", async () => {
    const id = await createAccount(worker.db);
    const { token } = await createSession(worker.db, id);
    await change(token, newEmail());
    expect(await worker.db.select().from(trialClaims).where(eq(trialClaims.userId, id))).toHaveLength(1);
    await register(emailOf(id), OWNERS);
    expect(await verify(tokenIn(await waitForMail(worker, emailOf(id), /^Verify/)))).toBe(200);
    const { token: second } = await signIn(emailOf(id), OWNERS);
    const response = await call(pathOf("activateTrial"), post(second, {}));
    expect(await response.json()).toMatchObject({ code: "TRIAL_UNAVAILABLE" });
  });

  test("notices go to the new address, and the export has it, or the pending one", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const next = newEmail();
    await change(token, next);
    const later = newEmail();
    await request(token, later);
    await call(pathOf("changePassword"), post(token, { old_password: PASSWORD, new_password: NEW }));
    await waitForMail(worker, next, /password was changed/);
    expect((await mailsTo(worker, email)).filter(({ subject }) => /password/.test(subject))).toStrictEqual([]);
    const { token: session } = await signIn(next, NEW);
    await request(session, later);
    const document = await (await call(pathOf("exportAccount"), send("GET", session))).json();
    expect(document).toMatchObject({ account: { email: next, pending_email: later } });
  });
});
