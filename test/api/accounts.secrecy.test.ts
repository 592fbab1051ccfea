import { createHash, scrypt } from "node:crypto";
import type * as Crypto from "node:crypto";
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { emailTokens, users } from "../../schema.ts";
import type { AppEnv, Bindings } from "../../worker/env.ts";
import { readConfig } from "../../worker/http/config.ts";
import { handleError } from "../../worker/http/errors.ts";
import { requestIds } from "../../worker/http/request-id.ts";
import { requireSession } from "../../worker/http/session.ts";
import { hashToken } from "../../worker/mail/email-tokens.ts";
import type { MailMessage } from "../../worker/mail/messages.ts";
import { apiKeyRoutes } from "../../worker/routes/api-keys.ts";
import { authRoutes } from "../../worker/routes/auth.ts";
import { userRoutes } from "../../worker/routes/users.ts";
import { createAccount, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import type { AccountOptions } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import type { ReceivedMail } from "../mailbox.ts";
import { post, send } from "../requests.ts";
import { TEST_SETTINGS } from "../worker.ts";
import { everyRow } from "../stored.ts";

vi.mock("node:crypto", async (importOriginal) => {
  const original = await importOriginal<typeof Crypto>();
  return { ...original, scrypt: vi.fn(original.scrypt) };
});

const worker = startWorker();

const LOGIN = "/api/v1/auth/login";
const REGISTER = "/api/v1/users/register";
const RESET = "/api/v1/users/password-reset/request";
const EXECUTE = "/api/v1/users/password-reset/execute";
const CHANGE = "/api/v1/users/change-password";
const VERIFY = "/api/v1/users/verify";
const ME = "/api/v1/account/me";
const KEYS = "/api/v1/account/api-keys";

const STRANGERS = "a password of the stranger";
const OWNERS = "a password of the owner";
const NEW = "a password after the reset";
const WRONG = "a password that is wrong";
const PASSWORDS = [PASSWORD, STRANGERS, OWNERS, NEW, WRONG];

/** Sessions and keys that answers have held: like passwords and the tokens of mails, they must be found nowhere else. */
const handedOut: string[] = [];

let people = 0;

function newEmail(): string {
  people += 1;
  return `person${people}@secrecy.example.com`;
}

interface Known extends AccountOptions {
  readonly suspended?: boolean;
}

async function knownEmail({ suspended = false, ...options }: Known = {}): Promise<string> {
  const id = await createAccount(worker.db, options);
  if (suspended) await worker.db.update(users).set({ suspendedAt: Date.now() }).where(eq(users.id, id));
  return emailOf(id);
}

/** Everything that an answer shows, but for the id that each request has of its own. */
async function shown(response: Response) {
  const { "x-request-id": id, date: _, ...headers } = Object.fromEntries(response.headers);
  expect(id).toMatch(/^req_/);
  return { status: response.status, headers, body: await response.text() };
}

async function register(email: string, password: string, name = "Somebody"): Promise<Response> {
  return worker.fetch(REGISTER, post(null, { name, email, password }));
}

/** Signs in; the session's token is noted among what must be found nowhere. */
async function signIn(email: string, password: string): Promise<{ status: number; token: string }> {
  const response = await worker.fetch(LOGIN, post(null, { email, password }));
  const { token = "" } = (await response.json()) as { token?: string };
  if (token !== "") handedOut.push(token);
  return { status: response.status, token };
}

async function me(token: string): Promise<{ status: number; body: object }> {
  const response = await worker.fetch(ME, send("GET", token));
  return { status: response.status, body: (await response.json()) as object };
}

async function verify(token: string): Promise<number> {
  return (await worker.fetch(`${VERIFY}?token=${token}`)).status;
}

/** The mails to an address, oldest first, once there are so many. */
async function mailsOnceThereAre(count: number, email: string): Promise<ReceivedMail[]> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const mails = await mailsTo(worker, email);
    if (mails.length >= count) return mails.toReversed();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Fewer than ${count} mails have arrived`);
}

const ASKERS: readonly (readonly [string, (email: string) => Promise<Response>, readonly (() => Promise<string>)[]])[] =
  [
    [
      "registering a free address and one that has an account",
      (email) => register(email, OWNERS),
      [
        async () => newEmail(),
        () => knownEmail({ verified: false }),
        () => knownEmail({ verified: true }),
        () => knownEmail({ suspended: true }),
      ],
    ],
    [
      "asking for a reset with and without an account",
      (email) => worker.fetch(RESET, post(null, { email })),
      [
        async () => newEmail(),
        () => knownEmail({ verified: false }),
        knownEmail,
        () => knownEmail({ suspended: true }),
      ],
    ],
    [
      "signing in with a wrong password and to no account",
      (email) => worker.fetch(LOGIN, post(null, { email, password: WRONG })),
      [
        async () => newEmail(),
        () => knownEmail({ verified: false }),
        knownEmail,
        () => knownEmail({ suspended: true }),
      ],
    ],
  ];

describe("whether an address has an account", () => {
  test.each(ASKERS)("is not told by the answer to %s", async (_, ask, emails) => {
    const answers = [];
    for (const email of emails) answers.push(await shown(await ask(await email())));
    for (const answer of answers) expect(answer).toStrictEqual(answers[0]);
    expect(answers[0]!.body).not.toBe("");
  });

  test("is not told by asking again", async () => {
    for (const email of [newEmail(), await knownEmail()]) {
      const answers = [];
      for (const _ of [1, 2]) answers.push(await shown(await register(email, OWNERS)));
      expect(answers[1]).toStrictEqual(answers[0]);
    }
  });
});

/** The database, which notes every statement that is prepared. */
function recordingDatabase(statements: string[]): Bindings["DB"] {
  return new Proxy(worker.env.DB, {
    get(database, property) {
      if (property === "prepare") {
        return (statement: string) => {
          statements.push(statement);
          return database.prepare(statement);
        };
      }
      const value: unknown = Reflect.get(database, property);
      return typeof value === "function" ? value.bind(database) : value;
    },
  });
}

/** The account routes in this process, over the worker's database, where what they do can be watched. */
function watchedRoutes() {
  const statements: string[] = [];
  const messages: MailMessage[] = [];
  const work: Promise<unknown>[] = [];
  const queue = {
    send: async (message: MailMessage) => {
      messages.push(structuredClone(message));
      return worker.env.MAIL.send(message);
    },
  };
  const bindings = {
    ...TEST_SETTINGS,
    DB: recordingDatabase(statements),
    MAIL: queue,
    BACKSTOP: { limit: async () => ({ success: true }) },
    EDGE: worker.env.EDGE,
  };
  const app = new Hono<AppEnv>()
    .basePath("/api/v1")
    .use(requestIds(), readConfig())
    .route("/", authRoutes)
    .route("/", userRoutes)
    .use("/account/*", requireSession())
    .route("/account/api-keys", apiKeyRoutes)
    .onError(handleError);
  const context = {
    waitUntil: (promise: Promise<unknown>) => work.push(promise),
    passThroughOnException() {},
    props: {},
  };
  return {
    statements,
    messages,
    async request(path: string, init?: RequestInit): Promise<Response> {
      const response = await app.request(path, init, bindings, context);
      await Promise.all(work);
      return response;
    },
  };
}

const hashed = vi.mocked(scrypt);
// The factory hashes its password with the first account: not while hashes are counted.
beforeEach(() => createAccount(worker.db));

/** What asking costs: how passwords are hashed, which statements run, and what goes into the queue. */
async function workOf(path: string, body: object) {
  const routes = watchedRoutes();
  hashed.mockClear();
  const response = await routes.request(path, post(null, body));
  return {
    status: response.status,
    hashes: hashed.mock.calls.map(([secret, salt, length, options]) => {
      return { secret, salt: (salt as Buffer).length, length, options };
    }),
    statements: routes.statements,
    messages: routes.messages.length,
  };
}

describe("whether an address has an account is not told by how much work an answer is:", () => {
  test("signing in hashes one password, at the same cost, with and without an account", async () => {
    const body = (email: string) => ({ email, password: WRONG });
    const wrong = await workOf(LOGIN, body(await knownEmail()));
    expect(wrong).toMatchObject({ status: 401, messages: 0 });
    expect(wrong.hashes).toStrictEqual([
      { secret: WRONG, salt: 16, length: 32, options: expect.objectContaining({ N: 16_384, r: 8, p: 5 }) },
    ]);
    expect(wrong.statements.length).toBeGreaterThan(3);
    expect(await workOf(LOGIN, body(newEmail()))).toStrictEqual(wrong);
    expect(await workOf(LOGIN, body(await knownEmail({ suspended: true })))).toStrictEqual(wrong);
  });

  test("registering hashes one password, runs the same statements and queues one mail in each case", async () => {
    const body = (email: string) => ({ name: "Somebody", email, password: OWNERS });
    const free = await workOf(REGISTER, body(newEmail()));
    expect(free).toMatchObject({ status: 201, messages: 1 });
    expect(free.hashes).toHaveLength(1);
    expect(free.statements.length).toBeGreaterThan(3);
    expect(await workOf(REGISTER, body(await knownEmail({ verified: false })))).toStrictEqual(free);
    expect(await workOf(REGISTER, body(await knownEmail()))).toStrictEqual(free);
  });

  test("asking for a reset runs the same statements and queues one message in each case", async () => {
    const known = await workOf(RESET, { email: await knownEmail() });
    expect(known).toMatchObject({ status: 202, messages: 1, hashes: [] });
    expect(known.statements.length).toBeGreaterThan(2);
    expect(await workOf(RESET, { email: newEmail() })).toStrictEqual(known);
    expect(await workOf(RESET, { email: await knownEmail({ verified: false }) })).toStrictEqual(known);
  });
});

// At the same time, since each waits for mails, which go through a queue.
describe.concurrent("an address that a stranger has registered first", () => {
  test("becomes its owner's with the owner's own mail, and the stranger is out", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Mallory");
    const stranger = await signIn(email, STRANGERS);
    expect((await me(stranger.token)).status).toBe(200);
    const [strangersMail] = await mailsOnceThereAre(1, email);
    await register(email, OWNERS, "Ada Lovelace");
    const [, ownersMail] = await mailsOnceThereAre(2, email);

    // Until the owner follows the mail, nothing is the owner's.
    expect((await signIn(email, OWNERS)).status).toBe(401);
    expect(await verify(tokenIn(ownersMail!))).toBe(200);

    expect(await me(stranger.token)).toMatchObject({ status: 401, body: { code: "SESSION_EXPIRED" } });
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    const owner = await signIn(email, OWNERS);
    expect(owner.status).toBe(200);
    const account = { name: "Ada Lovelace", email, is_verified: true };
    expect(await me(owner.token)).toMatchObject({ status: 200, body: account });

    // The older mail is still good, once, and gives the stranger nothing.
    expect(await verify(tokenIn(strangersMail!))).toBe(200);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect(await me(owner.token)).toMatchObject({ status: 200, body: account });
    for (const mail of [strangersMail!, ownersMail!]) expect(await verify(tokenIn(mail))).toBe(400);
  });

  test("becomes nobody's with a mail that was asked for again, until its owner sets a password", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Mallory");
    const stranger = await signIn(email, STRANGERS);
    await mailsOnceThereAre(1, email);
    await register(email, OWNERS, "Ada Lovelace");
    await mailsOnceThereAre(2, email);
    await worker.fetch("/api/v1/users/verify/resend", post(stranger.token, {}));
    const [, , resent] = await mailsOnceThereAre(3, email);
    expect(await verify(tokenIn(resent!))).toBe(200);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect((await me(stranger.token)).status).toBe(401);
    expect((await signIn(email, OWNERS)).status).toBe(401);
    await worker.fetch("/api/v1/users/password-reset/request", post(null, { email }));
    const [, , , reset] = await mailsOnceThereAre(4, email);
    const chosen = { token: tokenIn(reset!), new_password: NEW };
    expect((await worker.fetch("/api/v1/users/password-reset/execute", post(null, chosen))).status).toBe(200);
    expect((await signIn(email, NEW)).status).toBe(200);
  });

  test("stays out of the stranger's hands when the owner was first and asks for the mail again", async () => {
    const email = newEmail();
    await register(email, OWNERS, "Ada Lovelace");
    const owner = await signIn(email, OWNERS);
    await mailsOnceThereAre(1, email);
    await register(email, STRANGERS, "Mallory");
    await mailsOnceThereAre(2, email);
    await worker.fetch("/api/v1/users/verify/resend", post(owner.token, {}));
    const [, , resent] = await mailsOnceThereAre(3, email);
    const answer = await worker.fetch(`/api/v1/users/verify?token=${tokenIn(resent!)}`);
    expect(((await answer.json()) as { message: string }).message).toContain("set a new password");
    expect((await signIn(email, STRANGERS)).status).toBe(401);
  });

  test("is the owner's too when the stranger has changed the password in the meantime", async () => {
    const email = newEmail();
    await register(email, WRONG, "Mallory");
    const { token } = await signIn(email, WRONG);
    await mailsOnceThereAre(1, email);
    await register(email, OWNERS, "Ada Lovelace");
    const [, ownersMail] = await mailsOnceThereAre(2, email);
    const changed = await worker.fetch(CHANGE, post(token, { old_password: WRONG, new_password: STRANGERS }));
    const session = (await changed.json()) as { token: string };
    handedOut.push(session.token);
    expect(await verify(tokenIn(ownersMail!))).toBe(200);
    expect((await me(session.token)).status).toBe(401);
    for (const password of [WRONG, STRANGERS]) expect((await signIn(email, password)).status).toBe(401);
    const owner = await signIn(email, OWNERS);
    expect(await me(owner.token)).toMatchObject({ status: 200, body: { name: "Ada Lovelace" } });
  });

  test("is the owner's after a reset, whose link the owner alone gets", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Mallory");
    const stranger = await signIn(email, STRANGERS);
    await worker.fetch(RESET, post(null, { email }));
    const token = tokenIn(await waitForMail(worker, email, /reset/i));
    expect((await worker.fetch(EXECUTE, post(null, { token, new_password: NEW }))).status).toBe(200);
    expect((await me(stranger.token)).status).toBe(401);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect((await signIn(email, NEW)).status).toBe(200);
  });
});

describe.concurrent("an address that its owner has registered first", () => {
  test("stays the owner's with the owner's own mail, although a stranger has registered it since", async () => {
    const email = newEmail();
    await register(email, OWNERS, "Ada Lovelace");
    const [ownersMail] = await mailsOnceThereAre(1, email);
    await register(email, STRANGERS, "Mallory");
    const [, strangersMail] = await mailsOnceThereAre(2, email);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    for (const mail of [ownersMail!, strangersMail!]) expect(await verify(tokenIn(mail))).toBe(200);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    const owner = await signIn(email, OWNERS);
    expect(await me(owner.token)).toMatchObject({ status: 200, body: { name: "Ada Lovelace", is_verified: true } });
  });

  test("and verified is told of, without a token, and nothing changes", async () => {
    const account = await createSignedIn(worker.db);
    await register(account.email, STRANGERS, "Mallory");
    const [mail] = await mailsOnceThereAre(1, account.email);
    expect(mail!.subject).toBe("You already have a Checkline account");
    for (const content of [mail!.text, mail!.html]) {
      expect(content).toContain("https://checkline.test/login");
      expect(content).not.toMatch(/token|Mallory|[\w-]{43}/i);
    }
    expect(await worker.db.select().from(emailTokens).where(eq(emailTokens.userId, account.id))).toStrictEqual([]);
    expect(await me(account.token)).toMatchObject({ status: 200, body: { name: "Ada", email: account.email } });
    expect((await signIn(account.email, STRANGERS)).status).toBe(401);
    expect((await signIn(account.email, PASSWORD)).status).toBe(200);
  });

  test("is not told a stranger's name in a mail until it is verified", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Win a prize at evil.example");
    const [mail] = await mailsOnceThereAre(1, email);
    for (const content of [mail!.subject, mail!.text, mail!.html]) expect(content).not.toContain("evil.example");
  });
});

async function allMails(): Promise<ReceivedMail[]> {
  const response = await worker.fetch("/dev/mailbox", { headers: { Accept: "application/json" } });
  return (await response.json()) as ReceivedMail[];
}

/** The tokens of all mails so far. */
async function mailedTokens(): Promise<string[]> {
  return (await allMails()).flatMap(({ text }) => [...text.matchAll(/token=([\w-]+)/g)].map(([, token]) => token!));
}

/** Every password, token, session and key so far, each as it is and in the usual wrappings. */
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
  test("are in no message of the mail queue", async () => {
    const { request, messages } = watchedRoutes();
    const email = newEmail();
    await request(REGISTER, post(null, { name: "Somebody", email, password: OWNERS }));
    const known = await createSignedIn(worker.db);
    await request(REGISTER, post(null, { name: "Somebody", email: known.email, password: STRANGERS }));
    await request(RESET, post(null, { email: known.email }));
    await request(RESET, post(null, { email: newEmail() }));
    const unverified = await createSignedIn(worker.db, { verified: false });
    await request(`${VERIFY}/resend`, send("POST", unverified.token));
    const token = tokenIn(await waitForMail(worker, known.email, /reset/i));
    await request(EXECUTE, post(null, { token, new_password: NEW }));
    const { token: session } = await signIn(known.email, NEW);
    const created = await request(KEYS, post(session, { mode: "live", name: "Production" }));
    const { api_key: key } = (await created.json()) as { api_key: string };
    const change = { old_password: NEW, new_password: PASSWORD };
    const changed = await request(CHANGE, post(session, change));
    handedOut.push(key, ((await changed.json()) as { token: string }).token);

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
        expect([name, id]).toStrictEqual([name, expect.stringMatching(/^(tok|key)_[0-9A-Za-z]{20}$/)]);
      }
    }
    await waitForMail(worker, unverified.email, /verify/i);
    await waitForMail(worker, email, /verify/i);
    await mailsOnceThereAre(5, known.email);
    const queued = JSON.stringify(messages);
    expect(await secretsIn(queued)).toStrictEqual([]);
    expect(queued).not.toContain("@");
  });

  test("are in no database row", async () => {
    const rows = await everyRow(worker);
    const tokens = await mailedTokens();
    expect(tokens.length).toBeGreaterThan(10);
    expect(handedOut.length).toBeGreaterThan(5);
    // What stands there instead.
    expect(rows).toContain(hashToken(tokens[0]!));
    expect(rows).toContain("scrypt$16384$8$5$");
    expect(await secretsIn(rows)).toStrictEqual([]);
  });

  test("are in no log line, and neither are addresses, also when something fails inside", async () => {
    const account = await createSignedIn(worker.db);
    const { email, token } = account;
    handedOut.push(token);
    for (const table of ["users", "email_tokens", "sign_in_attempts"]) {
      await worker.env.DB.exec(`ALTER TABLE ${table} RENAME TO away`);
      const attempts = [
        () => worker.fetch(LOGIN, post(null, { email, password: PASSWORD })),
        () => register(email, PASSWORD),
        () => worker.fetch(RESET, post(null, { email })),
        () => worker.fetch(EXECUTE, post(null, { token: "x".repeat(43), new_password: NEW })),
        () => worker.fetch(`${VERIFY}?token=${"x".repeat(43)}`),
        () => worker.fetch(CHANGE, post(token, { old_password: WRONG, new_password: NEW })),
        () => worker.fetch("/api/v1/account", send("DELETE", token, { password: WRONG })),
      ];
      const answers = [];
      for (const attempt of attempts) answers.push(await shown(await attempt()));
      const failed = answers.filter(({ status }) => status >= 500);
      expect(failed.length).toBeGreaterThan(2);
      for (const { body } of failed) {
        expect(JSON.parse(body)).toStrictEqual({ error: "Something went wrong on our side.", code: "INTERNAL_ERROR" });
      }
      await worker.env.DB.exec(`ALTER TABLE away RENAME TO ${table}`);
    }
    const log = worker.logs().join("\n");
    expect(log.match(/"event":"request"/g)!.length).toBeGreaterThan(60);
    expect(log.match(/"event":"failure"/g)!.length).toBeGreaterThan(10);
    expect(log).toContain('"event":"mail"');
    expect(log).toContain(`"route":"${VERIFY}"`);
    expect(await secretsIn(log)).toStrictEqual([]);
    const addresses = (await worker.db.select().from(users)).map(({ email: address }) => address);
    expect(addresses.length).toBeGreaterThan(20);
    expect(
      addresses.filter((address) => log.includes(address) || log.includes(encodeURIComponent(address))),
    ).toStrictEqual([]);
    expect(log).not.toMatch(/example\.com|x{43}/);
  });
});
