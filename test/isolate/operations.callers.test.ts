import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { CHANGES_PER_HOUR, SESSION_CALLS_PER_MINUTE } from "../../contract/limits.ts";
import { apiKeys, users } from "../../schema.ts";
import { generateKey } from "../../worker/keys/key-format.ts";
import { ADDRESS_LIMITS, LIMITS } from "../../worker/limits/table.ts";
import { newAddress, from, startAttempts } from "../attempts.ts";
import { createSession } from "../factories.ts";
import { everyOperation } from "../every-operation.ts";
import type { Operation } from "../every-operation.ts";
import { pathOf, send } from "../requests.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const network = startNetwork();
const { setCount } = startAttempts(network.worker);

const DAY = 86_400_000;

let isolate: NetworkIsolate;
let caller: Caller;

beforeEach(async () => {
  isolate = await network.isolate();
  caller = await network.caller("live", { plan: "pro" });
});

async function outcome({ path, search, request }: Operation, credential: string | null, address = newAddress()) {
  const response = await isolate.fetch(path + search, request(credential, undefined, from(address)));
  if (response.status < 400) return "served";
  const { code } = (await response.json()) as { code: string };
  if (response.status === 401) expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
  if (response.status === 429) expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  return `${response.status} ${code}`;
}

/** Credentials of others, which open nothing: what they are, and what is said of them where keys or sessions are due. */
async function rejectedCredentials() {
  const session = async (options: Parameters<typeof createSession>[2]) =>
    (await createSession(network.worker.db, caller.userId, options)).token;
  const [header, , signature] = caller.token.split(".");
  const claims = Buffer.from(JSON.stringify({ sub: caller.userId, sid: "ses_1" })).toString("base64url");
  const revoked = await network.anotherKey(caller.userId, "live");
  await network.worker.db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.id, revoked.id));
  const [noKey, unknownKey, noSession, ended] = [
    "401 UNAUTHENTICATED",
    "401 INVALID_API_KEY",
    "401 UNAUTHENTICATED",
    "401 SESSION_EXPIRED",
  ];
  return [
    { is: "none", credential: null, key: noKey, session: noSession },
    { is: "two", credential: `${caller.key} ${caller.token}`, key: noKey, session: noSession },
    { is: "SQL", credential: "' OR 1=1 --", key: noKey, session: noSession },
    { is: "garbage", credential: "garbage", key: unknownKey, session: noSession },
    { is: "8 KB", credential: "x".repeat(8_000), key: unknownKey, session: noSession },
    { is: "a key cut short", credential: caller.key.slice(0, -1), key: unknownKey, session: noSession },
    { is: "a key that nobody has", credential: generateKey("live"), key: unknownKey, session: noSession },
    { is: "a revoked key", credential: revoked.apiKey, key: "401 API_KEY_REVOKED", session: noSession },
    { is: "other claims", credential: `${header}.${claims}.${signature}`, key: unknownKey, session: noSession },
    {
      is: "an expired session",
      credential: await session({ at: Date.now() - 8 * DAY }),
      key: unknownKey,
      session: ended,
    },
    {
      is: "a session unused for a day",
      credential: await session({ lastUsedAt: Date.now() - DAY }),
      key: unknownKey,
      session: ended,
    },
  ];
}

const WITH_CREDENTIAL = everyOperation(({ credential }) => credential !== "none");

describe.each(WITH_CREDENTIAL)("%s", (_, operation) => {
  const { credential: accepted } = operation.endpoint;

  test("serves nobody without the credential that it accepts", async () => {
    const others = [
      ...(await rejectedCredentials()),
      { is: "an account's session", credential: caller.token, key: "401 INVALID_API_KEY", session: null },
      { is: "an account's key", credential: caller.key, key: null, session: "401 UNAUTHENTICATED" },
    ];
    for (const { is, credential, key, session } of others) {
      // Where both are accepted, what has the form of a session token is read as one.
      const isSession = accepted === "session" || (accepted === "any" && credential?.split(".").length === 3);
      const expected = isSession ? session : key;
      if (accepted === "any" && (is === "an account's session" || is === "an account's key")) continue;
      if (expected !== null) expect([is, await outcome(operation, credential)]).toStrictEqual([is, expected]);
    }
  });

  test("refuses a suspended account", async () => {
    await network.worker.db.update(users).set({ suspendedAt: Date.now() }).where(eq(users.id, caller.userId));
    for (const [kind, credential] of [["key", caller.key] as const, ["session", caller.token] as const]) {
      if (accepted === kind || accepted === "any") {
        expect([kind, await outcome(operation, credential)]).toStrictEqual([kind, "403 ACCOUNT_SUSPENDED"]);
      }
    }
  });
});

describe("a limit that is used up rejects every operation that counts toward it, and no other", () => {
  async function limited(credential: string, isMeant: Parameters<typeof everyOperation>[0]): Promise<string[]> {
    const rejected: string[] = [];
    for (const [name, operation] of everyOperation(isMeant)) {
      if ((await outcome(operation, credential)) === "429 RATE_LIMITED") rejected.push(name);
    }
    return rejected;
  }

  const named = (isMeant: Parameters<typeof everyOperation>[0]) => everyOperation(isMeant).map(([name]) => name);

  test("a session's calls", async () => {
    const calls = Array.from({ length: SESSION_CALLS_PER_MINUTE }, () =>
      isolate.fetch(pathOf("me"), send("GET", caller.token)),
    );
    expect((await Promise.all(calls)).map(({ status }) => status)).toStrictEqual(calls.map(() => 200));
    const rejected = await limited(caller.token, ({ credential }) => credential === "session");
    const isCounted = named(({ credential, rate }) => credential === "session" && rate !== "requests by account");
    expect(rejected).toStrictEqual(isCounted);
  });

  test("a session's changes", async () => {
    await isolate.fetch(pathOf("renameAccount"), send("PATCH", caller.token, { name: "Ada" }));
    await setCount(CHANGES_PER_HOUR, LIMITS.changesPerAccount, caller.userId);
    const rejected = await limited(caller.token, ({ rate }) => rate === "changes by account");
    expect(rejected).toStrictEqual(named(({ rate }) => rate === "changes by account"));
    expect(
      await limited(
        caller.token,
        ({ credential, method, rate }) => credential === "session" && method === "get" && rate === "calls by account",
      ),
    ).toStrictEqual([]);
  });

  test("an account's requests with keys", async () => {
    const { key } = await network.caller("live");
    const quota = () => isolate.fetch(pathOf("quota"), send("GET", key));
    for (let made = 0; made < 60; made++) expect((await quota()).status).toBe(200);
    const withKey = named(({ credential }) => credential === "key" || credential === "any");
    expect(await limited(key, ({ credential }) => credential === "key" || credential === "any")).toStrictEqual(withKey);
  });

  test.each(everyOperation(({ credential }) => credential === "none"))("an address's, for %s", async (_, operation) => {
    network.faults.backstop = () => true;
    expect(await outcome(operation, null)).toBe("429 RATE_LIMITED");
    network.faults.backstop = () => false;
    const { rate } = operation.endpoint;
    const address = newAddress();
    const exact = operation.endpoint.credential === "none" ? ADDRESS_LIMITS[operation.endpoint.rate].exact : [];
    for (const limit of exact) {
      expect([rate, await outcome(operation, null, address)]).not.toStrictEqual([rate, "429 RATE_LIMITED"]);
      await setCount(limit.max, limit, address);
      expect([rate, await outcome(operation, null, address)]).toStrictEqual([rate, "429 RATE_LIMITED"]);
    }
  });
});

/** The texts in a request, each also in the usual encodings. */
function secretsIn(body: unknown): string[] {
  if (typeof body === "string") return body.length > 5 ? [body, encodeURIComponent(body), btoa(body)] : [];
  return typeof body === "object" && body !== null ? Object.values(body).flatMap(secretsIn) : [];
}

test.each(everyOperation())("%s logs nothing of its request, whatever fails", async (_, operation) => {
  const { endpoint, path, request } = operation;
  const credential = operation.credentialOf(caller);
  const query = new URLSearchParams({ token: caller.token, email: caller.email });
  for (const fault of ["down", "takes no writes", "none"] as const) {
    network.faults.d1 = fault;
    for (const called of [path, `${path}?${query.toString()}`]) {
      const response = await isolate.fetch(called, request(credential));
      const text = await response.text();
      if (response.status === 500) {
        expect(JSON.parse(text)).toStrictEqual({ error: "Something went wrong on our side.", code: "INTERNAL_ERROR" });
      }
    }
  }
  await isolate.settled();
  const log = network.logs.join("\n");
  expect(log).toContain('"event":"request"');
  const secrets = secretsIn([
    endpoint.request?.example,
    caller.token,
    caller.key,
    caller.email,
    "key_00000000000000000000",
  ]);
  expect(secrets.filter((secret) => log.includes(secret))).toStrictEqual([]);
});
