import type * as Crypto from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { CHANGES_PER_HOUR, SESSION_CALLS_PER_MINUTE } from "../../contract/limits.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import { from, newAddress, startAttempts, WRONG } from "../attempts.ts";
import { keyedHash } from "../../worker/platform/hash.ts";
import { PASSWORD } from "../factories.ts";
import { pathOf, post, send } from "../requests.ts";
import { skip } from "./clock.ts";
import { TEST_SECRETS } from "../worker.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const hashes = vi.hoisted(() => ({ count: 0 }));

/** Counts hashes, and makes them as cheap as the shared worker's (test/cheap-scrypt.ts). */
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof Crypto>();
  const scrypt = ((password, salt, length, options: object, done) => {
    hashes.count += 1;
    crypto.scrypt(password, salt, length, { ...options, N: 1024, p: 1 }, done);
  }) as typeof Crypto.scrypt;
  return { ...crypto, scrypt };
});

const network = startNetwork();
const { counted, setCount } = startAttempts(network.worker);

const HOUR = 3_600_000;
const HOME = "198.18.0.1";
const ME = "/api/v1/account/me";
const KEYS = "/api/v1/account/api-keys";

let isolate: NetworkIsolate;
let caller: Caller;

beforeEach(async () => {
  isolate = await network.isolate();
  caller = await network.caller();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(method: string, path: string, body?: object, address = HOME, token = caller.token) {
  const response = await isolate.fetch(path, send(method, token, body, from(address)));
  const answer = (await response.json()) as Answer["body"];
  return { status: response.status, headers: response.headers, body: answer };
}

/** Makes a call this many times at once. @returns how many succeeded */
async function hammer(times: number, make: () => Promise<{ readonly status: number }>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: times }, make));
  return answers.filter(({ status }) => status === 200).length;
}

describe("calls of a session", () => {
  test("beyond the limit are rejected before the account's data is read, until a minute has passed", async () => {
    expect(await hammer(SESSION_CALLS_PER_MINUTE + 10, () => call("GET", ME))).toBe(SESSION_CALLS_PER_MINUTE);
    const rejected = await call("GET", ME);
    const wait = rejected.headers.get("Retry-After")!;
    expect(Number(wait)).toBeGreaterThan(30);
    expect(rejected.body).toStrictEqual({
      error: `The limit is 120 calls per minute. Try again in ${wait} seconds.`,
      code: "RATE_LIMITED",
    });
    expect(rejected.headers.get("RateLimit-Policy")).toBe('"calls";q=120;w=60');
    expect(rejected.headers.get("RateLimit")).toBe(`"calls";r=0;t=${wait}`);
    isolate.calls.length = 0;
    expect((await call("GET", "/api/v1/account/reports/usage")).status).toBe(429);
    // One query for the session, and no ledger.
    expect(isolate.calls).toStrictEqual(["backstop", "d1"]);
    const other = await network.caller();
    expect((await call("GET", ME, undefined, undefined, other.token)).status).toBe(200);
    skip(60_000);
    const again = await call("GET", ME);
    expect(again.status).toBe(200);
    expect(again.headers.get("RateLimit")).toMatch(/^"calls";r=\d+;t=\d+$/);
  });

  test("are exchanged between isolates, less often than those with keys, and never written to D1", async () => {
    const other = await network.isolate();
    const elsewhere = () => other.fetch(ME, send("GET", caller.token));
    await hammer(110, () => call("GET", ME));
    await hammer(110, elsewhere);
    skip(20_000);
    await call("GET", ME);
    await isolate.settled();
    await elsewhere();
    await other.settled();
    skip(50_000);
    const admitted = await hammer(SESSION_CALLS_PER_MINUTE, elsewhere);
    expect(admitted).toBeGreaterThan(20);
    // Without the exchange, the isolate would admit all.
    expect(admitted).toBeLessThan(100);
    const names = Map.groupBy(isolate.calls, (name) => name);
    expect([...names].map(([name, { length }]) => [name, length])).toStrictEqual([
      ["backstop", 111],
      // The session, and the change of email that waits.
      ["d1", 222],
      ["kv.get", 1],
      ["kv.put", 1],
    ]);
  });

  test("from one address are also limited across accounts, before a lookup", async () => {
    const subject = keyedHash(TEST_SECRETS.attempts.current, "backstop-sessions", "192.0.2.7");
    network.faults.backstop = (asked) => asked === subject;
    isolate.calls.length = 0;
    const rejected = await call("GET", ME, undefined, "192.0.2.7");
    expect([rejected.status, rejected.headers.get("Retry-After")]).toStrictEqual([429, "60"]);
    expect(isolate.calls).toStrictEqual(["backstop"]);
    expect((await call("GET", ME, undefined, "192.0.2.8")).status).toBe(200);
  });

  test("for the quota count too, and its calls with a key don't", async () => {
    const quota = (token: string) => call("GET", "/api/v1/account/quota", undefined, undefined, token);
    expect((await quota(caller.token)).headers.get("RateLimit")).toMatch(/^"calls";r=119;t=\d+$/);
    expect((await quota(caller.key)).headers.get("RateLimit")).toMatch(/^"requests";r=59;/);
    expect((await call("GET", ME)).headers.get("RateLimit")).toMatch(/^"calls";r=118;t=\d+$/);
  });
});

describe("changes by a session", () => {
  const { changesPerAccount, changesPerAddress } = LIMITS;
  const rename = (address = HOME) => call("PATCH", "/api/v1/account", { name: "Ada" }, address);

  test("beyond the limit change and publish nothing, and revoking and canceling still work", async () => {
    const path = `${KEYS}/${caller.keyId}`;
    const change = () => call("PATCH", path, { monthly_cap: 1_000 });
    const first = await change();
    expect(first.headers.get("RateLimit")).toMatch(/^"calls";r=119;t=\d+, "changes";r=119;t=\d+$/);
    expect(first.headers.get("RateLimit-Policy")).toBe('"calls";q=120;w=60, "changes";q=120;w=3600');
    await setCount(CHANGES_PER_HOUR, changesPerAccount, caller.userId);
    await isolate.settled();
    isolate.calls.length = 0;
    const rejected = await change();
    expect(rejected.body["error"]).toBe("The limit is 120 changes per hour. Try again in 60 minutes.");
    expect(rejected.headers.get("Retry-After")).toMatch(/^3[56]\d\d$/);
    expect(rejected.headers.get("RateLimit")).toMatch(/"changes";r=0;t=3[56]\d\d$/);
    expect((await rename()).status).toBe(429);
    expect((await call("POST", KEYS, { mode: "test" })).status).toBe(429);
    expect(isolate.calls).not.toContain("kv.put");
    expect((await call("DELETE", path)).status).toBe(200);
    expect((await call("DELETE", pathOf("cancelEmailChange"))).status).toBe(200);
    skip(HOUR);
    expect((await rename()).status).toBe(200);
  });

  test("don't count when they are malformed", async () => {
    for (let made = 0; made < 3; made++) {
      expect((await call("PATCH", "/api/v1/account", { name: 1 })).status).toBe(400);
    }
    expect(await counted(changesPerAccount, caller.userId)).toBeUndefined();
    await rename();
    expect(await counted(changesPerAccount, caller.userId)).toBe(1);
  });

  test("from one address are limited across accounts", async () => {
    const address = newAddress();
    expect((await rename(address)).status).toBe(200);
    await setCount(changesPerAddress.max, changesPerAddress, address);
    expect((await rename(address)).status).toBe(429);
    expect(await counted(changesPerAccount, caller.userId)).toBe(1);
    expect((await rename(newAddress())).status).toBe(200);
  });
});

describe("right passwords", () => {
  const { passwordPerAccount, rightPasswordPerAccount, anyPasswordPerAddress } = LIMITS;

  async function logIn(password: string, address: string, email = caller.email): Promise<Answer> {
    const response = await isolate.fetch("/api/v1/auth/login", post(null, { email, password }, from(address)));
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer["body"] };
  }

  test("beyond the limit of their account are rejected before a hash, wherever they are given", async () => {
    const { token } = (await logIn(PASSWORD, newAddress())).body as { token: string };
    await setCount(rightPasswordPerAccount.max - 1, rightPasswordPerAccount, caller.email);
    const home = newAddress();
    expect((await logIn(PASSWORD, home)).status).toBe(200);
    [hashes.count, isolate.calls.length] = [0, 0];
    expect((await logIn(PASSWORD, home)).status).toBe(429);
    // The known address, and the count. Nothing looks the account up.
    expect(isolate.calls).toStrictEqual(["backstop", "d1", "d1"]);
    for (const [path, body] of [
      ["/api/v1/auth/confirm-password", { password: PASSWORD }],
      ["/api/v1/users/change-password", { old_password: PASSWORD, new_password: "password123" }],
    ] as const) {
      expect((await call("POST", path, body, newAddress(), token)).status).toBe(429);
    }
    expect(hashes.count).toBe(0);
    const other = await network.caller();
    expect((await logIn(PASSWORD, home, other.email)).status).toBe(200);
    skip(HOUR);
    expect((await logIn(PASSWORD, home)).status).toBe(200);
  });

  test("of the owner are not affected by guesses from anywhere", async () => {
    expect((await logIn(PASSWORD, HOME)).status).toBe(200);
    for (let guess = 0; guess < 3; guess++) expect((await logIn(WRONG, newAddress())).status).toBe(401);
    expect(await counted(rightPasswordPerAccount, caller.email)).toBe(1);
    // Even if every guess that is allowed were in flight, or cut off before it is refunded.
    expect(rightPasswordPerAccount.max).toBeGreaterThan(passwordPerAccount.max);
  });

  test("and wrong ones count by address, across accounts", async () => {
    const address = newAddress();
    expect((await logIn(WRONG, address)).status).toBe(401);
    expect((await logIn(PASSWORD, address)).status).toBe(200);
    expect(await counted(anyPasswordPerAddress, address)).toBe(2);
    await setCount(anyPasswordPerAddress.max, anyPasswordPerAddress, address);
    hashes.count = 0;
    expect((await logIn(PASSWORD, address, (await network.caller()).email)).status).toBe(429);
    expect(hashes.count).toBe(0);
    expect((await logIn(PASSWORD, newAddress())).status).toBe(200);
  });
});
