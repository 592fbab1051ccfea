import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { ListedSession } from "../../contract/accounts.ts";
import { errorsOf } from "../../contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { MAX_SESSIONS } from "../../contract/limits.ts";
import { sessions } from "../../schema.ts";
import { beginSession } from "../../worker/accounts/sessions.ts";
import { findAccount } from "../../worker/accounts/accounts.ts";
import { endOtherSessions } from "../../worker/accounts/end-sessions.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf, sessionOf } from "../io.ts";
import { pathOf, post, send } from "../requests.ts";

const worker = startWorker();
const LOGOUT = pathOf("logOut");
const SESSIONS = pathOf("listSessions");
const ELEVEN_MINUTES = 11 * 60_000;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

let ada: SignedIn;

beforeEach(async () => {
  ada = await createSignedIn(worker.db);
});

/** Status and code of a response, such as "401 SESSION_EXPIRED", or "204". */
async function call(method: string, path: string, token: string, body?: unknown): Promise<string> {
  const response = await worker.fetch(path, send(method, token, body));
  const text = await response.text();
  const { code } = (text === "" ? {} : JSON.parse(text)) as { code?: string };
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

const open = (token: string) => call("GET", pathOf("me"), token);

async function list(token: string): Promise<ListedSession[]> {
  const response = await worker.fetch(SESSIONS, send("GET", token));
  return ((await response.json()) as { sessions: ListedSession[] }).sessions;
}

/** A session whose password was given too long ago. */
const stale = (userId: string) => createSession(worker.db, userId, { passwordAt: Date.now() - ELEVEN_MINUTES });

describe("logging in and out", () => {
  test("a login is a row, in words, by the hour; logging out deletes it, and a second time it has already ended", async () => {
    const before = Date.now();
    const init = post(null, { email: ada.email, password: PASSWORD }, { "User-Agent": FIREFOX });
    const { token } = (await (await worker.fetch(pathOf("login"), init)).json()) as { token: string };
    const begun = (await list(token)).find((session) => session.is_current);
    expect(begun).toMatchObject({ browser: "Firefox on Linux", is_current: true });
    expect(Date.parse(begun!.created_at)).toBeGreaterThanOrEqual(before);
    // The hour it was last used began before the session did.
    expect(begun!.last_used_at).toBe(begun!.created_at);
    expect(Object.keys(begun!)).toHaveLength(6);

    expect(await call("POST", LOGOUT, token)).toBe("204");
    expect(await worker.db.select().from(sessions).where(eq(sessions.id, begun!.id))).toStrictEqual([]);
    expect(await call("POST", LOGOUT, token)).toBe("401 SESSION_EXPIRED");
    expect(await open(token)).toBe("401 SESSION_EXPIRED");
    expect(await open(ada.token)).toBe("200");
  });

  test("twice concurrently ends it once, and ends nothing else", async () => {
    const { token } = await createSession(worker.db, ada.id);
    const results = await Promise.all([1, 2, 3].map(() => call("POST", LOGOUT, token)));
    expect(results).toContain("204");
    for (const result of results) expect(["204", "401 SESSION_EXPIRED"]).toContain(result);
    expect(await open(ada.token)).toBe("200");
  });

  test("the login over the account's maximum ends the least recently used session", async () => {
    const now = Date.now();
    const old = await createSession(worker.db, ada.id, { lastUsedAt: now - 5 * 3_600_000 });
    const account = (await findAccount(worker.db, ada.id))!;
    for (let begun = 2; begun < MAX_SESSIONS; begun++) await beginSession(ioOf(worker), account);
    expect(await open(old.token)).toBe("200");
    await worker.db
      .update(sessions)
      .set({ lastUsedAt: now - 5 * 3_600_000 })
      .where(eq(sessions.id, old.id));
    const { token } = await beginSession(ioOf(worker), account);
    expect(await open(old.token)).toBe("401 SESSION_EXPIRED");
    expect(await open(token)).toBe("200");
    expect(await list(token)).toHaveLength(MAX_SESSIONS);
  });

  test("a login whose account was erased or ended all sessions in the meantime grants nothing", async () => {
    const account = (await findAccount(worker.db, ada.id))!;
    const late = await beginSession(ioOf(worker), { ...account, sessionEpoch: account.sessionEpoch - 1 });
    const erased = await beginSession(ioOf(worker), { ...account, id: "usr_gone" });
    for (const { token } of [late, erased]) expect(await open(token)).toBe("401 SESSION_EXPIRED");
    expect(await list(ada.token)).toHaveLength(1);
  });
});

describe("ending sessions", () => {
  test("a listed one ends immediately; another account's, and one that has ended, don't exist", async () => {
    const other = await createSession(worker.db, ada.id, { browser: "Safari on iPhone", country: "DE" });
    const strangers = await createSession(worker.db, (await createSignedIn(worker.db)).id);
    const listed = await list(ada.token);
    expect(listed.find(({ id }) => id === other.id)).toMatchObject({ browser: "Safari on iPhone", country_code: "DE" });
    expect(listed.map(({ id }) => id)).not.toContain(strangers.id);
    expect(await call("DELETE", `${SESSIONS}/${other.id}`, ada.token)).toBe("200");
    expect(await open(other.token)).toBe("401 SESSION_EXPIRED");
    for (const { id } of [other, strangers]) {
      expect(await call("DELETE", `${SESSIONS}/${id}`, ada.token)).toBe("404 NOT_FOUND");
    }
    expect(await open(strangers.token)).toBe("200");
  });

  test("all others end while in use, and their later requests are rejected", async () => {
    const others = await Promise.all([1, 2, 3].map(() => createSession(worker.db, ada.id)));
    const used = others.map(async ({ token }) => {
      const seen: string[] = [];
      for (let asked = 0; asked < 20; asked++) seen.push(await open(token));
      return seen;
    });
    expect(await call("DELETE", SESSIONS, ada.token)).toBe("200");
    for (const seen of await Promise.all(used)) {
      expect(seen.at(-1)).toBe("401 SESSION_EXPIRED");
      // Once ended, it does not come back.
      expect(seen.join()).toMatch(/^(200,)*(401 SESSION_EXPIRED,?)+$/);
    }
    expect(await list(ada.token)).toHaveLength(1);
  });

  test("all others doesn't count those that had already ended", async () => {
    await createSession(worker.db, ada.id);
    const spent = await createSession(worker.db, ada.id);
    await worker.db.update(sessions).set({ epoch: -1 }).where(eq(sessions.id, spent.id));
    const response = await worker.fetch(SESSIONS, send("DELETE", ada.token));
    expect(await response.json()).toStrictEqual({ ended: 1 });
  });

  test("of two that end all others concurrently, one survives", async () => {
    const other = await createSession(worker.db, ada.id);
    const io = ioOf(worker);
    const both = await Promise.all([ada.token, other.token].map((token) => sessionOf(io, token)));
    const results = await Promise.allSettled(both.map((session) => endOtherSessions(io, session)));
    expect(results.map(({ status }) => status).toSorted()).toStrictEqual(["fulfilled", "rejected"]);
    const opened = await Promise.all([open(ada.token), open(other.token)]);
    expect(opened.toSorted()).toStrictEqual(["200", "401 SESSION_EXPIRED"]);
  });
});

describe("password confirmation", () => {
  test("is required by exactly these operations: not for revoking keys, the trial, or logging out", () => {
    const asking = ENDPOINTS.filter((endpoint) => errorsOf(endpoint).includes("PASSWORD_REQUIRED"));
    // What depends on the key: test/api/keys.password.test.ts.
    const some = ["changeApiKey", "createApiKey", "rollApiKey"];
    expect(
      asking
        .filter(({ password }) => password !== "recent")
        .map(({ id }) => id)
        .toSorted(),
    ).toStrictEqual(some);
    const always = asking.filter(({ password }) => password === "recent").map(({ id }) => id);
    expect(always.toSorted()).toStrictEqual([
      "addPasskey",
      "addTotp",
      "confirmEmailChange",
      "confirmTotp",
      "deleteAccount",
      "endOtherSessions",
      "endSession",
      "exportAccount",
      "passkeyOptions",
      "removePasskey",
      "removeTotp",
      "replaceRecoveryCodes",
      "requestEmailChange",
    ]);
  });

  test("is required after ten minutes, and gives the session a new token that invalidates the old one", async () => {
    const { id, token } = await stale(ada.id);
    for (const path of [SESSIONS, `${SESSIONS}/${id}`, pathOf("deleteAccount")]) {
      expect(await call("DELETE", path, token)).toBe("403 PASSWORD_REQUIRED");
    }
    expect(await call("GET", SESSIONS, token)).toBe("200");
    expect(await call("POST", pathOf("createApiKey"), token, { mode: "test" })).toBe("201");
    expect(await call("POST", pathOf("confirmPassword"), token, { password: "not it at all" })).toBe(
      "400 WRONG_PASSWORD",
    );
    expect(await call("DELETE", pathOf("deleteAccount"), token)).toBe("403 PASSWORD_REQUIRED");

    const confirmed = await worker.fetch(pathOf("confirmPassword"), post(token, { password: PASSWORD }));
    const next = (await confirmed.json()) as { token: string; expires_at: string };
    expect(await open(token)).toBe("401 SESSION_EXPIRED");
    expect((await list(next.token)).find((session) => session.is_current)).toMatchObject({ id });
    // The session's end is not extended.
    const row = await worker.db.select().from(sessions).where(eq(sessions.id, id)).get();
    expect(Math.abs(Date.parse(next.expires_at) - row!.createdAt - 7 * 86_400_000)).toBeLessThan(1000);
    expect(await call("DELETE", pathOf("deleteAccount"), next.token)).toBe("204");
    expect(await open(next.token)).toBe("401 SESSION_EXPIRED");
  });

  test("given twice concurrently leaves one working token", async () => {
    const { token } = await stale(ada.id);
    const responses = await Promise.all(
      [1, 2].map(() => worker.fetch(pathOf("confirmPassword"), post(token, { password: PASSWORD }))),
    );
    expect(responses.map(({ status }) => status).toSorted()).toStrictEqual([200, 401]);
    const { token: next } = (await responses.find(({ ok }) => ok)!.json()) as { token: string };
    expect(await open(next)).toBe("200");
  });

  test("is part of a password change, which ends every other session", async () => {
    const [{ id, token }, other] = [await stale(ada.id), await createSession(worker.db, ada.id)];
    const passwords = { old_password: PASSWORD, new_password: "another password" };
    const changed = await worker.fetch(pathOf("changePassword"), post(token, passwords));
    const { token: next } = (await changed.json()) as { token: string };
    for (const ended of [token, other.token, ada.token]) expect(await open(ended)).toBe("401 SESSION_EXPIRED");
    expect((await list(next)).map((session) => session.id)).toStrictEqual([id]);
    expect(await call("DELETE", SESSIONS, next)).toBe("200");
  });
});
