import { asc, eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import type { ListedKey } from "../../contract/keys.ts";
import { apiKeys } from "../../schema.ts";
import { findAccountByEmail } from "../../worker/accounts/accounts.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { accountCalls, NEW, newEmail, OWNERS } from "../account-calls.ts";
import { createAccount, createSession, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { addFactors, emailChanges, factorsOf } from "../email-change.ts";
import { startWorker } from "../harness.ts";
import { mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import { fromManyAddresses, pathOf, post, send } from "../requests.ts";

// What someone with the password does before the change of email, and what the reader of an old mailbox does after it.

const worker = startWorker();

const call = fromManyAddresses(worker);

const { me, signIn } = accountCalls({ fetch: call });
const { change, events, resetPassword, undo, undoFor } = emailChanges({ fetch: call });

async function verifyWith(apiKey: string): Promise<number> {
  return (await call("/api/v1/verify", post(apiKey, { number: "+442079460018" }))).status;
}

async function addKey(userId: string, name: string, at = Date.now(), limits = {}) {
  return (await insertApiKey({ db: worker.db, now: at, userId, mode: "live", name, ...limits })).apiKey;
}

/** The body of a session's call that succeeds. */
async function ask<Body>(path: string, init: RequestInit): Promise<Body> {
  const response = await call(path, init);
  const body = (await response.json()) as Body;
  expect([path, response.status < 300, body]).toStrictEqual([path, true, body]);
  return body;
}

/** Adds an authenticator app with a session. Returns a login's later code. */
async function addApp(token: string): Promise<() => string> {
  const { secret } = await ask<{ secret: string }>(pathOf("addTotp"), post(token, {}));
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  await ask(pathOf("confirmTotp"), post(token, { code: app.generate() }));
  return () => app.generate({ timestamp: Date.now() + 30_000 });
}

/** Logs in with the password and, if the account has one, the code of its authenticator app. */
async function logIn(email: string, password: string, code?: () => string): Promise<string> {
  const response = await call(pathOf("login"), post(null, { email, password }));
  const body = (await response.json()) as { token?: string; second_factor?: { challenge: string } };
  if (body.token !== undefined) return body.token;
  const proof = { challenge: body.second_factor!.challenge, code: code!() };
  return (await ask<{ token: string }>(pathOf("logInWithSecondFactor"), post(null, proof))).token;
}

/** What an undo link's page gets. */
async function undone(email: string): Promise<{ keys_with_changed_limits: object[] }> {
  return ask(pathOf("undoEmailChange"), post(null, { token: tokenIn(await undoFor(email)) }));
}

describe("an intruder with the password, before changing the email", () => {
  test.each([
    ["one session", async (token: string) => token],
    [
      "an earlier session that has ended",
      async (token: string, again: () => Promise<string>) => {
        await call(pathOf("logOut"), post(token, {}));
        return again();
      },
    ],
  ])("gains nothing from an app, a key, a cap, and an origin, from %s", async (_, next) => {
    const id = await createAccount(worker.db);
    const email = emailOf(id);
    const before = Date.now() - 20 * DAY_MS;
    const untouched = await addKey(id, "untouched", before);
    await addKey(id, "server", before, { monthlyCap: 500 });
    await addKey(id, "page", before, { monthlyCap: 500, allowedOrigins: ["https://shop.example"] });
    const rows = await worker.db.select().from(apiKeys).where(eq(apiKeys.userId, id)).orderBy(asc(apiKeys.name));
    const [page, server] = rows;

    const first = await logIn(email, PASSWORD);
    const code = await addApp(first);
    const { api_key: intruders } = await ask<{ api_key: string }>(
      pathOf("createApiKey"),
      post(first, { mode: "live", name: "intruder's" }),
    );
    const patch = (key: string, changes: object) =>
      ask(`${pathOf("listApiKeys")}/${key}`, send("PATCH", first, changes));
    await patch(server!.id, { monthly_cap: 90_000 });
    await patch(page!.id, { allowed_origins: ["https://shop.example", "https://evil.example"] });
    // What changes nothing, and a name, don't count.
    await patch(rows[2]!.id, { name: "renamed", monthly_cap: null });
    const session = await next(first, () => logIn(email, PASSWORD, code));
    await change(session, newEmail());

    const { keys_with_changed_limits: changed } = await undone(email);
    expect(changed).toStrictEqual([server, page].map((key) => ({ name: key!.name, mode: "live", hint: key!.hint })));
    expect(await resetPassword(email, NEW)).toBe(200);
    const { status, token } = await signIn(email, NEW);
    expect(status).toBe(200);
    await expect.poll(() => verifyWith(intruders)).toBe(401);
    expect(await verifyWith(untouched)).toBe(200);
    const { keys } = await ask<{ keys: ListedKey[] }>(pathOf("listApiKeys"), send("GET", token));
    const dated = keys.filter((key) => key.limits_changed_at !== null).map(({ name }) => name);
    expect([keys.length, dated.toSorted()]).toStrictEqual([3, ["page", "server"]]);
    await expect
      .poll(() => events(token))
      .toStrictEqual(
        expect.arrayContaining([
          "key_limits_changed server (live): cap 500 → 90,000",
          "key_limits_changed page (live): origins https://shop.example → https://shop.example, https://evil.example",
        ]),
      );
  });

  test("gains nothing from new recovery codes, and the owner's app stays required", async () => {
    const id = await createAccount(worker.db);
    await addFactors(worker.db, id, Date.now() - 20 * DAY_MS);
    const { token } = await createSession(worker.db, id);
    await ask(pathOf("replaceRecoveryCodes"), post(token, {}));
    await change(token, newEmail());
    await undone(emailOf(id));
    expect(await factorsOf(worker.db, id)).toStrictEqual({ totp: 1, passkeys: 1, codes: 0 });
  });
});

describe("an owner who has lost the old mailbox", () => {
  test("keeps the account from the person who reads it only by a factor from before, and gets a notice", async () => {
    const { id, email, token } = await createSignedIn(worker.db);
    const own = newEmail();
    await change(token, own);
    expect((await undo(await undoFor(email))).status).toBe(200);
    expect(await resetPassword(email, OWNERS)).toBe(200);
    expect((await signIn(email, OWNERS)).status).toBe(200);
    expect((await findAccountByEmail(worker.db, email))?.id).toBe(id);
    expect((await me(token)).status).toBe(401);
    const notice = await waitForMail(worker, own, /was undone$/);
    expect(notice.text).toContain("Hello,\n");
    expect(notice.text).not.toContain(email);

    const safe = await createSignedIn(worker.db);
    await addFactors(worker.db, safe.id, Date.now() - DAY_MS);
    await change(safe.token, newEmail());
    expect((await undo(await undoFor(safe.email))).status).toBe(200);
    expect(await resetPassword(safe.email, OWNERS)).toBe(200);
    const response = await call(pathOf("login"), post(null, { email: safe.email, password: OWNERS }));
    expect(await response.json()).toMatchObject({ code: "SECOND_FACTOR_REQUIRED" });
  });

  test("gets the notice at each address that an undo leaves", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const [second, third] = [newEmail(), newEmail()];
    await change(token, second);
    await change(token, third);
    for (const [previous, left] of [
      [second, third],
      [email, second],
    ] as const) {
      expect((await undo(await undoFor(previous))).status).toBe(200);
      await waitForMail(worker, left, /was undone$/);
    }
    const undoneAt = async (address: string) =>
      (await mailsTo(worker, address)).filter(({ subject }) => subject.endsWith("was undone")).length;
    expect([await undoneAt(email), await undoneAt(second), await undoneAt(third)]).toStrictEqual([0, 1, 1]);
  });

  test("gets the notice at the address that a change back leaves", async () => {
    const { email, token } = await createSignedIn(worker.db);
    const second = newEmail();
    await change(token, second);
    await change(token, email);
    await waitForMail(worker, second, /was undone$/);
    expect((await mailsTo(worker, second)).filter(({ subject }) => subject.endsWith("was changed"))).toStrictEqual([]);
  });
});
