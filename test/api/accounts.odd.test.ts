import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { registrations, users } from "../../schema.ts";
import { findAccountByEmail } from "../../worker/accounts/accounts.ts";
import { createSignedIn } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { tokenIn, waitForMail } from "../mailbox.ts";
import { fromManyAddresses, pathOf, post, send } from "../requests.ts";

const worker = startWorker();
const fetchFromMany = fromManyAddresses(worker);
const register = (init: RequestInit) => fetchFromMany(pathOf("register"), init);
let ada: SignedIn;

beforeAll(async () => {
  ada = await createSignedIn(worker.db);
});

/** Odd but valid: must not be rejected. */
describe("odd requests are accepted", () => {
  const NAMES = [
    "🦄 Ada 👩🏽‍💻",
    "Ὑπατία",
    "李雷",
    "ශ්\u200Dරී",
    'O\'Brien "Bob" <b>',
    "Robert'); DROP TABLE users; --",
    "__proto__",
    "x".repeat(100),
  ];

  test.each(NAMES)("the name %j, with spaces around it", async (name) => {
    const email = `Odd.${NAMES.indexOf(name)}+Tag@Example.COM`;
    const answer = await register(post(null, { name: `  ${name}\t`, email, password: "8 chars!" }));
    expect(answer.status).toBe(201);
    const account = await findAccountByEmail(worker.db, email.toLowerCase());
    expect(account).toMatchObject({ verifiedAt: null });
    const pending = await worker.db.select().from(registrations).where(eq(registrations.userId, account!.id));
    expect(pending).toMatchObject([{ name }]);
  });

  test.each(NAMES)("the name %j instead of another, and only of the caller's account", async (name) => {
    const [account, other] = [await createSignedIn(worker.db), ada];
    const answer = await worker.fetch(pathOf("renameAccount"), send("PATCH", account.token, { name: ` ${name}\t` }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id: account.id, name, email: account.email, is_verified: true });
    const stored = await worker.db.select().from(users).where(eq(users.id, account.id)).get();
    expect(stored).toMatchObject({ name });
    expect(await worker.db.select().from(users).where(eq(users.id, other.id)).get()).toMatchObject({ name: "Ada" });
  });

  const LONGEST = `${"a".repeat(254 - "@example.com".length)}@example.com`;
  const ADDRESSES = [
    ["  UPPER@EXAMPLE.COM ", "upper@example.com"],
    [LONGEST, LONGEST],
    ["o'brien@xn--mnchen-3ya.de", "o'brien@xn--mnchen-3ya.de"],
    ["a_b-c.d@sub.example-site.co.uk", "a_b-c.d@sub.example-site.co.uk"],
  ] as const;

  test.each(ADDRESSES)("the address %j, stored in lowercase", async (email, stored) => {
    const password = "🔑🗝".repeat(100);
    const answer = await register(post(null, { name: "Ada", email, password }));
    expect(answer.status).toBe(201);
    expect(await worker.db.select().from(users).where(eq(users.email, stored))).toHaveLength(1);
    const token = tokenIn(await waitForMail(worker, stored, /verify/i));
    expect((await worker.fetch(`${pathOf("verifyEmail")}?token=${token}`)).status).toBe(200);
    const session = await worker.fetch(pathOf("login"), post(null, { email, password }));
    expect(session.status).toBe(200);
  });

  const KEY_BODIES = [
    [{}, { mode: "test", name: "Test key" }],
    [{ mode: "live" }, { mode: "live", name: "Live key" }],
    [{ name: " 🔑 '; DROP TABLE api_keys; -- " }, { mode: "test", name: "🔑 '; DROP TABLE api_keys; --" }],
  ] as const;

  test.each(KEY_BODIES)("a key of %j", async (body, expected) => {
    const owner = await createSignedIn(worker.db);
    const created = await worker.fetch(pathOf("createApiKey"), post(owner.token, body));
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject(expected);
  });

  test("a JSON body that specifies its charset, and a lowercase Bearer", async () => {
    const init = post(null, { name: "x" }, { Authorization: `bearer ${ada.token}` });
    const headers = {
      ...(init.headers as Record<string, string>),
      "Content-Type": 'APPLICATION/JSON; charset="UTF-8"',
    };
    expect((await worker.fetch(pathOf("createApiKey"), { ...init, headers })).status).toBe(201);
  });

  test.each(["1", "007", "366"])("a report of %s days", async (days) => {
    const report = await worker.fetch(`${pathOf("usageReport")}?days=${days}&mode=live`, send("GET", ada.token));
    expect(report.status).toBe(200);
    expect(((await report.json()) as { days: unknown[] }).days).toHaveLength(Number(days));
  });

  const BODILESS = [
    ["GET", pathOf("subscription"), 200],
    ["POST", pathOf("activateTrial"), 201],
    ["GET", pathOf("createApiKey"), 200],
    ["GET", pathOf("listSessions"), 200],
    ["DELETE", pathOf("endOtherSessions"), 200],
  ] as const;

  test.each(BODILESS)("%s %s without a body or query ignores both", async (method, path, status) => {
    const account = await createSignedIn(worker.db, { subscription: "none" });
    const init = method === "GET" ? send(method, account.token) : send(method, account.token, '{"user_id": ');
    expect((await worker.fetch(`${path}?user_id=${ada.id}&mode=x`, init)).status).toBe(status);
  });
});
