import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { apiKeys, users } from "../../schema.ts";
import { issueSession } from "../../worker/accounts/sessions.ts";
import { generateKey, hashKey } from "../../worker/keys/key-format.ts";
import { createApiKey } from "../../worker/keys/create-api-key.ts";
import type { NewApiKey } from "../../worker/keys/create-api-key.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post, send } from "../requests.ts";
import { TEST_SETTINGS } from "../worker.ts";

const worker = startWorker();

const LOGIN = "/api/v1/auth/login";
const REGISTER = "/api/v1/users/register";
const VERIFY = "/api/v1/users/verify";
const RESEND = "/api/v1/users/verify/resend";
const CHANGE = "/api/v1/users/change-password";
const RESET = "/api/v1/users/password-reset/request";
const EXECUTE = "/api/v1/users/password-reset/execute";
const ACCOUNT = "/api/v1/account";
const ME = `${ACCOUNT}/me`;
const REVOKE_SESSIONS = `${ACCOUNT}/sessions/revoke`;
const SUBSCRIPTION = `${ACCOUNT}/subscription`;
const TRIAL = `${ACCOUNT}/subscriptions/trial`;
const KEYS = `${ACCOUNT}/api-keys`;
const SUMMARY = `${ACCOUNT}/reports/summary`;
const USAGE = `${ACCOUNT}/reports/usage`;

/** Made before the first test: malformed requests must leave both accounts as they are. */
let ada: SignedIn;
let other: SignedIn;
let adasKey: NewApiKey;
let othersKey: NewApiKey;
let revokedKey: NewApiKey;

async function newKey(userId: string): Promise<NewApiKey> {
  return createApiKey({ db: worker.db, now: Date.now(), userId, mode: "test", name: "test" });
}

beforeAll(async () => {
  ada = await createSignedIn(worker.db);
  other = await createSignedIn(worker.db);
  adasKey = await newKey(ada.id);
  othersKey = await newKey(other.id);
  revokedKey = await newKey(ada.id);
  await worker.db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.id, revokedKey.id));
});

interface Case {
  readonly name: string;
  readonly path: string;
  /** Made late, because accounts exist only once the worker runs. */
  readonly request: () => RequestInit;
  readonly status: number;
  readonly code: string;
  /** Exactly these, where the form is wrong. */
  readonly fields?: Record<string, string>;
  /** The methods of the Allow header, where the method is wrong. */
  readonly allow?: readonly string[];
}

/** An operation that takes a body, with a body that would do. */
interface BodyRoute {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly session: boolean;
  readonly valid: Record<string, unknown>;
  /** What an empty object lacks; absent where it is a request. */
  readonly required?: Record<string, string>;
}

const REQUIRED = "Required";
const STRING = "Must be a string";
const UNKNOWN = "Unknown field";
const MODE = "Must be test or live";
const DAYS = "Must be a whole number from 1 to 366";
const ONCE = "Must be given once";
const EMAIL = "Must be an email address";
const NEW_PASSWORD = "a password nobody has";

const BODY_ROUTES: readonly BodyRoute[] = [
  {
    method: "POST",
    path: LOGIN,
    session: false,
    valid: { email: "nobody@example.com", password: NEW_PASSWORD },
    required: { email: REQUIRED, password: REQUIRED },
  },
  {
    method: "POST",
    path: REGISTER,
    session: false,
    valid: { name: "Nobody", email: "nobody@example.com", password: NEW_PASSWORD },
    required: { name: REQUIRED, email: REQUIRED, password: REQUIRED },
  },
  {
    method: "POST",
    path: CHANGE,
    session: true,
    valid: { old_password: PASSWORD, new_password: NEW_PASSWORD },
    required: { old_password: REQUIRED, new_password: REQUIRED },
  },
  {
    method: "POST",
    path: RESET,
    session: false,
    valid: { email: "nobody@example.com" },
    required: { email: REQUIRED },
  },
  {
    method: "POST",
    path: EXECUTE,
    session: false,
    valid: { token: "x".repeat(43), new_password: NEW_PASSWORD },
    required: { token: REQUIRED, new_password: REQUIRED },
  },
  {
    method: "DELETE",
    path: ACCOUNT,
    session: true,
    valid: { password: PASSWORD },
    required: { password: REQUIRED },
  },
  { method: "POST", path: KEYS, session: true, valid: { mode: "test", name: "Staging" } },
];

function route(method: "POST" | "DELETE", path: string): BodyRoute {
  return BODY_ROUTES.find((candidate) => candidate.method === method && candidate.path === path)!;
}

/** A request to a route whose body is sent as it is when it is a string. */
function sendTo({ method, session }: BodyRoute, body: unknown, headers?: Record<string, string>): RequestInit {
  return send(method, session ? ada.token : null, body, headers);
}

/** What no route with a body takes, whatever its fields. */
function everyBody(target: BodyRoute): Case[] {
  const { method, path, valid, required } = target;
  const named = (name: string) => ({ name: `${method} ${path}, ${name}`, path });
  const notJson = (name: string, content: string): Case => ({
    ...named(name),
    request: () => sendTo(target, content),
    status: 400,
    code: "INVALID_JSON",
  });
  const form = (name: string, content: unknown, fields: Record<string, string>): Case => ({
    ...named(name),
    request: () => sendTo(target, content),
    status: 400,
    code: "VALIDATION_FAILED",
    fields,
  });
  const media = (name: string, headers: Record<string, string>): Case => ({
    ...named(name),
    request: () => sendTo(target, valid, headers),
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
  });
  const tooLarge = (name: string, bytes: number): Case => ({
    ...named(name),
    request: () => sendTo(target, { ...valid, padding: "x".repeat(bytes) }),
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
  });
  const notAnObject = { body: "Must be an object" };
  return [
    { ...media("neither body nor media type", {}), request: () => sendTo(target, undefined) },
    notJson("an empty body", ""),
    notJson("a bare word", "hello"),
    notJson("a truncated object", JSON.stringify(valid).slice(0, -1)),
    form("null", "null", notAnObject),
    form("a string", '"hello"', notAnObject),
    form("an array", [], notAnObject),
    form("an array of what would do", [valid], notAnObject),
    ...(required === undefined ? [] : [form("an empty object", {}, required)]),
    form("two unknown fields", { ...valid, role: "admin", is_verified: true }, { role: UNKNOWN, is_verified: UNKNOWN }),
    form(
      "__proto__ and constructor",
      JSON.stringify(valid).replace("{", '{"__proto__":{"admin":true},"constructor":1,'),
      Object.fromEntries([
        ["__proto__", UNKNOWN],
        ["constructor", UNKNOWN],
      ]),
    ),
    form("everything inside __proto__", `{"__proto__":${JSON.stringify(valid)}}`, {
      ...Object.fromEntries([["__proto__", UNKNOWN]]),
      ...required,
    }),
    form(
      "every field null",
      Object.fromEntries(Object.keys(valid).map((field) => [field, null])),
      Object.fromEntries(Object.keys(valid).map((field) => [field, field === "mode" ? MODE : STRING])),
    ),
    form(
      "every field of another type",
      Object.fromEntries(Object.keys(valid).map((field, index) => [field, [1, true, ["x"], {}][index % 4]])),
      Object.fromEntries(Object.keys(valid).map((field) => [field, field === "mode" ? MODE : STRING])),
    ),
    media("text/plain", { "Content-Type": "text/plain" }),
    media("a form's media type", { "Content-Type": "application/x-www-form-urlencoded" }),
    media("JSON in UTF-16", { "Content-Type": "application/json; charset=utf-16" }),
    media("a compressed body", { "Content-Encoding": "gzip" }),
    tooLarge("9 KB", 9_000),
    tooLarge("1 MB", 1_000_000),
    {
      ...tooLarge("a stream of 20 KB without a declared length", 0),
      request: () =>
        ({ ...sendTo(target, "{}"), body: new Blob(["x".repeat(20_000)]).stream(), duplex: "half" }) as RequestInit,
    },
  ];
}

/** One field of an otherwise good body that will not do. */
function badField(target: BodyRoute, name: string, value: unknown, complaint: string, label?: string): Case {
  return {
    name: `${target.method} ${target.path}, ${name}: ${label ?? JSON.stringify(value)}`,
    path: target.path,
    request: () => sendTo(target, { ...target.valid, [name]: value }),
    status: 400,
    code: "VALIDATION_FAILED",
    fields: { [name]: complaint },
  };
}

/** A good form that is refused for what it says. */
function refused(target: BodyRoute, changes: Record<string, unknown>, status: number, code: string): Case {
  return {
    name: `${target.method} ${target.path}, ${JSON.stringify(changes)}`,
    path: target.path,
    request: () => sendTo(target, { ...target.valid, ...changes }),
    status,
    code,
  };
}

const TOO_LONG = "Must be at most 100 characters";
const CONTROLS = "Must not hold control characters";
const PASSWORD_SHORT = "Password must be at least 8 characters";
const PASSWORD_LONG = "Password must be at most 200 characters";
const EMAIL_LONG = "Must be at most 254 characters";

/** An address of so many characters, which is well-formed but for its length. */
function emailOfLength(length: number): string {
  const end = "@example.com";
  return "a".repeat(length - end.length) + end;
}

function emailCases(target: BodyRoute): Case[] {
  return [
    badField(target, "email", "", "Email is required"),
    badField(target, "email", "   ", "Email is required"),
    badField(target, "email", "ada.example.com", EMAIL),
    badField(target, "email", "@example.com", EMAIL),
    badField(target, "email", "ada@", EMAIL),
    badField(target, "email", "ada@localhost", EMAIL),
    badField(target, "email", "ada@b@example.com", EMAIL),
    badField(target, "email", "ada lovelace@example.com", EMAIL),
    badField(target, "email", "ada@exam ple.com", EMAIL),
    badField(target, "email", "ada@example.com, bob@example.com", EMAIL),
    badField(target, "email", "Ada <ada@example.com>", EMAIL),
    badField(target, "email", "ada@example.com\r\nBcc: bob@example.com", EMAIL),
    badField(target, "email", "ada\u0000@example.com", EMAIL),
    badField(target, "email", "\u212aelvin@example.com", EMAIL),
    badField(target, "email", "' OR 1=1 --", EMAIL),
    badField(target, "email", emailOfLength(255), EMAIL_LONG, "255 characters"),
    badField(target, "email", emailOfLength(5_000), EMAIL_LONG, "5000 characters"),
    badField(target, "email", ["ada@example.com"], STRING),
    badField(target, "email", { $ne: null }, STRING),
  ];
}

function newPasswordCases(target: BodyRoute, name: string): Case[] {
  return [
    badField(target, name, "", PASSWORD_SHORT),
    badField(target, name, "1234567", PASSWORD_SHORT),
    badField(target, name, "x".repeat(201), PASSWORD_LONG, "201 characters"),
    badField(target, name, "x".repeat(7_000), PASSWORD_LONG, "7000 characters"),
    badField(target, name, 12_345_678, STRING),
  ];
}

function claimedPasswordCases(target: BodyRoute, name: string): Case[] {
  return [
    badField(target, name, "", "Password is required"),
    badField(target, name, "x".repeat(201), PASSWORD_LONG, "201 characters"),
    badField(target, name, { length: 8 }, STRING),
  ];
}

function nameCases(target: BodyRoute): Case[] {
  return [
    badField(target, "name", "", "Name is required"),
    badField(target, "name", "  \t\n ", "Name is required"),
    badField(target, "name", "x".repeat(101), TOO_LONG, "101 characters"),
    badField(target, "name", "Ada\nLovelace", CONTROLS),
    badField(target, "name", "Ada\u0000", CONTROLS),
    badField(target, "name", "\u001b[31mAda", CONTROLS),
    badField(target, "name", "Ada\u0085", CONTROLS, "a C1 control character"),
  ];
}

const FIELD_CASES: readonly Case[] = [
  ...[LOGIN, REGISTER, RESET].flatMap((path) => emailCases(route("POST", path))),
  ...newPasswordCases(route("POST", REGISTER), "password"),
  ...newPasswordCases(route("POST", CHANGE), "new_password"),
  ...newPasswordCases(route("POST", EXECUTE), "new_password"),
  ...claimedPasswordCases(route("POST", LOGIN), "password"),
  ...claimedPasswordCases(route("POST", CHANGE), "old_password"),
  ...claimedPasswordCases(route("DELETE", ACCOUNT), "password"),
  ...nameCases(route("POST", REGISTER)),
  ...nameCases(route("POST", KEYS)),
  badField(route("POST", EXECUTE), "token", "", "Token is required"),
  badField(route("POST", EXECUTE), "token", "x".repeat(201), "Too long", "201 characters"),
  ...["", "TEST", "Live", "prod", "test ", "test' OR '1'='1", 1, ["test"]].map((mode) =>
    badField(route("POST", KEYS), "mode", mode, MODE),
  ),
  // Good forms that say the wrong thing. The accounts in them exist nowhere, so that no limit is reached.
  refused(route("POST", LOGIN), { password: "' OR '1'='1" }, 401, "INVALID_CREDENTIALS"),
  refused(route("POST", LOGIN), { password: "\u0000" }, 401, "INVALID_CREDENTIALS"),
  refused(route("POST", CHANGE), { old_password: "'; DROP TABLE users; --" }, 400, "WRONG_PASSWORD"),
  refused(route("DELETE", ACCOUNT), { password: PASSWORD.toUpperCase() }, 400, "WRONG_PASSWORD"),
  refused(route("POST", EXECUTE), {}, 400, "TOKEN_INVALID"),
  refused(route("POST", EXECUTE), { token: "' OR 1=1 --" }, 400, "TOKEN_INVALID"),
  refused(route("POST", EXECUTE), { token: "\u0000" }, 400, "TOKEN_INVALID"),
  refused(route("POST", EXECUTE), { token: "🔑" }, 400, "TOKEN_INVALID"),
];

/** A query that will not do; `fields` null for one of good form that is refused as a token. */
function query(method: "GET" | "DELETE", path: string, search: string, fields: Record<string, string> | null): Case {
  return {
    name: `${method} ${path}${search.length > 100 ? `${search.slice(0, 40)}…` : search}`,
    path: path + search,
    request: () => send(method, path === VERIFY ? null : ada.token),
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
  query("GET", VERIFY, "", { token: REQUIRED }),
  query("GET", VERIFY, "?token", { token: "Token is required" }),
  query("GET", VERIFY, "?token=", { token: "Token is required" }),
  query("GET", VERIFY, `?token=${"x".repeat(201)}`, { token: "Too long" }),
  query("GET", VERIFY, `?token=${"x".repeat(8_000)}`, { token: "Too long" }),
  query("GET", VERIFY, "?token=x&token=y", { token: ONCE }),
  query("GET", VERIFY, "?Token=x", { token: REQUIRED, Token: UNKNOWN }),
  query("GET", VERIFY, "?token=x&email=ada@example.com", { email: UNKNOWN }),
  ...TOKENS.map((token) => query("GET", VERIFY, `?token=${token}`, null)),
  ...modeQueries("GET", SUMMARY),
  ...modeQueries("GET", USAGE),
  ...modeQueries("DELETE", KEYS),
  ...["", "0", "-1", "367", "1.5", "abc", "1e3", "0x10", "%2B7", "%207", "1000", "NaN", "٧", "7;DROP"].map((days) =>
    query("GET", USAGE, `?days=${days}`, { days: DAYS }),
  ),
  query("GET", USAGE, "?days=7&days=30", { days: ONCE }),
  query("GET", USAGE, "?days=0&mode=x&day=1", { days: DAYS, mode: MODE, day: UNKNOWN }),
  query("GET", SUMMARY, "?days=7", { days: UNKNOWN }),
  query("DELETE", KEYS, "?days=7", { days: UNKNOWN }),
];

/** Ids that are no active key of the account. */
const IDS: readonly (readonly [string, () => string])[] = [
  ["another account's key", () => othersKey.id],
  ["a revoked key", () => revokedKey.id],
  ["the account's own id", () => ada.id],
  ["the key itself", () => adasKey.apiKey],
  ["the key's hash", () => hashKey(adasKey.apiKey)],
  ["the key's hint", () => adasKey.hint],
  ["an id in other letters", () => adasKey.id.toUpperCase()],
  ["an id cut short", () => adasKey.id.slice(0, -1)],
  ["an id with a space", () => `${adasKey.id}%20`],
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

const SESSION_OPERATIONS: readonly (readonly [string, string])[] = [
  ["POST", RESEND],
  ["POST", CHANGE],
  ["GET", ME],
  ["DELETE", ACCOUNT],
  ["POST", REVOKE_SESSIONS],
  ["GET", SUBSCRIPTION],
  ["POST", TRIAL],
  ["POST", KEYS],
  ["GET", KEYS],
  ["DELETE", KEYS],
  ["DELETE", `${KEYS}/key_1`],
  ["GET", SUMMARY],
  ["GET", USAGE],
  // Who is not signed in is not told what there is.
  ["PATCH", KEYS],
  ["GET", `${ACCOUNT}/nothing`],
];

function wrongMethod(path: string, method: string, allow: readonly string[]): Case {
  const request = () => ({ method, headers: { Authorization: `Bearer ${ada.token}` } });
  return { name: `${method} ${path}`, path, request, status: 405, code: "METHOD_NOT_ALLOWED", allow };
}

const READ = ["GET", "HEAD"];
const METHODS: readonly (readonly [string, readonly string[]])[] = [
  [LOGIN, ["POST"]],
  [REGISTER, ["POST"]],
  [VERIFY, READ],
  [RESEND, ["POST"]],
  [CHANGE, ["POST"]],
  [RESET, ["POST"]],
  [EXECUTE, ["POST"]],
  [ME, READ],
  [ACCOUNT, ["DELETE"]],
  [REVOKE_SESSIONS, ["POST"]],
  [SUBSCRIPTION, READ],
  [TRIAL, ["POST"]],
  [KEYS, ["DELETE", "GET", "HEAD", "POST"]],
  [`${KEYS}/key_1`, ["DELETE"]],
  [SUMMARY, READ],
  [USAGE, READ],
];

const OTHER_CASES: readonly Case[] = [
  ...IDS.map(([name, id]) => ({
    name: `DELETE ${KEYS}/{id}, ${name}`,
    get path() {
      return `${KEYS}/${id()}`;
    },
    request: () => send("DELETE", ada.token),
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
  ...METHODS.flatMap(([path, allow]) =>
    ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]
      .filter((method) => !allow.includes(method))
      .map((method) => wrongMethod(path, method, allow)),
  ),
  ...[`${LOGIN}/`, `${KEYS}/`, `${ACCOUNT}/`, `${ACCOUNT}/nothing`, "/api/v1/auth", "/api/v1/users"].map((path) => ({
    name: `POST ${path}`,
    path,
    request: () => post(ada.token, {}),
    status: 404,
    code: "NOT_FOUND",
  })),
];

const CASES: readonly Case[] = [...BODY_ROUTES.flatMap(everyBody), ...FIELD_CASES, ...QUERY_CASES, ...OTHER_CASES];

async function expectRefusal(response: Response, { status, code, fields, allow }: Case): Promise<void> {
  const answer = (await response.json()) as { error: string; code: string; fields?: Record<string, string> };
  expect({ status: response.status, code: answer.code }).toStrictEqual({ status, code });
  expect(answer.error).toMatch(/^[A-Z].*\.$/);
  expect(answer.fields).toStrictEqual(fields);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("WWW-Authenticate")).toBe(status === 401 ? "Bearer" : null);
  expect(response.headers.get("Allow")?.split(", ").toSorted()).toStrictEqual(allow);
}

describe("malformed requests about accounts", () => {
  // As text of their own, since names of fields would be cut off.
  const named = CASES.map(
    (malformed) => [`${malformed.name}: ${malformed.status} ${malformed.code}`, malformed] as const,
  );

  test.each(named)("%s", async (_, malformed) => {
    await expectRefusal(await worker.fetch(malformed.path, malformed.request()), malformed);
  });

  test("change nothing", async () => {
    const rows = await worker.db.select().from(users);
    expect(rows.map(({ id }) => id).toSorted()).toStrictEqual([ada.id, other.id].toSorted());
    expect(rows.map(({ sessionEpoch }) => sessionEpoch)).toStrictEqual([0, 0]);
    const active = await worker.db.select().from(apiKeys);
    const alive = active.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
    expect(alive.toSorted()).toStrictEqual([adasKey.id, othersKey.id].toSorted());
    const session = await worker.fetch(LOGIN, post(null, { email: ada.email, password: PASSWORD }));
    expect(session.status).toBe(200);
  });
});

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

async function sessionOf(userId: string, changes: { epoch?: number; secret?: string; now?: number } = {}) {
  const { epoch = 0, secret = TEST_SETTINGS.SESSION_SECRET, now = Date.now() } = changes;
  return (await issueSession({ userId, epoch }, secret, now)).token;
}

/** The token with another payload under the same signature. */
function forged(token: string, userId: string): string {
  const [header, payload = "", signature] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
  return [header, base64url({ ...claims, sub: userId }), signature].join(".");
}

const CLAIMS = { sub: "usr_1", epoch: 0, iss: "checkline", aud: "checkline-dashboard", exp: 9_999_999_999 };

const SESSIONS: readonly (readonly [string, () => string | Promise<string>, string])[] = [
  ["garbage", () => "garbage", "UNAUTHENTICATED"],
  ["three dots", () => "...", "UNAUTHENTICATED"],
  ["two sessions", () => `${ada.token} ${other.token}`, "UNAUTHENTICATED"],
  ["an API key", () => adasKey.apiKey, "UNAUTHENTICATED"],
  ["an API key nobody has", () => generateKey("live"), "UNAUTHENTICATED"],
  ["an unsigned session", () => `${base64url({ alg: "none" })}.${base64url(CLAIMS)}.`, "UNAUTHENTICATED"],
  ["a signature that is none", () => `${base64url({ alg: "HS256" })}.${base64url(CLAIMS)}.c2ln`, "UNAUTHENTICATED"],
  ["an unknown critical header", () => `${base64url({ alg: "HS256", crit: ["x"], x: 1 })}.e30.c2ln`, "UNAUTHENTICATED"],
  ["another account in a signed session", () => forged(ada.token, other.id), "UNAUTHENTICATED"],
  ["a session cut short", () => ada.token.slice(0, -2), "UNAUTHENTICATED"],
  ["another secret", () => sessionOf(ada.id, { secret: "x".repeat(32) }), "UNAUTHENTICATED"],
  ["8 KB of session", () => "x".repeat(8_000), "UNAUTHENTICATED"],
  ["a session of last week", () => sessionOf(ada.id, { now: Date.now() - 8 * 86_400_000 }), "SESSION_EXPIRED"],
  ["a session of another epoch", () => sessionOf(ada.id, { epoch: 1 }), "SESSION_EXPIRED"],
  ["an account that is gone", () => sessionOf("usr_gone"), "SESSION_EXPIRED"],
];

describe("a session that is none", () => {
  test.each(SESSIONS)("%s", async (name, token, code) => {
    const response = await worker.fetch(ME, send("GET", await token()));
    await expectRefusal(response, { name, path: ME, request: () => ({}), status: 401, code });
  });
});

/** Odd but good: what must not be refused. */
describe("odd requests are taken", () => {
  const NAMES = [
    "🦄 Ada 👩🏽‍💻",
    "Ὑπατία",
    "李雷",
    'O\'Brien "Bob" <b>',
    "Robert'); DROP TABLE users; --",
    "__proto__",
    "x".repeat(100),
  ];

  test.each(NAMES)("the name %j, with spaces around it", async (name) => {
    const email = `Odd.${NAMES.indexOf(name)}+Tag@Example.COM`;
    const answer = await worker.fetch(REGISTER, post(null, { name: `  ${name}\t`, email, password: "12345678" }));
    expect(answer.status).toBe(201);
    const stored = await worker.db.select().from(users).where(eq(users.email, email.toLowerCase())).get();
    expect(stored).toMatchObject({ name, verifiedAt: null });
  });

  const ADDRESSES = [
    ["  UPPER@EXAMPLE.COM ", "upper@example.com"],
    [emailOfLength(254), emailOfLength(254)],
    ["o'brien@xn--mnchen-3ya.de", "o'brien@xn--mnchen-3ya.de"],
    ["a_b-c.d@sub.example-site.co.uk", "a_b-c.d@sub.example-site.co.uk"],
  ] as const;

  test.each(ADDRESSES)("the address %j, stored in lower case", async (email, stored) => {
    const password = "🔑".repeat(100);
    const answer = await worker.fetch(REGISTER, post(null, { name: "Ada", email, password }));
    expect(answer.status).toBe(201);
    expect(await worker.db.select().from(users).where(eq(users.email, stored))).toHaveLength(1);
    const session = await worker.fetch(LOGIN, post(null, { email, password }));
    expect(session.status).toBe(200);
  });

  const KEY_BODIES = [
    [{}, { mode: "test", name: "Test key" }],
    [{ mode: "live" }, { mode: "live", name: "Live key" }],
    [{ name: " 🔑 '; DROP TABLE api_keys; -- " }, { mode: "test", name: "🔑 '; DROP TABLE api_keys; --" }],
  ] as const;

  test.each(KEY_BODIES)("a key of %j", async (body, expected) => {
    const owner = await createSignedIn(worker.db);
    const created = await worker.fetch(KEYS, post(owner.token, body));
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject(expected);
  });

  test("a JSON body that names its charset, and a Bearer in lower case", async () => {
    const init = post(null, { name: "x" }, { Authorization: `bearer ${ada.token}` });
    const headers = {
      ...(init.headers as Record<string, string>),
      "Content-Type": 'APPLICATION/JSON; charset="UTF-8"',
    };
    expect((await worker.fetch(KEYS, { ...init, headers })).status).toBe(201);
  });

  test.each(["1", "007", "366"])("a report of %s days", async (days) => {
    const report = await worker.fetch(`${USAGE}?days=${days}&mode=live`, send("GET", ada.token));
    expect(report.status).toBe(200);
    expect(((await report.json()) as { days: unknown[] }).days).toHaveLength(Number(days));
  });

  const BODILESS = [
    ["POST", RESEND, 202],
    ["GET", SUBSCRIPTION, 200],
    ["POST", TRIAL, 201],
    ["GET", KEYS, 200],
    ["POST", REVOKE_SESSIONS, 200],
  ] as const;

  test.each(BODILESS)("%s %s takes no body and no query, and ignores both", async (method, path, status) => {
    const verified = path !== RESEND;
    const account = await createSignedIn(worker.db, { subscription: "none", verified });
    const init = method === "GET" ? send(method, account.token) : send(method, account.token, '{"user_id": ');
    expect((await worker.fetch(`${path}?user_id=${ada.id}&mode=x`, init)).status).toBe(status);
  });
});
