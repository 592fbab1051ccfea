import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { passkeys, sessions } from "../../schema.ts";
import { findAccount } from "../../worker/accounts/accounts.ts";
import type { ChallengePurpose } from "../../worker/accounts/second-factor/challenge.ts";
import { issueChallenge } from "../../worker/accounts/second-factor/challenge.ts";
import { createApp } from "../../worker/app.ts";
import { createIsolate } from "../../worker/io.ts";
import type { AuthenticatorOptions } from "../authenticator.ts";
import { createAuthenticator, ellipticKey, KEYS } from "../authenticator.ts";
import { createSignedIn } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";
import { pathOf, send } from "../requests.ts";
import { TEST_SETTINGS } from "../worker.ts";

const worker = startWorker();
const ORIGIN = "https://checkline.test";

type Credential = ReturnType<ReturnType<typeof createAuthenticator>["create" | "get"]>;
type Sent = Omit<Credential, "response"> & { readonly response: Readonly<Record<string, unknown>> };

let ada: SignedIn;
let eve: SignedIn;

beforeEach(async () => {
  [ada, eve] = await Promise.all([createSignedIn(worker.db), createSignedIn(worker.db)]);
});

const base64url = (data: string | Uint8Array) => Buffer.from(data).toString("base64url");

const authenticatorOf = (options: Partial<AuthenticatorOptions> = {}) =>
  createAuthenticator({ origin: ORIGIN, ...options });

async function challengeFor(purpose: ChallengePurpose, { id } = ada): Promise<string> {
  return issueChallenge(ioOf(worker), purpose, (await findAccount(worker.db, id))!);
}

/** Adds a passkey to an account. Returns the outcome, such as "201" or "400 PASSKEY_REFUSED". */
async function add(challenge: string, passkey: object, { token } = ada): Promise<string> {
  const body = { challenge, name: "Laptop", passkey };
  return outcomeOf(await worker.fetch(pathOf("addPasskey"), send("POST", token, body)));
}

/** Logs in with a passkey, after the password. */
async function logIn(challenge: string, passkey: object): Promise<string> {
  return outcomeOf(await worker.fetch(pathOf("logInWithSecondFactor"), send("POST", null, { challenge, passkey })));
}

async function outcomeOf(response: Response): Promise<string> {
  const { code } = (await response.json()) as { code?: string };
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

/** Why the worker has rejected passkeys since the log had this many lines. */
const reasonsSince = (lines: number) =>
  worker
    .logs()
    .slice(lines)
    .map((line) => JSON.parse(line) as { event: string; message: string })
    .flatMap(({ event, message }) => (event === "passkey_rejected" ? message : []));

/** Expects the reason of a refused passkey, or without one the outcome. */
async function expectRefusal(lines: number, outcome: string, expected: string): Promise<void> {
  if (/^\d/.test(expected)) return expect(outcome).toBe(expected);
  expect(outcome).toBe("400 PASSKEY_REFUSED");
  await expect.poll(() => reasonsSince(lines), { timeout: 2_000 }).toStrictEqual([expected]);
}

/** A new passkey of an account. */
async function addTo(account: SignedIn, options: Partial<AuthenticatorOptions> = {}) {
  const authenticator = authenticatorOf(options);
  const challenge = await challengeFor("add-passkey", account);
  expect(await add(challenge, authenticator.create(base64url(challenge)), account)).toBe("201");
  return authenticator;
}

const es256 = KEYS.ES256();

const withHandle = (sent: Sent, userHandle: unknown): Sent => ({ ...sent, response: { ...sent.response, userHandle } });

/** Ceremonies that contain a forged or repeated step: what the last one returns. */
const CEREMONIES: [what: string, hold: () => Promise<string>, expected: string][] = [
  [
    "a registration with a key of another algorithm",
    async () => {
      const challenge = await challengeFor("add-passkey");
      const key = ellipticKey("P-384", -35, 2);
      return add(challenge, authenticatorOf({ key }).create(base64url(challenge)));
    },
    "Unexpected public key alg ",
  ],
  [
    "a registration on another origin",
    async () => {
      const challenge = await challengeFor("add-passkey");
      return add(challenge, authenticatorOf().on("https://checkline.test.evil.com").create(base64url(challenge)));
    },
    "Unexpected registration response origin ",
  ],
  [
    "a login with another challenge after the right one",
    async () => {
      const own = await addTo(ada);
      const challenge = await challengeFor("log-in");
      const twice = (json: Buffer) => Buffer.from(json.toString().replace(/}$/, ',"challenge":"YW5vdGhlcg"}'));
      return logIn(challenge, own.get(base64url(challenge), { clientBytes: twice }));
    },
    "Unexpected authentication response challenge ",
  ],
  [
    "a login with another account's user handle",
    async () => {
      const own = await addTo(ada);
      const challenge = await challengeFor("log-in");
      return logIn(challenge, withHandle(own.get(base64url(challenge)), base64url(eve.id)));
    },
    "The user handle of another account",
  ],
  [
    "a registration with another account's challenge",
    async () => {
      const challenge = await challengeFor("add-passkey", eve);
      return add(challenge, authenticatorOf().create(base64url(challenge)));
    },
    "400 CHALLENGE_INVALID",
  ],
  [
    "a registration with a login's challenge",
    async () => {
      const challenge = await challengeFor("log-in");
      return add(challenge, authenticatorOf().create(base64url(challenge)));
    },
    "400 CHALLENGE_INVALID",
  ],
  [
    "a credential of another account, added again",
    async () => {
      const evil = await addTo(eve);
      const challenge = await challengeFor("add-passkey");
      return add(challenge, evil.create(base64url(challenge)));
    },
    "400 PASSKEY_REFUSED",
  ],
  [
    "another key under the credential id of another account",
    async () => {
      const credentialId = randomBytes(32);
      await addTo(eve, { credentialId });
      const challenge = await challengeFor("add-passkey");
      return add(challenge, authenticatorOf({ credentialId }).create(base64url(challenge)));
    },
    "400 PASSKEY_REFUSED",
  ],
  [
    "a login with a registration's challenge",
    async () => {
      const own = await addTo(ada);
      const challenge = await challengeFor("add-passkey");
      return logIn(challenge, own.get(base64url(challenge)));
    },
    "400 CHALLENGE_INVALID",
  ],
  [
    "a login to another account with one's own credential",
    async () => {
      await addTo(ada);
      const evil = await addTo(eve);
      const challenge = await challengeFor("log-in");
      return logIn(challenge, evil.get(base64url(challenge)));
    },
    "400 PASSKEY_REFUSED",
  ],
  [
    "a response under a new challenge",
    async () => {
      const own = await addTo(ada);
      const [first, next] = [await challengeFor("log-in"), await challengeFor("log-in")];
      const sent = own.get(base64url(first));
      expect(await logIn(first, sent)).toBe("200");
      return logIn(next, sent);
    },
    "Unexpected authentication response challenge ",
  ],
  ...[5, 6, 0].map((counter): (typeof CEREMONIES)[number] => [
    `a counter that goes from 6 to ${counter}`,
    async () => {
      const own = await addTo(ada);
      const [first, next] = [await challengeFor("log-in"), await challengeFor("log-in")];
      expect(await logIn(first, own.get(base64url(first), { counter: 6 }))).toBe("200");
      return logIn(next, own.get(base64url(next), { counter }));
    },
    "400 PASSKEY_REFUSED",
  ]),
];

test.each(CEREMONIES)("refused: %s", async (_, hold, expected) => {
  const lines = worker.logs().length;
  await expectRefusal(lines, await hold(), expected);
});

test("of 16 requests with the same response, one gets a session", async () => {
  const own = await addTo(ada, { counter: null });
  const challenge = await challengeFor("log-in");
  const before = await worker.db.$count(sessions, eq(sessions.userId, ada.id));
  const sent = own.get(base64url(challenge));
  const outcomes = await Promise.all(Array.from({ length: 16 }, () => logIn(challenge, sent)));
  expect(outcomes.filter((outcome) => outcome === "200")).toHaveLength(1);
  expect(await worker.db.$count(sessions, eq(sessions.userId, ada.id))).toBe(before + 1);
});

test("the key that is stored is the one in the authenticator's data, whatever else the browser says", async () => {
  const smuggled = KEYS.ES256();
  const own = authenticatorOf({ key: es256 });
  const challenge = await challengeFor("add-passkey");
  const sent: Sent = own.create(base64url(challenge));
  const more = { publicKey: base64url(smuggled.cose), publicKeyAlgorithm: -7, authenticatorData: base64url("x") };
  expect(await add(challenge, { ...sent, response: { ...sent.response, ...more } })).toBe("201");
  const stored = await worker.db.select().from(passkeys).where(eq(passkeys.userId, ada.id));
  expect(stored).toMatchObject([{ publicKey: base64url(es256.cose) }]);
});

test("a login may carry the account's own user handle, or an empty one", async () => {
  const own = await addTo(ada);
  for (const handle of [base64url(ada.id), "", null]) {
    const challenge = await challengeFor("log-in");
    expect(await logIn(challenge, withHandle(own.get(base64url(challenge)), handle))).toBe("200");
  }
});

/** Logins at an address, with the passkey of a page that also is in the Origin header. */
const PAGES: [environment: string, called: string, page: string, expected: string][] = [
  ["production", ORIGIN, ORIGIN, "200"],
  ["production", "https://evil.com", ORIGIN, "200"],
  ["production", "https://evil.com", "https://evil.com", "400 PASSKEY_REFUSED"],
  ["production", ORIGIN, "https://evil.com", "400 PASSKEY_REFUSED"],
  ["production", "https://localhost:8787", "http://localhost:8787", "400 PASSKEY_REFUSED"],
  ["production", ORIGIN, "http://127.0.0.1:8787", "400 PASSKEY_REFUSED"],
  ["development", "http://localhost:8787", "http://localhost:8787", "200"],
  ["development", "http://127.0.0.1:8788", "http://localhost:8787", "200"],
  ["development", "http://evil.com", "http://evil.com", "400 PASSKEY_REFUSED"],
  ["development", "http://localhost:8787", "http://localhost.evil.com", "400 PASSKEY_REFUSED"],
];

test.each(PAGES)("in %s at %s, a passkey of a page of %s: %s", async (ENVIRONMENT, called, page, expected) => {
  await addTo(ada, { key: es256, credentialId: Buffer.from(ada.id) });
  const app = createApp(createIsolate({ ...TEST_SETTINGS, ...worker.env, ENVIRONMENT }));
  const challenge = await challengeFor("log-in");
  const passkey = authenticatorOf({ key: es256, credentialId: Buffer.from(ada.id), origin: page, counter: 7 }).get(
    base64url(challenge),
  );
  const body = JSON.stringify({ challenge, passkey });
  const headers = {
    Origin: page,
    Host: new URL(called).host,
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
  };
  const request = new Request(new URL(pathOf("logInWithSecondFactor"), called), { method: "POST", headers, body });
  const context = { waitUntil: () => {}, passThroughOnException() {}, props: {} };
  expect(await outcomeOf(await app.fetch(request, {}, context))).toBe(expected);
});
