import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { emailTokens, registrations, users } from "../../schema.ts";
import { hashToken } from "../../worker/accounts/email-tokens.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import { accountCalls, NEW, newEmail, OWNERS, STRANGERS, WRONG } from "../account-calls.ts";
import { startAttempts } from "../attempts.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { mailsOnceThereAre, mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import { fromManyAddresses, pathOf, post, send } from "../requests.ts";

const worker = startWorker();
const { setCount } = startAttempts(worker);

const call = fromManyAddresses(worker);

const { me, register, signIn, verify } = accountCalls({ fetch: call });

const NONCE = "the nonce of the owner's browser";
const OTHER_NONCE = "the nonce of another browser";

function registerFrom(nonce: string, email: string, password: string, name = "Ada Lovelace"): Promise<Response> {
  const verifier = createHash("sha256").update(nonce).digest("hex");
  return call(pathOf("register"), post(null, { name, email, password, verifier }));
}

interface Outcome {
  readonly status: number;
  readonly body: { readonly code?: string; readonly fields?: object; readonly message?: string };
}

async function confirm(token: string, proof: object = {}): Promise<Outcome> {
  const response = await call(pathOf("verifyRegistration"), post(null, { token, ...proof }));
  return { status: response.status, body: (await response.json()) as Outcome["body"] };
}

async function reset(email: string, password: string): Promise<number> {
  await call(pathOf("requestPasswordReset"), post(null, { email }));
  const token = tokenIn(await waitForMail(worker, email, /reset/i));
  return (await call(pathOf("executePasswordReset"), post(null, { token, new_password: password }))).status;
}

/** The names of pending registrations. */
async function names(email: string): Promise<string[]> {
  const rows = await worker.db
    .select({ name: registrations.name })
    .from(registrations)
    .innerJoin(users, eq(users.id, registrations.userId))
    .where(eq(users.email, email))
    .orderBy(registrations.name);
  return rows.map(({ name }) => name);
}

/** Checks that the account is the owner's: it has one password, so no one else's works. */
async function expectOwned(email: string, { name = "Ada Lovelace", password = OWNERS } = {}): Promise<void> {
  const owner = await signIn(email, password);
  expect(await me(owner.token)).toMatchObject({ status: 200, body: { name, email, is_verified: true } });
  expect(await names(email)).toStrictEqual([]);
}

// Concurrently, since each waits for emails, which go through a queue.
describe.concurrent("an address that strangers have registered", () => {
  test("five times, using up its emails, goes to its owner by any of the links in the owner's browser", async () => {
    const email = newEmail();
    for (let index = 0; index < 5; index += 1) await register(email, STRANGERS, "Mallory");
    const emails = await mailsOnceThereAre(worker, 5, email);
    await setCount(10, LIMITS.verificationMail, email);
    const sent = await registerFrom(NONCE, email, OWNERS);
    expect([sent.status, await sent.json()]).toStrictEqual([
      201,
      { message: "Check your email to activate your account." },
    ]);

    const token = tokenIn(emails[4]!);
    const rejected = { status: 403, body: { code: "REGISTERED_ELSEWHERE" } };
    // A scanner that runs scripts has no nonce of this registration, or none at all.
    expect(await confirm(token)).toMatchObject(rejected);
    const fromElsewhere = await confirm(token, { nonce: OTHER_NONCE });
    expect(fromElsewhere).toMatchObject(rejected);
    // A link alone doesn't say whose it is.
    expect(JSON.stringify(fromElsewhere.body)).not.toContain(email);
    expect((await signIn(email, OWNERS)).status).toBe(401);
    expect(await confirm(token, { nonce: NONCE })).toStrictEqual({
      status: 200,
      body: { message: "Your email address is verified.", email },
    });

    expect((await signIn(email, STRANGERS)).status).toBe(401);
    await expectOwned(email);
    for (const mail of emails) {
      expect(await verify(tokenIn(mail))).toBe(400);
      expect(await confirm(tokenIn(mail), { new_password: STRANGERS, name: "Mallory" })).toMatchObject({
        status: 400,
        body: { code: "TOKEN_INVALID" },
      });
    }
    expect(await mailsTo(worker, email)).toHaveLength(5);
  });

  test("along with its owner is nobody's after the call for programs, until the owner sets a password", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Mallory");
    await register(email, OWNERS, "Ada Lovelace");
    const [, mail] = await mailsOnceThereAre(worker, 2, email);
    const response = await call(`${pathOf("verifyEmail")}?token=${tokenIn(mail!)}`);
    expect(response.status).toBe(200);
    expect(((await response.json()) as { message: string }).message).toContain("set a new password");
    for (const password of [STRANGERS, OWNERS]) expect((await signIn(email, password)).status).toBe(401);
    expect(await reset(email, NEW)).toBe(200);
    // Neither name has been confirmed.
    await expectOwned(email, { name: email.split("@")[0]!, password: NEW });
  });

  test("goes to the owner in another browser with the password that the link was sent for, and no other", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Mallory");
    const [strangersMail] = await mailsOnceThereAre(worker, 1, email);
    await registerFrom(NONCE, email, OWNERS);
    const [, ownersMail] = await mailsOnceThereAre(worker, 2, email);
    const wrong = { status: 400, body: { code: "WRONG_PASSWORD" } };
    expect(await confirm(tokenIn(strangersMail!), { password: OWNERS })).toMatchObject(wrong);
    expect(await confirm(tokenIn(ownersMail!), { password: STRANGERS })).toMatchObject(wrong);
    expect(await confirm(tokenIn(ownersMail!), { password: OWNERS })).toMatchObject({ status: 200 });
    await expectOwned(email);
    expect(await confirm(tokenIn(strangersMail!), { password: STRANGERS })).toMatchObject({ status: 400 });
  });

  test("with the email sent again goes to its owner with a new password", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Mallory");
    await call(pathOf("resendVerification"), post(null, { email }));
    const [, resent] = await mailsOnceThereAre(worker, 2, email);
    expect(await confirm(tokenIn(resent!), { password: OWNERS })).toMatchObject({ status: 400 });
    const proof = { new_password: OWNERS, name: "Ada Lovelace" };
    expect(await confirm(tokenIn(resent!), proof)).toMatchObject({ status: 200 });
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    await expectOwned(email);
  });

  test("once goes to the owner after a reset, and keeps neither name nor password", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Mallory");
    expect(await reset(email, NEW)).toBe(200);
    await expectOwned(email, { name: email.split("@")[0]!, password: NEW });
    expect((await signIn(email, STRANGERS)).status).toBe(401);
  });

  test("goes to the owner after a reset, which ends every link and registration", async () => {
    const email = newEmail();
    await registerFrom(OTHER_NONCE, email, STRANGERS, "Mallory");
    await registerFrom(NONCE, email, OWNERS);
    const emails = await mailsOnceThereAre(worker, 2, email);
    expect(await reset(email, NEW)).toBe(200);
    for (const mail of emails) {
      for (const proof of [{ nonce: OTHER_NONCE }, { password: STRANGERS }]) {
        expect(await confirm(tokenIn(mail), proof)).toMatchObject({ status: 400, body: { code: "TOKEN_INVALID" } });
      }
    }
    await expectOwned(email, { name: email.split("@")[0]!, password: NEW });
  });
});

describe.concurrent("an address that its owner registered first", () => {
  test("twice in one browser is theirs elsewhere with the newer password, in the email sent again", async () => {
    const email = newEmail();
    await registerFrom(NONCE, email, WRONG, "Ada");
    await registerFrom(NONCE, email, OWNERS);
    await call(pathOf("resendVerification"), post(null, { email }));
    const [, , resent] = await mailsOnceThereAre(worker, 3, email);
    expect(await confirm(tokenIn(resent!), { password: WRONG })).toMatchObject({ status: 400 });
    expect(await confirm(tokenIn(resent!), { password: OWNERS })).toMatchObject({ status: 200 });
    await expectOwned(email);
  });

  test("twice in one browser is the owner's with the newer password, by either link, once", async () => {
    const email = newEmail();
    await registerFrom(NONCE, email, WRONG, "Ada");
    await registerFrom(NONCE, email, OWNERS);
    const [first, second] = await mailsOnceThereAre(worker, 2, email);
    expect(await confirm(tokenIn(first!), { nonce: NONCE })).toMatchObject({ status: 200 });
    await expectOwned(email);
    expect(await confirm(tokenIn(second!), { nonce: NONCE })).toMatchObject({ status: 400 });
  });

  test("alone keeps its password after the call for programs", async () => {
    const email = newEmail();
    await register(email, OWNERS, "Ada Lovelace");
    const [mail] = await mailsOnceThereAre(worker, 1, email);
    expect(await verify(tokenIn(mail!))).toBe(200);
    await expectOwned(email);
  });

  test("stays the owner's although a stranger registered it later", async () => {
    const email = newEmail();
    await registerFrom(NONCE, email, OWNERS);
    await registerFrom(OTHER_NONCE, email, STRANGERS, "Mallory");
    await call(pathOf("resendVerification"), post(null, { email }));
    const [, , resent] = await mailsOnceThereAre(worker, 3, email);
    expect(await confirm(tokenIn(resent!), { nonce: NONCE })).toMatchObject({ status: 200 });
    await expectOwned(email);
  });

  test("and verified gets a notice, without a token, and nothing changes", async () => {
    const account = await createSignedIn(worker.db);
    await registerFrom(OTHER_NONCE, account.email, STRANGERS, "Mallory");
    const [mail] = await mailsOnceThereAre(worker, 1, account.email);
    expect(mail!.subject).toBe("You already have a Checkline account");
    for (const content of [mail!.text, mail!.html]) {
      expect(content).toContain("https://checkline.test/login");
      expect(content).not.toMatch(/token|Mallory|[\w-]{43}/i);
    }
    expect(await worker.db.select().from(emailTokens).where(eq(emailTokens.userId, account.id))).toStrictEqual([]);
    expect(await names(account.email)).toStrictEqual([]);
    expect(await me(account.token)).toMatchObject({ status: 200, body: { name: "Ada", email: account.email } });
    expect((await signIn(account.email, STRANGERS)).status).toBe(401);
    expect((await signIn(account.email, PASSWORD)).status).toBe(200);
  });

  test("with the hash of an empty nonce is not theirs when its owner opens the link elsewhere", async () => {
    const email = newEmail();
    await registerFrom("", email, STRANGERS, "Mallory");
    const [mail] = await mailsOnceThereAre(worker, 1, email);
    const token = tokenIn(mail!);
    expect(await confirm(token)).toMatchObject({ status: 403, body: { code: "REGISTERED_ELSEWHERE" } });
    expect(await confirm(token, { nonce: "" })).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect(await confirm(token, { new_password: OWNERS, name: "Ada Lovelace" })).toMatchObject({ status: 200 });
    await expectOwned(email);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
  });

  test("never gets a stranger's name in an email until it is verified", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Win a prize at evil.example");
    const [mail] = await mailsOnceThereAre(worker, 1, email);
    for (const content of [mail!.subject, mail!.text, mail!.html]) expect(content).not.toContain("evil.example");
  });
});

describe.concurrent("a confirmation", () => {
  const TOKEN = "x".repeat(43);

  test.each([
    ["two proofs", { nonce: NONCE, password: OWNERS }, ["password"]],
    ["all proofs", { nonce: NONCE, password: OWNERS, new_password: NEW, name: "Ada" }, ["password", "new_password"]],
    ["a new password without a name", { new_password: NEW }, ["name"]],
    ["a name without a new password", { password: OWNERS, name: "Ada" }, ["name"]],
    ["a new password that is too short", { new_password: "short", name: "Ada" }, ["new_password"]],
    ["a nonce that is no text", { nonce: 1 }, ["nonce"]],
    ["an empty nonce", { nonce: "" }, ["nonce"]],
    ["a nonce that anyone could guess", { nonce: "n".repeat(15) }, ["nonce"]],
    ["a nonce that is too long", { nonce: "n".repeat(201) }, ["nonce"]],
    ["an empty password", { password: "" }, ["password"]],
    ["an unknown field", { session: "x" }, ["session"]],
  ])("with %s is rejected, with the reason", async (_, proof, fields) => {
    const { status, body } = await confirm(TOKEN, proof);
    expect([status, body.code, Object.keys(body.fields ?? {})]).toStrictEqual([400, "VALIDATION_FAILED", fields]);
  });

  test.each([{}, { nonce: NONCE }, { password: OWNERS }, { new_password: NEW, name: "Ada" }])(
    "of an unknown link is rejected, with %o",
    async (proof) => {
      expect(await confirm(TOKEN, proof)).toMatchObject({ status: 400, body: { code: "TOKEN_INVALID" } });
    },
  );

  test("of an expired link is rejected", async () => {
    const email = newEmail();
    await registerFrom(NONCE, email, OWNERS);
    const [mail] = await mailsOnceThereAre(worker, 1, email);
    const token = tokenIn(mail!);
    await worker.db
      .update(emailTokens)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(emailTokens.hash, hashToken(token)));
    expect(await confirm(token, { nonce: NONCE })).toMatchObject({ status: 400 });
  });

  test("of a reset link is rejected, as is a reset with a verification link", async () => {
    const email = newEmail();
    await registerFrom(NONCE, email, OWNERS);
    const [mail] = await mailsOnceThereAre(worker, 1, email);
    const body = { token: tokenIn(mail!), new_password: NEW };
    expect((await call(pathOf("executePasswordReset"), post(null, body))).status).toBe(400);
    await call(pathOf("requestPasswordReset"), post(null, { email }));
    const resetToken = tokenIn(await waitForMail(worker, email, /reset/i));
    expect(await confirm(resetToken, { nonce: NONCE })).toMatchObject({ status: 400 });
  });

  test("sent ten times concurrently succeeds once", async () => {
    const email = newEmail();
    await registerFrom(NONCE, email, OWNERS);
    const [mail] = await mailsOnceThereAre(worker, 1, email);
    const proof = { nonce: NONCE };
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => confirm(tokenIn(mail!), proof)));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 400)).toHaveLength(9);
    await expectOwned(email);
  });
});

test("a verifier that is not a SHA-256 is rejected", async () => {
  for (const verifier of ["", "abc", "G".repeat(64), `${"a".repeat(64)} `, 1, null]) {
    const body = { name: "Ada", email: newEmail(), password: OWNERS, verifier };
    const response = await call(pathOf("register"), post(null, body));
    expect([response.status, await response.json()]).toMatchObject([400, { fields: { verifier: expect.any(String) } }]);
  }
});

test("the current password, or one that matches public facts about its owner, is rejected as a new one", async () => {
  const { email, token: session } = await createSignedIn(worker.db);
  await call(pathOf("requestPasswordReset"), post(null, { email }));
  const token = tokenIn(await waitForMail(worker, email, /reset/i));
  async function complaint(path: string, bearer: string | null, body: object): Promise<unknown> {
    const response = await call(path, post(bearer, body));
    return ((await response.json()) as { fields?: object }).fields;
  }
  const unchanged = { new_password: "New password must be different" };
  const own = { new_password: "Password is too close to your email address" };
  const change = pathOf("changePassword");
  expect(await complaint(change, session, { old_password: PASSWORD, new_password: PASSWORD })).toStrictEqual(unchanged);
  expect(await complaint(change, session, { old_password: PASSWORD, new_password: email })).toStrictEqual(own);
  const execute = pathOf("executePasswordReset");
  expect(await complaint(execute, null, { token, new_password: PASSWORD })).toStrictEqual(unchanged);
  expect(await complaint(execute, null, { token, new_password: email })).toStrictEqual(own);
  expect(await complaint(execute, null, { token, new_password: NEW })).toBeUndefined();
  expect((await signIn(email, NEW)).status).toBe(200);
});

test("opening a link by GET is not how emails do it", async () => {
  const email = newEmail();
  await register(email, OWNERS);
  const [mail] = await mailsOnceThereAre(worker, 1, email);
  for (const content of [mail!.text, mail!.html]) {
    expect(content).toContain("https://checkline.test/verify-account?token=");
    expect(content).not.toContain("/api/");
  }
  expect((await call(pathOf("verifyRegistration"), send("PUT", null))).status).toBe(405);
});
