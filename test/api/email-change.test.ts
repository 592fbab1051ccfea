import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { emailTokens, trialClaims } from "../../schema.ts";
import { findAccountByEmail } from "../../worker/accounts/accounts.ts";
import { accountCalls, NEW, newEmail, OWNERS } from "../account-calls.ts";
import { createAccount, createSession, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { DEAD_LINK, emailChanges, expireLink } from "../email-change.ts";
import { startWorker } from "../harness.ts";
import { mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import type { ReceivedMail } from "../mailbox.ts";
import { fromManyAddresses, pathOf, post, send } from "../requests.ts";

const worker = startWorker();

const call = fromManyAddresses(worker);

const { me, register, signIn, verify } = accountCalls({ fetch: call });
const { cancel, change, confirm, events, linkTo, request, resetPassword, undoFor } = emailChanges({ fetch: call });

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
    ["a day", (_: string, link: ReceivedMail) => expireLink(worker.db, link)],
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
