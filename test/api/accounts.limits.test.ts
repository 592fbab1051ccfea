import { and, eq, gt, isNotNull } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { emailTokens, signInAttempts, users } from "../../schema.ts";
import { attemptSubject } from "../../worker/limits/attempts.ts";
import { ATTEMPT_RULES } from "../../worker/limits/rules.ts";
import type { AttemptRule } from "../../worker/limits/rules.ts";
import { createAccount, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import { post, send } from "../requests.ts";
import { TEST_SETTINGS } from "../worker.ts";

const worker = startWorker();

const REGISTER = "/api/v1/users/register";
const RESEND = "/api/v1/users/verify/resend";
const RESET = "/api/v1/users/password-reset/request";
const EXECUTE = "/api/v1/users/password-reset/execute";
const CHANGE = "/api/v1/users/change-password";
const WRONG = "not the right password";
const QUARTER_HOUR = 15 * 60;
const HOUR = 60 * 60;

let addresses = 0;

/** An address that no other test calls from, of those set aside for examples. */
function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

function from(address: string): Record<string, string> {
  return { "CF-Connecting-IP": address };
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

/** Calls the worker and reads the answer at once: of many answers, those left unread may lose their bodies. */
async function call(path: string, init: RequestInit): Promise<Answer> {
  const response = await worker.fetch(path, init);
  const text = await response.text();
  const body: unknown = text === "" ? null : JSON.parse(text);
  return { status: response.status, retryAfter: response.headers.get("Retry-After"), body };
}

async function signIn(email: string, password: string, address: string): Promise<Answer> {
  return call("/api/v1/auth/login", post(null, { email, password }, from(address)));
}

/** The statuses of so many sign-ins at once with a wrong password. */
async function guess(count: number, email: string, address: string): Promise<number[]> {
  const answers = await Promise.all(times(count, () => signIn(email, WRONG, address)));
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

async function newEmail(): Promise<string> {
  return emailOf(await createAccount(worker.db));
}

/** Checks a refusal by a limit, whose window is so many seconds long. */
function expectLimited({ status, retryAfter, body }: Answer, window: number): void {
  expect(body).toStrictEqual({ error: "Too many attempts. Try again later.", code: "RATE_LIMITED" });
  expect(status).toBe(429);
  expect(retryAfter).toMatch(/^\d+$/);
  const seconds = Number(retryAfter);
  expect(seconds).toBeGreaterThan(window - 60);
  expect(seconds).toBeLessThanOrEqual(window);
}

function counter(rule: AttemptRule, ...about: readonly string[]) {
  return eq(signInAttempts.subject, attemptSubject(TEST_SETTINGS.SESSION_SECRET, rule, ...about).id);
}

async function counted(rule: AttemptRule, ...about: readonly string[]): Promise<number | undefined> {
  return (
    await worker.db
      .select()
      .from(signInAttempts)
      .where(counter(rule, ...about))
      .get()
  )?.count;
}

/** Sets a count that real attempts have begun: hashing as many passwords as a limit has would take long. */
async function setCount(count: number, rule: AttemptRule, ...about: readonly string[]): Promise<void> {
  expect(await counted(rule, ...about)).toBeGreaterThan(0);
  await worker.db
    .update(signInAttempts)
    .set({ count })
    .where(counter(rule, ...about));
}

/** Lets the windows of all counts pass, but not the marks of known addresses, which count nothing. */
async function passWindows(): Promise<void> {
  await worker.db
    .update(signInAttempts)
    .set({ windowEndsAt: Date.now() - 1 })
    .where(gt(signInAttempts.count, 0));
}

describe("signing in", () => {
  test("takes 10 wrong passwords for an account from an address, then not even the right one, until the window is over", async () => {
    const email = await newEmail();
    const address = newAddress();
    for (const _ of times(10, Boolean)) expect((await signIn(email, WRONG, address)).status).toBe(401);
    expectLimited(await signIn(email, WRONG, address), QUARTER_HOUR);
    expectLimited(await signIn(email, PASSWORD, address), QUARTER_HOUR);
    expectLimited(await signIn(email.toUpperCase(), PASSWORD, address), QUARTER_HOUR);
    expect((await signIn(await newEmail(), PASSWORD, address)).status).toBe(200);
    expect((await signIn(email, PASSWORD, newAddress())).status).toBe(200);
    await passWindows();
    expect((await signIn(email, PASSWORD, address)).status).toBe(200);
    expect(await guess(1, email, address)).toStrictEqual([401]);
  });

  test("does not wait longer for having tried while it had to wait", async () => {
    const email = await newEmail();
    const address = newAddress();
    await guess(1, email, address);
    await setCount(10, ATTEMPT_RULES.passwordPerAccountAndAddress, email, address);
    const row = () =>
      worker.db
        .select()
        .from(signInAttempts)
        .where(counter(ATTEMPT_RULES.passwordPerAccountAndAddress, email, address))
        .get();
    const before = await row();
    expect(await guess(5, email, address)).toStrictEqual(times(5, () => 429));
    expect(await row()).toStrictEqual(before);
  });

  test("of 30 wrong passwords at once, hashes 10", async () => {
    const email = await newEmail();
    const address = newAddress();
    const answers = await Promise.all(times(30, () => signIn(email, WRONG, address)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(refused).toHaveLength(20);
    for (const answer of refused) expectLimited(answer, QUARTER_HOUR);
  });

  test("is limited alike for an address that has no account", async () => {
    const nobody = "nobody.here@example.com";
    const address = newAddress();
    expect(await guess(2, nobody, address)).toStrictEqual([401, 401]);
    expect(await counted(ATTEMPT_RULES.passwordPerAccountAndAddress, nobody, address)).toBe(2);
    await setCount(9, ATTEMPT_RULES.passwordPerAccountAndAddress, nobody, address);
    expect(await guess(2, nobody, address)).toStrictEqual([401, 429]);
    expectLimited(await signIn(nobody, WRONG, address), QUARTER_HOUR);
  });

  test("counts a whole IPv6 network as one address", async () => {
    const email = await newEmail();
    const network = "2001:db8:1:2::/64";
    for (const host of ["2001:db8:1:2::1", "2001:0DB8:1:2:0:0:0:2"]) await guess(1, email, host);
    expect(await counted(ATTEMPT_RULES.passwordPerAccountAndAddress, email, network)).toBe(2);
    await setCount(10, ATTEMPT_RULES.passwordPerAccountAndAddress, email, network);
    expect((await signIn(email, PASSWORD, "2001:db8:1:2:ffff::1")).status).toBe(429);
    expect((await signIn(email, PASSWORD, "2001:db8:1:3::1")).status).toBe(200);
  });

  test("does not count successes, and leaves earlier failures counted", async () => {
    const email = await newEmail();
    const address = newAddress();
    await guess(1, email, address);
    await setCount(9, ATTEMPT_RULES.passwordPerAccountAndAddress, email, address);
    for (const _ of times(3, Boolean)) expect((await signIn(email, PASSWORD, address)).status).toBe(200);
    expect(await counted(ATTEMPT_RULES.passwordPerAccountAndAddress, email, address)).toBe(9);
    expect(await counted(ATTEMPT_RULES.passwordPerAccount, email)).toBe(1);
    expect(await counted(ATTEMPT_RULES.passwordPerAddress, address)).toBe(1);
    expect(await guess(2, email, address)).toStrictEqual([401, 429]);
  });

  test("with the right password many times at once leaves nothing counted", async () => {
    const email = await newEmail();
    const address = newAddress();
    const burst = await Promise.all(times(30, () => signIn(email, PASSWORD, address)));
    expect(burst.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
    // Those beyond ten at a time had to wait, but nobody failed.
    expect((await signIn(email, PASSWORD, address)).status).toBe(200);
    expect(await counted(ATTEMPT_RULES.passwordPerAccountAndAddress, email, address)).toBe(0);
    expect(await counted(ATTEMPT_RULES.passwordPerAccount, email)).toBe(0);
    expect(await counted(ATTEMPT_RULES.passwordPerAddress, address)).toBe(0);
  });

  test("takes 100 wrong passwords from an address, whatever the accounts", async () => {
    const email = await newEmail();
    const address = newAddress();
    expect(await guess(1, await newEmail(), address)).toStrictEqual([401]);
    expect(await counted(ATTEMPT_RULES.passwordPerAddress, address)).toBe(1);
    await setCount(99, ATTEMPT_RULES.passwordPerAddress, address);
    expect(await guess(1, await newEmail(), address)).toStrictEqual([401]);
    expect(await guess(1, "nobody.at.all@example.com", address)).toStrictEqual([429]);
    expectLimited(await signIn(email, PASSWORD, address), QUARTER_HOUR);
    expect((await signIn(email, PASSWORD, newAddress())).status).toBe(200);
  });

  test("does not lock the owner out where the owner has signed in before, however many guess elsewhere", async () => {
    const email = await newEmail();
    const home = newAddress();
    expect((await signIn(email, PASSWORD, home)).status).toBe(200);
    for (const _ of times(3, Boolean)) expect(await guess(1, email, newAddress())).toStrictEqual([401]);
    expect(await counted(ATTEMPT_RULES.passwordPerAccount, email)).toBe(3);
    await setCount(49, ATTEMPT_RULES.passwordPerAccount, email);
    const guesses = await Promise.all(times(3, () => guess(1, email, newAddress())));
    expect(guesses.flat().toSorted()).toStrictEqual([401, 429, 429]);
    const stranger = newAddress();
    expectLimited(await signIn(email, PASSWORD, stranger), HOUR);
    expect((await signIn(email, PASSWORD, home)).status).toBe(200);
    expect((await signIn(await newEmail(), PASSWORD, stranger)).status).toBe(200);
    await passWindows();
    expect((await signIn(email, PASSWORD, stranger)).status).toBe(200);
  });

  test("even where the owner has signed in before takes 10 wrong passwords only", async () => {
    const email = await newEmail();
    const home = newAddress();
    expect((await signIn(email, PASSWORD, home)).status).toBe(200);
    expect(await guess(1, email, home)).toStrictEqual([401]);
    await setCount(9, ATTEMPT_RULES.passwordPerAccountAndAddress, email, home);
    expect(await guess(2, email, home)).toStrictEqual([401, 429]);
    expectLimited(await signIn(email, PASSWORD, home), QUARTER_HOUR);
  });
});

describe("confirming the password", () => {
  const PROMPTS = [
    [
      "change-password",
      CHANGE,
      "POST",
      (password: string) => ({ old_password: password, new_password: PASSWORD }),
      200,
    ],
    ["DELETE /account", "/api/v1/account", "DELETE", (password: string) => ({ password }), 204],
  ] as const;

  test.each(PROMPTS)("for %s counts to the same limit as signing in", async (_, path, method, body, success) => {
    const account = await createSignedIn(worker.db);
    const address = newAddress();
    const confirm = (password: string, where: string) =>
      call(path, send(method, account.token, body(password), from(where)));
    expect((await confirm(WRONG, address)).status).toBe(400);
    expect(await guess(1, account.email, address)).toStrictEqual([401]);
    expect(await counted(ATTEMPT_RULES.passwordPerAccountAndAddress, account.email, address)).toBe(2);
    await setCount(9, ATTEMPT_RULES.passwordPerAccountAndAddress, account.email, address);
    expect((await confirm(WRONG, address)).status).toBe(400);
    expectLimited(await confirm(PASSWORD, address), QUARTER_HOUR);
    expectLimited(await signIn(account.email, PASSWORD, address), QUARTER_HOUR);
    expect((await confirm(PASSWORD, newAddress())).status).toBe(success);
  });

  test("counts to the limit of the address and to that of the account", async () => {
    const account = await createSignedIn(worker.db);
    const address = newAddress();
    const confirm = () => call("/api/v1/account", send("DELETE", account.token, { password: WRONG }, from(address)));
    expect((await confirm()).status).toBe(400);
    expect(await counted(ATTEMPT_RULES.passwordPerAddress, address)).toBe(1);
    expect(await counted(ATTEMPT_RULES.passwordPerAccount, account.email)).toBe(1);
    await setCount(50, ATTEMPT_RULES.passwordPerAccount, account.email);
    expectLimited(await confirm(), HOUR);
  });
});

describe("registering", () => {
  test("is possible 30 times an hour from an address", async () => {
    const address = newAddress();
    const register = (name: string, where: string) =>
      call(REGISTER, post(null, { name, email: `${name}@example.com`, password: PASSWORD }, from(where)));
    expect((await register("crowd", address)).status).toBe(201);
    expect(await counted(ATTEMPT_RULES.registerPerAddress, address)).toBe(1);
    await setCount(28, ATTEMPT_RULES.registerPerAddress, address);
    const answers = await Promise.all(times(5, (index) => register(`crowd${index}`, address)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectLimited(answer, HOUR);
    expectLimited(await register("crowd.more", address), HOUR);
    expect(await worker.db.select().from(users).where(eq(users.email, "crowd.more@example.com"))).toHaveLength(0);
    expect((await register("crowd.elsewhere", newAddress())).status).toBe(201);
    await passWindows();
    expect((await register("crowd.later", address)).status).toBe(201);
  });

  test("of a wrong form is not counted", async () => {
    const address = newAddress();
    const answers = times(40, () => call(REGISTER, post(null, { email: "x" }, from(address))));
    expect((await Promise.all(answers)).map(({ status }) => status)).toStrictEqual(times(40, () => 400));
    expect(await counted(ATTEMPT_RULES.registerPerAddress, address)).toBeUndefined();
  });
});

/** The tokens of an account that have gone out by mail. */
async function tokensSent(userId: string): Promise<number> {
  const sent = and(eq(emailTokens.userId, userId), isNotNull(emailTokens.hash));
  return (await worker.db.select().from(emailTokens).where(sent)).length;
}

/** Waits until every mail that was asked for before has been sent: the queue keeps the order. */
async function allMailsSent(): Promise<void> {
  const last = await newEmail();
  await call(RESET, post(null, { email: last }, from(newAddress())));
  await waitForMail(worker, last, /reset/i);
}

describe("mails to an account", () => {
  const ASKING = [
    [
      "a password reset",
      ({ email }) => call(RESET, post(null, { email }, from(newAddress()))),
      202,
      "If an account exists for this email, a reset link will arrive soon.",
    ],
    [
      "the verification mail again",
      ({ token }) => call(RESEND, send("POST", token, undefined, from(newAddress()))),
      202,
      "Check your email to activate your account.",
    ],
    [
      "a registration",
      ({ email }) => call(REGISTER, post(null, { name: "Eve", email, password: WRONG }, from(newAddress()))),
      201,
      "Check your email to activate your account.",
    ],
  ] as const satisfies readonly (readonly [
    string,
    (account: { readonly email: string; readonly token: string }) => Promise<Answer>,
    number,
    string,
  ])[];

  // At the same time, since each waits for mails, which go through a queue.
  test.concurrent.each(ASKING)(
    "are 5 an hour when asked for by %s, and the sixth asker is not told",
    async (_, ask, status, message) => {
      const account = await createSignedIn(worker.db, { verified: false });
      for (let asked = 0; asked < 6; asked += 1) {
        const answer = await ask(account);
        expect(answer).toStrictEqual({ status, retryAfter: null, body: { message } });
      }
      await allMailsSent();
      expect(await mailsTo(worker, account.email)).toHaveLength(5);
      expect(await tokensSent(account.id)).toBe(5);
    },
  );

  test("are counted together, whatever they are about, until the window is over", async () => {
    const account = await createSignedIn(worker.db, { verified: false });
    for (const [, ask] of [...ASKING, ...ASKING]) expect((await ask(account)).status).toBeLessThan(300);
    await allMailsSent();
    expect(await mailsTo(worker, account.email)).toHaveLength(5);
    await passWindows();
    await ASKING[0][1](account);
    await allMailsSent();
    expect(await mailsTo(worker, account.email)).toHaveLength(6);
  });

  test("are not used up by asking for one that is not due", async () => {
    const account = await createSignedIn(worker.db);
    const [[, reset], [, resend]] = ASKING;
    for (const _ of times(6, Boolean)) expect((await resend(account)).status).toBe(409);
    await reset(account);
    expect((await waitForMail(worker, account.email, /reset/i)).to).toBe(account.email);
  });

  test("can be asked for 30 times an hour from an address", async () => {
    const address = newAddress();
    const account = await createSignedIn(worker.db, { verified: false });
    const reset = (index: number) => call(RESET, post(null, { email: `unknown${index}@example.com` }, from(address)));
    const answers = await Promise.all(times(31, reset));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(30);
    expectLimited(
      answers.find(({ status }) => status !== 202)!,
      HOUR,
    );
    expectLimited(await call(RESEND, send("POST", account.token, undefined, from(address))), HOUR);
  });
});

describe("guessing tokens", () => {
  const verify = (token: string, address: string) =>
    call(`/api/v1/users/verify?token=${token}`, send("GET", null, undefined, from(address)));
  const execute = (token: string, address: string) =>
    call(EXECUTE, post(null, { token, new_password: PASSWORD }, from(address)));

  test("is possible 60 times an hour from an address, for both kinds of link together", async () => {
    const email = await newEmail();
    await call(RESET, post(null, { email }, from(newAddress())));
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

describe("the counts in the database", () => {
  test("tell neither who was counted nor where", async () => {
    const rows = await worker.db.select().from(signInAttempts);
    expect(rows.length).toBeGreaterThan(50);
    for (const { subject, count, windowEndsAt } of rows) {
      expect(subject).toMatch(/^[0-9a-f]{40}$/);
      expect(Number.isInteger(count) && Number.isInteger(windowEndsAt)).toBe(true);
    }
    const { results } = await worker.env.DB.prepare("SELECT * FROM sign_in_attempts").all();
    expect(Object.keys(results[0]!)).toStrictEqual(["subject", "count", "window_ends_at"]);
    expect(JSON.stringify(results)).not.toMatch(/@|198\.51|2001:|example|usr_/i);
  });

  test("cannot be recognised without the secret", async () => {
    const email = await newEmail();
    const address = newAddress();
    await guess(1, email, address);
    const rule = ATTEMPT_RULES.passwordPerAddress;
    expect(await counted(rule, address)).toBe(1);
    const guessed = attemptSubject("another secret of thirty-two bytes", rule, address).id;
    const found = await worker.db.select().from(signInAttempts).where(eq(signInAttempts.subject, guessed));
    expect(found).toStrictEqual([]);
  });
});
