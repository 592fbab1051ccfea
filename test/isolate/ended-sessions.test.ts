import { eq, getTableColumns, is, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import * as schema from "../../schema.ts";
import { hashToken } from "../../worker/accounts/email-tokens.ts";
import { NOBODYS_PASSWORD } from "../../worker/accounts/password.ts";
import { newId } from "../../worker/platform/random.ts";
import { createAuthenticator } from "../authenticator.ts";
import { createAccount, createSession, PASSWORD } from "../factories.ts";
import { longOrShort } from "../long.ts";
import { pathOf, send } from "../requests.ts";
import type { Call } from "./bindings.ts";
import { startNetwork } from "./network.ts";
import type { NetworkIsolate } from "./network.ts";

// A session may end at any moment of an operation that it causes: each test ends it right before the n-th statement or
// batch, for every n. Then either the change came first, or nothing changes and the caller is rejected.

const network = startNetwork();
const { apiKeys, emailTokens, erasedKeys, passkeys, recoveryCodes, securityEvents, sessions, users } = schema;

const MINUTE = 60_000;
/** What only follows a change. */
const OUTSIDE: readonly Call[] = ["kv.put", "kv.delete", "queue.send", "mail.send", "ledger"];

/** Whether an operation only reads and counts, so that an ended session has nothing to change with it. */
function isReading({ id, method, rate }: Endpoint): boolean {
  // The options of a passkey are a signed challenge, stored nowhere, that only a session can use.
  return method === "get" || rate === "requests by account" || id === "passkeyOptions";
}

const OPERATIONS = ENDPOINTS.filter(({ credential }) => credential === "session" || credential === "any").filter(
  (endpoint) => !isReading(endpoint),
);

/** An account with one of everything, and the isolate that its session calls. */
interface Scene {
  readonly isolate: NetworkIsolate;
  readonly userId: string;
  readonly token: string;
  readonly sessionId: string;
  readonly otherSessionId: string;
  readonly keyId: string;
  readonly keyHash: string;
  readonly passkeyId: string;
  /** The token of a change of email that waits for its confirmation. */
  readonly link: string;
}

async function setScene(isolate: NetworkIsolate, operation: string): Promise<Scene> {
  const { db } = network.worker;
  // An account has one trial.
  const userId = await createAccount(db, { subscription: operation === "activateTrial" ? "none" : "active" });
  const at = Date.now() - MINUTE;
  const { id: sessionId, token } = await createSession(db, userId, { at, lastUsedAt: Date.now() });
  const { id: otherSessionId } = await createSession(db, userId);
  const { id: keyId } = await network.anotherKey(userId, "live");
  const [passkeyId, link] = [newId("psk"), newId("tok")];
  // Its own domain: a domain gets only a few trials.
  const domain = `${userId.slice(4).toLowerCase()}.example`;
  const passkey = { id: passkeyId, name: "Laptop", credentialId: passkeyId, publicKey: "", counter: 0, transports: [] };
  const change = { id: newId("tok"), hash: hashToken(link), purpose: "change_email", email: `new@${domain}` } as const;
  const [, , , , [key]] = await db.batch([
    db
      .update(users)
      .set({ email: `ada@${domain}` })
      .where(eq(users.id, userId)),
    db.insert(passkeys).values({ ...passkey, userId, createdAt: at }),
    db.insert(recoveryCodes).values({ userId, hash: "", createdAt: at }),
    db.insert(emailTokens).values({ ...change, userId, createdAt: at, expiresAt: Date.now() + MINUTE }),
    db.select({ hash: apiKeys.hash }).from(apiKeys).where(eq(apiKeys.id, keyId)),
  ]);
  const made = { userId, token, sessionId, otherSessionId, keyId, keyHash: key!.hash, passkeyId, link };
  return { isolate, ...made };
}

async function ask<Body>({ isolate, token }: Scene, operation: string): Promise<Body> {
  return (await (await isolate.fetch(pathOf(operation), send("POST", token))).json()) as Body;
}

/** A path parameter, and fields of a body. */
interface Input {
  readonly id?: string;
  readonly [field: string]: unknown;
}

/** The path parameters and body of each operation's call, which changes something. */
const INPUTS: Readonly<Record<string, (scene: Scene) => Input | Promise<Input>>> = {
  changePassword: () => ({ old_password: PASSWORD, new_password: "a better one than that" }),
  renameAccount: () => ({ name: "Ada King" }),
  requestEmailChange: ({ userId }) => ({ email: `another@${userId.slice(4).toLowerCase()}.example` }),
  cancelEmailChange: () => ({}),
  confirmEmailChange: ({ link }) => ({ token: link }),
  deleteAccount: () => ({}),
  logOut: () => ({}),
  confirmPassword: () => ({ password: PASSWORD }),
  endOtherSessions: () => ({}),
  endSession: ({ otherSessionId }) => ({ id: otherSessionId }),
  addTotp: () => ({}),
  async confirmTotp(scene) {
    const { secret } = await ask<{ secret: string }>(scene, "addTotp");
    return { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() };
  },
  async removeTotp(scene) {
    await ask(scene, "addTotp");
    return {};
  },
  replaceRecoveryCodes: () => ({}),
  async addPasskey(scene) {
    const { challenge } = await ask<{ challenge: string }>(scene, "passkeyOptions");
    const { create } = createAuthenticator({ origin: "https://checkline.test" });
    return { challenge, name: "Phone", passkey: create(Buffer.from(challenge).toString("base64url")) };
  },
  removePasskey: ({ passkeyId }) => ({ id: passkeyId }),
  activateTrial: () => ({}),
  createApiKey: () => ({ mode: "live" }),
  revokeApiKeys: () => ({}),
  changeApiKey: ({ keyId }) => ({ id: keyId, monthly_cap: 10 }),
  rollApiKey: ({ keyId }) => ({ id: keyId, grace_hours: 0 }),
  revokeApiKey: ({ keyId }) => ({ id: keyId }),
};

type End = (scene: Scene) => PromiseLike<unknown>;

/** Changes of the session's row, or of its account's. */
const ofSession =
  (set: Readonly<Record<string, SQL>>): End =>
  ({ sessionId }) =>
    network.worker.db.update(sessions).set(set).where(eq(sessions.id, sessionId));
const ofAccount =
  (set: Readonly<Record<string, SQL | string | number>>): End =>
  ({ userId }) =>
    network.worker.db
      .update(users)
      .set({ ...set, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      .where(eq(users.id, userId));

const deletion: End = ({ userId }) => network.worker.db.delete(users).where(eq(users.id, userId));

/** How a session ends, by what that does to its rows. */
const WAYS: Readonly<Record<string, End>> = {
  "is logged out": ({ sessionId }) => network.worker.db.delete(sessions).where(eq(sessions.id, sessionId)),
  "is ended by a new password": ofAccount({ passwordHash: "another" }),
  "continues under a new token": ofSession({ passwordAt: sql`${sessions.passwordAt} + 1` }),
  "is ended by a reset of the password": ofAccount({ passwordHash: "another", verifiedAt: 1 }),
  "is ended by a change of email": ofAccount({ email: sql`${users.email} || '.example'` }),
  "is ended by its undoing": ofAccount({ email: sql`'old.' || ${users.email}`, passwordHash: NOBODYS_PASSWORD }),
  "is ended by a suspension": ofAccount({ suspendedAt: 1 }),
  "loses its account": deletion,
};

/** All rows of an account but its log of events. */
async function rowsOf({ userId, keyHash }: Scene): Promise<string> {
  const { db } = network.worker;
  const rows = Object.values(schema).flatMap((table) => {
    if (!is(table, SQLiteTable) || table === securityEvents) return [];
    const { userId: owner = table === users && users.id } = getTableColumns(table) as { userId?: SQLiteColumn };
    return owner ? db.select().from(table).where(eq(owner, userId)) : [];
  });
  const erased = db.select().from(erasedKeys).where(eq(erasedKeys.hash, keyHash));
  return JSON.stringify(await db.batch([erased, ...rows]));
}

/**
 * Calls an operation and ends its session right before the n-th statement or batch.
 * @returns false if there was none
 */
async function callAndEnd(isolate: NetworkIsolate, operation: Endpoint, end: End, n: number): Promise<boolean> {
  const { method, path, request, success } = operation;
  const scene = await setScene(isolate, operation.id);
  const { id = "", ...body } = await INPUTS[operation.id]!(scene);
  await isolate.settled();
  network.emails.length = isolate.calls.length = 0;
  const before = await rowsOf(scene);
  let count = 0;
  let ended: { readonly rows: string; readonly wasFirst: boolean } | undefined;
  network.faults.beforeD1 = async () => {
    count += 1;
    if (count !== n) return;
    const wasFirst = (await rowsOf(scene)) === before;
    await end(scene);
    ended = { rows: await rowsOf(scene), wasFirst };
  };
  const init = send(method.toUpperCase(), scene.token, request && body, { "CF-Connecting-IP": `10.0.${n}.1` });
  const { status } = await isolate.fetch(path.replace("{id}", id), init);
  await isolate.settled();
  network.repair();
  const rows = await rowsOf(scene);
  if (ended === undefined) {
    expect(status).toBe(success.status);
    expect(rows).not.toBe(before);
    return false;
  }
  // Even if the change came first: it's one step.
  expect(rows, `ended before statement ${n}`).toBe(ended.rows);
  if (ended.wasFirst) {
    // In an account that is gone, a key or a link isn't found either.
    const rejections = end === deletion ? [400, 401, 403, 404] : [401, 403];
    expect(rejections, `ended before statement ${n}`).toContain(status);
    expect(network.emails).toStrictEqual([]);
    expect(isolate.calls.filter((call) => OUTSIDE.includes(call))).toStrictEqual([]);
  }
  return true;
}

test("every operation is tried", () => {
  expect(Object.keys(INPUTS).toSorted()).toStrictEqual(OPERATIONS.map(({ id }) => id).toSorted());
});

/** Every operation with every way in the long form, with two in the short one, which has each way. */
const CASES = OPERATIONS.flatMap((operation, index) =>
  Object.entries(WAYS)
    .filter((_, way) => longOrShort(true, (index + way) % 4 === 0))
    .map(([how, end]) => ({ operation, how, end })),
);

test.each(CASES)("$operation.id by a session that $how on the way", async ({ operation, end }) => {
  const isolate = await network.isolate();
  let n = 1;
  while (await callAndEnd(isolate, operation, end, n)) n += 1;
  expect(n).toBeGreaterThan(2);
});
