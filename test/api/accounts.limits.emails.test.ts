import { and, eq, isNotNull } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { emailTokens, users } from "../../schema.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import { expectLimited, from, HOUR, newAddress, startAttempts, times, WRONG } from "../attempts.ts";
import { createAccount, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import { pathOf, post, send } from "../requests.ts";

const worker = startWorker();
const { call, newEmail, counted, setCount, passWindows, expectAnonymous } = startAttempts(worker);

describe("registering", () => {
  test("is possible 30 times per hour from an address", async () => {
    const address = newAddress();
    const register = (name: string, where: string) =>
      call(pathOf("register"), post(null, { name, email: `${name}@example.com`, password: PASSWORD }, from(where)));
    expect((await register("crowd", address)).status).toBe(201);
    expect(await counted(LIMITS.registerPerAddress, address)).toBe(1);
    await setCount(28, LIMITS.registerPerAddress, address);
    const answers = await Promise.all(times(5, (index) => register(`crowd${index}`, address)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectLimited(answer, HOUR);
    expectLimited(await register("crowd.more", address), HOUR);
    expect(await worker.db.select().from(users).where(eq(users.email, "crowd.more@example.com"))).toHaveLength(0);
    expect((await register("crowd.elsewhere", newAddress())).status).toBe(201);
    await passWindows();
    expect((await register("crowd.later", address)).status).toBe(201);
  });

  test("with an invalid body is not counted", async () => {
    const address = newAddress();
    const answers = times(40, () => call(pathOf("register"), post(null, { email: "x" }, from(address))));
    expect((await Promise.all(answers)).map(({ status }) => status)).toStrictEqual(times(40, () => 400));
    expect(await counted(LIMITS.registerPerAddress, address)).toBeUndefined();
  });
});

/** The tokens emailed to an account. */
async function tokensSent(userId: string): Promise<number> {
  const sent = and(eq(emailTokens.userId, userId), isNotNull(emailTokens.hash));
  return (await worker.db.select().from(emailTokens).where(sent)).length;
}

/** Waits until every earlier email has been sent: the queue is ordered. */
async function allMailsSent(): Promise<void> {
  const last = await newEmail();
  await call(pathOf("requestPasswordReset"), post(null, { email: last }, from(newAddress())));
  await waitForMail(worker, last, /reset/i);
}

describe("emails to an account", () => {
  interface Asked {
    readonly email: string;
  }

  async function unverified() {
    const id = await createAccount(worker.db, { verified: false });
    return { id, email: emailOf(id) };
  }

  const RESET = {
    rule: LIMITS.resetMail,
    ask: ({ email }: Asked) => call(pathOf("requestPasswordReset"), post(null, { email }, from(newAddress()))),
    status: 202,
    message: "If an account exists for this email, a reset link will arrive soon. We send up to 5 per day.",
  };
  const RESEND = {
    rule: LIMITS.verificationMail,
    ask: ({ email }: Asked) => call(pathOf("resendVerification"), post(null, { email }, from(newAddress()))),
    status: 202,
    message: "If this email was used to sign up, it will arrive soon. We send up to 7 per day.",
  };
  const REGISTER = {
    ...RESEND,
    ask: ({ email }: Asked) =>
      call(pathOf("register"), post(null, { name: "Eve", email, password: WRONG }, from(newAddress()))),
    status: 201,
    message: "Check your email to activate your account.",
  };

  // Concurrently, since each waits for emails, which go through a queue.
  test.concurrent.each([
    ["a password reset", 5, RESET],
    ["the verification mail again", 7, RESEND],
    ["a registration", 7, REGISTER],
  ])(
    "for %s are %d per day, and further requests get no hint of it",
    async (_, limit, { rule, ask, status, message }) => {
      expect(rule.max).toBe(limit);
      const account = await unverified();
      await ask(account);
      await setCount(limit - 1, rule, account.email);
      for (let asked = 0; asked < 2; asked += 1) {
        expect(await ask(account)).toStrictEqual({ status, retryAfter: null, body: { message } });
      }
      await allMailsSent();
      expect(await mailsTo(worker, account.email)).toHaveLength(2);
      expect(await tokensSent(account.id)).toBe(2);
    },
  );

  test("have a budget per purpose, until the window is over", async () => {
    const account = await unverified();
    await REGISTER.ask(account);
    await setCount(10, REGISTER.rule, account.email);
    // Registering and resending share a purpose; a reset is the owner's way in, whatever strangers do.
    await REGISTER.ask(account);
    await RESEND.ask(account);
    await RESET.ask(account);
    await allMailsSent();
    expect(await mailsTo(worker, account.email)).toHaveLength(2);
    await passWindows();
    await RESEND.ask(account);
    await allMailsSent();
    expect(await mailsTo(worker, account.email)).toHaveLength(3);
  });

  test("about an existing account have a budget of their own", async () => {
    const account = await createSignedIn(worker.db);
    await REGISTER.ask(account);
    await setCount(2, LIMITS.alreadyRegisteredMail, account.email);
    await REGISTER.ask(account);
    await RESEND.ask(account);
    await allMailsSent();
    expect((await mailsTo(worker, account.email)).map(({ subject }) => subject)).toStrictEqual([
      "You already have a Checkline account",
    ]);
  });

  test("for a reset are unaffected by notices and registrations, and each of their links works", async () => {
    const account = await createSignedIn(worker.db);
    await RESET.ask(account);
    const token = tokenIn(await waitForMail(worker, account.email, /reset/i));
    await setCount(5, RESET.rule, account.email);
    await REGISTER.ask(account);
    // Strangers have used up the resets: the owner's own request adds nothing, and removes nothing.
    expect((await RESET.ask(account)).status).toBe(202);
    const execute = post(null, { token, new_password: "a password after the reset" }, from(newAddress()));
    expect((await call(pathOf("executePasswordReset"), execute)).status).toBe(200);
  });

  test("can be requested 30 times per hour from an address", async () => {
    const address = newAddress();
    const account = await unverified();
    const reset = (index: number) =>
      call(pathOf("requestPasswordReset"), post(null, { email: `unknown${index}@example.com` }, from(address)));
    const answers = await Promise.all(times(31, reset));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(30);
    expectLimited(
      answers.find(({ status }) => status !== 202)!,
      HOUR,
    );
    expectLimited(await call(pathOf("resendVerification"), post(null, { email: account.email }, from(address))), HOUR);
  });
});

describe("guessing tokens", () => {
  const verify = (token: string, address: string) =>
    call(`${pathOf("verifyEmail")}?token=${token}`, send("GET", null, undefined, from(address)));
  const execute = (token: string, address: string) =>
    call(
      pathOf("executePasswordReset"),
      post(null, { token, new_password: "a password after the reset" }, from(address)),
    );

  test("is possible 60 times per hour from an address, for both kinds of link together", async () => {
    const email = await newEmail();
    await call(pathOf("requestPasswordReset"), post(null, { email }, from(newAddress())));
    const token = tokenIn(await waitForMail(worker, email, /reset/i));
    const address = newAddress();
    const guesses = times(64, (index) => (index % 2 === 0 ? verify : execute)(`guess${index}`, address));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    expectLimited(await verify(token, address), HOUR);
    expectLimited(await execute(token, address), HOUR);
    expect((await execute(token, newAddress())).status).toBe(200);
  });
});

test("none of these counts reveals who was counted or where", async () => {
  await expectAnonymous(20);
});
