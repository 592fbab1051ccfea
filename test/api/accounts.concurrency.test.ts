import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { emailTokens, registrations, users } from "../../schema.ts";
import type { AccountRow } from "../../worker/accounts/accounts.ts";
import { hashToken } from "../../worker/accounts/email-tokens.ts";
import { register } from "../../worker/accounts/register.ts";
import { createApiKey } from "../../worker/keys/api-keys.ts";
import { newId } from "../../worker/platform/random.ts";
import { activateTrial } from "../../worker/subscriptions/changes.ts";
import { createSignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";
import { post, send } from "../requests.ts";

const worker = startWorker();

/** How often each status occurred. */
function tally(responses: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function atOnce(times: number, request: () => Promise<Response>): Promise<Response[]> {
  return Promise.all(Array.from({ length: times }, request));
}

async function createToken(userId: string, purpose: "verify_email" | "reset_password"): Promise<string> {
  const token = newId("tok");
  const row = {
    id: newId("tok"),
    hash: hashToken(token),
    userId,
    purpose,
    createdAt: Date.now(),
    expiresAt: Date.now() + 60_000,
  };
  await worker.db.insert(emailTokens).values(row);
  return token;
}

describe("concurrent or repeated requests", () => {
  test("20 trial activations start one trial", async () => {
    const { token } = await createSignedIn(worker.db, { subscription: "none" });
    const responses = await atOnce(20, () => worker.fetch("/api/v1/account/subscriptions/trial", send("POST", token)));
    expect(tally(responses)).toStrictEqual({ 201: 1, 409: 19 });
  });

  test("a link checker that sends HEAD uses up no token", async () => {
    const { id } = await createSignedIn(worker.db, { verified: false });
    const token = await createToken(id, "verify_email");
    const path = `/api/v1/users/verify?token=${token}`;
    expect((await worker.fetch(path, { method: "HEAD" })).status).toBe(405);
    expect((await worker.fetch(path)).status).toBe(200);
  });

  test("20 uses of one verification token verify once", async () => {
    const { id } = await createSignedIn(worker.db, { verified: false });
    const token = await createToken(id, "verify_email");
    const responses = await atOnce(20, () => worker.fetch(`/api/v1/users/verify?token=${token}`));
    expect(tally(responses)).toStrictEqual({ 200: 1, 400: 19 });
  });

  test("25 concurrent registrations of one address leave one account and twenty pending", async () => {
    const { env, db } = worker;
    const email = "at.once@example.com";
    await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        register(ioOf({ env }), { name: `Person ${index}`, email, password: "a password of the tests" }),
      ),
    );
    const accounts = await db.select().from(users).where(eq(users.email, email));
    expect(accounts).toHaveLength(1);
    const rows = await db.select().from(registrations).where(eq(registrations.userId, accounts[0]!.id));
    expect(rows).toHaveLength(20);
  });

  test("20 uses of one reset token set one password", async () => {
    const { id, email } = await createSignedIn(worker.db);
    const token = await createToken(id, "reset_password");
    const passwords = Array.from({ length: 20 }, (_, index) => `password number ${index}`);
    const responses = await Promise.all(
      passwords.map((new_password) =>
        worker.fetch("/api/v1/users/password-reset/execute", post(null, { token, new_password })),
      ),
    );
    expect(tally(responses)).toStrictEqual({ 200: 1, 400: 19 });
    const winner = passwords[responses.findIndex(({ status }) => status === 200)]!;
    const signIn = await worker.fetch("/api/v1/auth/login", post(null, { email, password: winner }));
    expect(signIn.status).toBe(200);
    const unused = await worker.db.select().from(emailTokens).where(eq(emailTokens.userId, id));
    expect(unused.filter(({ usedAt }) => usedAt === null)).toStrictEqual([]);
  });

  test("30 key generations leave ten active keys", async () => {
    const { token } = await createSignedIn(worker.db);
    const responses = await atOnce(30, () => worker.fetch("/api/v1/account/api-keys", post(token, { mode: "test" })));
    expect(tally(responses)).toStrictEqual({ 201: 10, 409: 20 });
    const live = await worker.fetch("/api/v1/account/api-keys", post(token, { mode: "live" }));
    expect(live.status).toBe(201);
    await worker.fetch("/api/v1/account/api-keys?mode=test", send("DELETE", token));
    const again = await worker.fetch("/api/v1/account/api-keys", post(token, {}));
    expect(again.status).toBe(201);
  });

  test("20 revocations of one key revoke it once", async () => {
    const { token } = await createSignedIn(worker.db);
    const created = await worker.fetch("/api/v1/account/api-keys", post(token, {}));
    const { id } = (await created.json()) as { id: string };
    const responses = await atOnce(20, () => worker.fetch(`/api/v1/account/api-keys/${id}`, send("DELETE", token)));
    expect(tally(responses)).toStrictEqual({ 200: 1, 404: 19 });
  });
});

describe("an account deleted after its session was read", () => {
  const gone = { ...createdNowhere(), verifiedAt: 1 };

  function createdNowhere(): AccountRow {
    const id = newId("usr");
    const times = { verifiedAt: null, suspendedAt: null, meteredAt: null, ledgerBytes: null, createdAt: 1 };
    return { id, email: `${id}@checkline.example`, name: "Ada", passwordHash: "", sessionEpoch: 0, ...times };
  }

  const times = { createdAt: 1, lastUsedAt: 1, passwordAt: 1 };
  const session = { id: newId("ses"), userId: gone.id, account: gone, epoch: 0, browser: "", country: null, ...times };

  test.each([
    ["generates no key", () => createApiKey(ioOf(worker), session, { mode: "test", name: "test" })],
    ["starts no trial", () => activateTrial(ioOf(worker), session)],
  ])("%s, and learns that the session has ended", async (_, call) => {
    await expect(call()).rejects.toMatchObject({ code: "SESSION_EXPIRED" });
  });
});
