import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { describe, test } from "vitest";
import { generateKey, hashKey } from "../../worker/keys/key-format.ts";
import { createSession } from "../factories.ts";
import type { SessionOptions } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { createBystanders, expectRejection, MODE, REQUIRED, testRejections, UNKNOWN } from "../malformed.ts";
import type { Case } from "../malformed.ts";
import { pathOf, post, send } from "../requests.ts";

const worker = startWorker();
const them = createBystanders(worker);

const DAYS = "Must be a whole number from 1 to 366";
const ONCE = "Must appear only once";

/** An invalid query; `fields` is null for a well-formed one that is rejected as a token. */
function query(method: "GET" | "DELETE", path: string, search: string, fields: Record<string, string> | null): Case {
  return {
    name: `${method} ${path}${search.length > 100 ? `${search.slice(0, 40)}…` : search}`,
    path: path + search,
    request: () => send(method, path === pathOf("verifyEmail") ? null : them.ada.token),
    status: 400,
    code: fields === null ? "TOKEN_INVALID" : "VALIDATION_FAILED",
    ...(fields !== null && { fields }),
  };
}

function modeQueries(method: "GET" | "DELETE", path: string): Case[] {
  return [
    ...["", "TEST", "prod", "test,live", "null", "%00", "%E0%A4%A", "test'%20OR%20'1'='1"].map((mode) =>
      query(method, path, `?mode=${mode}`, { mode: MODE }),
    ),
    query(method, path, "?mode", { mode: MODE }),
    query(method, path, "?mode=test&mode=live", { mode: ONCE }),
    query(method, path, "?mode=live&mode=live", { mode: ONCE }),
    query(method, path, "?Mode=test", { Mode: UNKNOWN }),
    query(method, path, "?mode=test&user_id=1&all=true", { user_id: UNKNOWN, all: UNKNOWN }),
    query(method, path, "?a=1&a=2&mode=test&mode=test", { a: UNKNOWN, mode: ONCE }),
    query(method, path, "?__proto__=x", Object.fromEntries([["__proto__", UNKNOWN]])),
    query(method, path, "?constructor=x&toString=x", { constructor: UNKNOWN, toString: UNKNOWN }),
    query(method, path, "?mode[]=test", { "mode[]": UNKNOWN }),
    query(method, path, `?${"x".repeat(200)}=1`, { [`${"x".repeat(64)}…`]: UNKNOWN }),
    query(method, path, "?a%0Ab=1", { "a\ufffdb": UNKNOWN }),
  ];
}

const TOKENS = ["x", "x".repeat(200), "'%20OR%201=1%20--", "%00", "%F0%9F%94%91", "%E0%A4%A", "tok_0000", "null"];

const QUERY_CASES: readonly Case[] = [
  query("GET", pathOf("verifyEmail"), "", { token: REQUIRED }),
  query("GET", pathOf("verifyEmail"), "?token", { token: "Token is required" }),
  query("GET", pathOf("verifyEmail"), "?token=", { token: "Token is required" }),
  query("GET", pathOf("verifyEmail"), `?token=${"x".repeat(201)}`, { token: "Too long" }),
  query("GET", pathOf("verifyEmail"), `?token=${"x".repeat(8_000)}`, { token: "Too long" }),
  query("GET", pathOf("verifyEmail"), "?token=x&token=y", { token: ONCE }),
  query("GET", pathOf("verifyEmail"), "?Token=x", { token: REQUIRED, Token: UNKNOWN }),
  query("GET", pathOf("verifyEmail"), "?token=x&email=ada@example.com", { email: UNKNOWN }),
  ...TOKENS.map((token) => query("GET", pathOf("verifyEmail"), `?token=${token}`, null)),
  ...modeQueries("GET", pathOf("usageSummary")),
  ...modeQueries("GET", pathOf("usageReport")),
  ...modeQueries("DELETE", pathOf("createApiKey")),
  ...["", "0", "-1", "367", "1.5", "abc", "1e3", "0x10", "%2B7", "%207", "1000", "NaN", "٧", "7;DROP"].map((days) =>
    query("GET", pathOf("usageReport"), `?days=${days}`, { days: DAYS }),
  ),
  query("GET", pathOf("usageReport"), "?days=7&days=30", { days: ONCE }),
  query("GET", pathOf("usageReport"), "?days=0&mode=x&day=1", { days: DAYS, mode: MODE, day: UNKNOWN }),
  query("GET", pathOf("usageSummary"), "?days=7", { days: UNKNOWN }),
  query("DELETE", pathOf("createApiKey"), "?days=7", { days: UNKNOWN }),
];

/** Ids that are neither an active key nor a session of the account. */
const IDS: readonly (readonly [string, () => string])[] = [
  ["another account's key", () => them.othersKey.id],
  ["a revoked key", () => them.revokedKey.id],
  ["the account's own id", () => them.ada.id],
  ["the key itself", () => them.adasKey.apiKey],
  ["the key's hash", () => hashKey(them.adasKey.apiKey)],
  ["the key's hint", () => them.adasKey.hint],
  ["an id in other letters", () => them.adasKey.id.toUpperCase()],
  ["an id cut short", () => them.adasKey.id.slice(0, -1)],
  ["an id with a space", () => `${them.adasKey.id}%20`],
  ["an id nobody has", () => `key_${"0".repeat(20)}`],
  ["a wildcard", () => "%25"],
  ["an asterisk", () => "*"],
  ["a number", () => "1"],
  ["NUL", () => "%00"],
  ["broken percent encoding", () => "%E0%A4%A"],
  ["an emoji", () => "%F0%9F%94%91"],
  ["SQL", () => "'%20OR%20'1'='1"],
  ["a way up", () => "..%2F..%2Faccount"],
  ["4000 characters", () => "x".repeat(4_000)],
];

/** The account operations, by path. */
const OPERATIONS = Map.groupBy(
  ENDPOINTS.filter(({ tag }) => tag === "Accounts" || tag === "Dashboard"),
  ({ path }) => path.replace("{id}", "key_1"),
);

const SESSION_OPERATIONS = [...OPERATIONS].flatMap(([path, endpoints]) =>
  endpoints
    .filter(({ credential }) => credential === "session")
    .map(({ method }) => [method.toUpperCase(), path] as const),
);

function wrongMethod(path: string, method: string, allow: readonly string[]): Case {
  const request = () => ({ method, headers: { Authorization: `Bearer ${them.ada.token}` } });
  return { name: `${method} ${path}`, path, request, status: 405, code: "METHOD_NOT_ALLOWED", allow };
}

const METHODS = [...OPERATIONS].map(([path, endpoints]) => {
  const methods = endpoints.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  return [path, methods.toSorted()] as const;
});

const OTHER_CASES: readonly Case[] = [
  ...IDS.map(([name, id]) => ({
    name: `DELETE ${pathOf("createApiKey")}/{id}, ${name}`,
    get path() {
      return `${pathOf("createApiKey")}/${id()}`;
    },
    request: () => send("DELETE", them.ada.token),
    status: 404,
    code: "NOT_FOUND",
  })),
  ...IDS.map(([name, id]) => ({
    name: `DELETE ${pathOf("listSessions")}/{id}, ${name}`,
    get path() {
      return `${pathOf("listSessions")}/${id()}`;
    },
    request: () => send("DELETE", them.ada.token),
    status: 404,
    code: "NOT_FOUND",
  })),
  ...SESSION_OPERATIONS.map(([method, path]) => ({
    name: `${method} ${path} without a session`,
    path,
    request: () => send(method, null),
    status: 401,
    code: "UNAUTHENTICATED",
  })),
  // Any page can read the quota, after a preflight.
  ...METHODS.flatMap(([path, allow]) =>
    ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]
      .filter((method) => !allow.includes(method) && !(method === "OPTIONS" && path === pathOf("quota")))
      // An id could be called "options".
      .filter((method) => !(method === "DELETE" && path === pathOf("passkeyOptions")))
      .map((method) => wrongMethod(path, method, allow)),
  ),
  ...[
    `${pathOf("login")}/`,
    `${pathOf("createApiKey")}/`,
    `${pathOf("deleteAccount")}/`,
    `${pathOf("deleteAccount")}/nothing`,
    "/api/v1/auth",
    "/api/v1/users",
  ].map((path) => ({
    name: `POST ${path}`,
    path,
    request: () => post(them.ada.token, {}),
    status: 404,
    code: "NOT_FOUND",
  })),
];

describe("malformed queries, ids, methods, and paths", () => {
  testRejections(worker, them, [...QUERY_CASES, ...OTHER_CASES]);
});

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

async function sessionOf(userId: string, options: SessionOptions): Promise<string> {
  return (await createSession(worker.db, userId, options)).token;
}

/** The token with another payload under the same signature. */
function forged(token: string, userId: string): string {
  const [header, payload = "", signature] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
  return [header, base64url({ ...claims, sub: userId }), signature].join(".");
}

const CLAIMS = {
  sub: "usr_1",
  sid: "ses_1",
  password_at: 1,
  iss: "checkline",
  aud: "checkline-dashboard",
  exp: 9_999_999_999,
};

const SESSIONS: readonly (readonly [string, () => string | Promise<string>, string])[] = [
  ["garbage", () => "garbage", "UNAUTHENTICATED"],
  ["three dots", () => "...", "UNAUTHENTICATED"],
  ["two sessions", () => `${them.ada.token} ${them.other.token}`, "UNAUTHENTICATED"],
  ["an API key", () => them.adasKey.apiKey, "UNAUTHENTICATED"],
  ["an API key nobody has", () => generateKey("live"), "UNAUTHENTICATED"],
  ["an unsigned session", () => `${base64url({ alg: "none" })}.${base64url(CLAIMS)}.`, "UNAUTHENTICATED"],
  ["a signature that is none", () => `${base64url({ alg: "HS256" })}.${base64url(CLAIMS)}.c2ln`, "UNAUTHENTICATED"],
  ["an unknown critical header", () => `${base64url({ alg: "HS256", crit: ["x"], x: 1 })}.e30.c2ln`, "UNAUTHENTICATED"],
  ["another account in a signed session", () => forged(them.ada.token, them.other.id), "UNAUTHENTICATED"],
  ["a session cut short", () => them.ada.token.slice(0, -2), "UNAUTHENTICATED"],
  ["another secret", () => sessionOf(them.ada.id, { secret: "x".repeat(32) }), "UNAUTHENTICATED"],
  ["8 KB of session", () => "x".repeat(8_000), "UNAUTHENTICATED"],
  ["a session of last week", () => sessionOf(them.ada.id, { at: Date.now() - 8 * 86_400_000 }), "SESSION_EXPIRED"],
];

describe("an invalid session", () => {
  test.each(SESSIONS)("%s", async (name, token, code) => {
    const response = await worker.fetch(pathOf("me"), send("GET", await token()));
    await expectRejection(response, { name, path: pathOf("me"), request: () => ({}), status: 401, code });
  });
});
