import { beforeEach, describe, expect, test, vi } from "vitest";
import { emailTokens, signInAttempts } from "../../schema.ts";
import { createApp } from "../../worker/app.ts";
import { createIsolate } from "../../worker/io.ts";
import type { Settings } from "../../worker/platform/config.ts";
import { attemptSubject } from "../../worker/limits/attempts.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import { consumeMail } from "../../worker/emails.ts";
import { listMails } from "../../worker/mail/mailbox.ts";
import { newId } from "../../worker/platform/random.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { batchOf, deliverMail } from "../mail-delivery.ts";
import { post, send } from "../requests.ts";
import { AFTER, BEFORE, DURING, NEW_KEYS, OLD_KEYS } from "./rotation.ts";

const worker = startWorker();

let account: SignedIn;

beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  account = await createSignedIn(worker.db);
});

/** Calls the worker with these settings. Returns the response's status and error code, and its session if any. */
async function ask(settings: Settings, path: string, init: RequestInit) {
  const context = { waitUntil() {}, passThroughOnException() {}, props: {} };
  const request = new Request(`https://checkline.test/api/v1${path}`, init);
  const app = createApp(createIsolate({ ...worker.env, ...settings }));
  const response = await app.fetch(request, {}, context);
  const { code, token = "" } = (await response.json()) as { code?: string; token?: string };
  return { answer: code === undefined ? String(response.status) : `${response.status} ${code}`, token };
}

async function open(settings: Settings, token: string): Promise<string> {
  return (await ask(settings, "/account/me", send("GET", token))).answer;
}

function signIn(settings: Settings, address = "203.0.113.50") {
  const headers = { "CF-Connecting-IP": address };
  return ask(settings, "/auth/login", post(null, { email: account.email, password: PASSWORD }, headers));
}

/** A session under the old secret that began this many milliseconds ago. */
async function oldSession(age: number): Promise<string> {
  const at = Date.now() - age;
  return (await createSession(worker.db, account.id, { at, lastUsedAt: Date.now(), secret: OLD_KEYS.sessions.current }))
    .token;
}

describe("a session", () => {
  test("from before the rotation lasts until it expires", async () => {
    expect(await open(DURING, (await signIn(BEFORE)).token)).toBe("200");
    expect(await open(DURING, await oldSession(7 * DAY_MS - 60_000))).toBe("200");
    expect(await open(DURING, await oldSession(7 * DAY_MS + 1_000))).toBe("401 SESSION_EXPIRED");
  });

  test("started during the rotation is signed with the new secret", async () => {
    const { token } = await signIn(DURING);
    expect(await open(DURING, token)).toBe("200");
    expect(await open(AFTER, token)).toBe("200");
    expect(await open(BEFORE, token)).toBe("401 UNAUTHENTICATED");
  });

  test("under the old secret ends when that is removed", async () => {
    expect(await open(AFTER, account.token)).toBe("401 UNAUTHENTICATED");
  });

  test("under a third secret is rejected", async () => {
    const secret = "a third secret, of nobody that we know";
    const { token } = await createSession(worker.db, account.id, { secret });
    for (const settings of [BEFORE, DURING, AFTER]) expect(await open(settings, token)).toBe("401 UNAUTHENTICATED");
  });

  test("under either secret ends when its owner ends all others", async () => {
    const others = [
      await oldSession(60_000),
      (await createSession(worker.db, account.id, { secret: NEW_KEYS.sessions.current })).token,
    ];
    expect((await ask(DURING, "/account/sessions", send("DELETE", account.token))).answer).toBe("200");
    for (const ended of others) expect(await open(DURING, ended)).toBe("401 SESSION_EXPIRED");
    expect(await open(DURING, account.token)).toBe("200");
  });

  test("gets a token under the new secret when its password is confirmed", async () => {
    const { answer, token } = await ask(DURING, "/auth/confirm-password", post(account.token, { password: PASSWORD }));
    expect(answer).toBe("200");
    expect(await open(DURING, account.token)).toBe("401 SESSION_EXPIRED");
    expect(await open(AFTER, token)).toBe("200");
  });
});

describe("a link in an email", () => {
  /** The row of a requested link. */
  async function askForLink(): Promise<string> {
    const id = newId("tok");
    const row = {
      id,
      userId: account.id,
      purpose: "reset_password",
      createdAt: Date.now(),
      expiresAt: Date.now() + 3_600_000,
    } as const;
    await worker.db.insert(emailTokens).values(row);
    return id;
  }

  /** Sends the email with the link under these settings and returns its token. */
  async function sendMail(tokenId: string, settings: Settings, sentAt = Date.now()): Promise<string> {
    const delivery = deliverMail({ user_id: account.id, purpose: "reset_password", about: tokenId });
    await consumeMail(batchOf([delivery]), createIsolate({ ...worker.env, ...settings }, { now: () => sentAt }));
    expect(delivery.answers).toStrictEqual(["ack"]);
    const emails = await listMails(worker.env.EDGE);
    return /token=([\w-]+)/.exec(emails.find(({ to }) => to === account.email)!.text)![1]!;
  }

  async function follow(settings: Settings, token: string): Promise<string> {
    const body = { token, new_password: `another password ${newId("tok")}` };
    return (await ask(settings, "/users/password-reset/execute", post(null, body))).answer;
  }

  test.each([
    ["during", DURING],
    ["after", AFTER],
  ])("sent before the rotation works %s it", async (_, settings) => {
    expect(await follow(settings, await sendMail(await askForLink(), BEFORE))).toBe("200");
  });

  test("is the same when its message is redelivered", async () => {
    const id = await askForLink();
    const first = await sendMail(id, BEFORE);
    expect(await sendMail(id, DURING, Date.now() + 1_000)).toBe(first);
    expect(await follow(DURING, first)).toBe("200");
  });

  test("sent during the rotation works before and after, where the change has not arrived", async () => {
    for (const settings of [BEFORE, AFTER]) {
      expect(await follow(settings, await sendMail(await askForLink(), DURING, Date.now() + 1_000))).toBe("200");
    }
  });
});

test("an address that logged in before the rotation is still exempt from others' guesses", async () => {
  expect((await signIn(BEFORE)).answer).toBe("200");
  const { max: count, window } = LIMITS.passwordPerAccount;
  const { id: subject } = attemptSubject(NEW_KEYS.attempts.current, LIMITS.passwordPerAccount, {
    account: account.email,
  });
  await worker.db.insert(signInAttempts).values({ subject, count, windowEndsAt: Date.now() + window });
  expect((await signIn(DURING)).answer).toBe("200");
  expect((await signIn(DURING, "203.0.113.51")).answer).toBe("429 RATE_LIMITED");
});
