import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { describe } from "vitest";
import { PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { createBystanders, MODE, REQUIRED, STRING, testRejections, UNKNOWN } from "../malformed.ts";
import type { Case } from "../malformed.ts";
import { pathOf, send } from "../requests.ts";

const worker = startWorker();
const them = createBystanders(worker);

/** An operation with a body, and a valid body for it. */
interface BodyRoute {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly session: boolean;
  readonly valid: Record<string, unknown>;
  /** The required fields; absent if an empty object is valid. */
  readonly required?: Record<string, string>;
}

const EMAIL = "Enter a valid email address";
const NEW_PASSWORD = "a password nobody has";

const BODY_ROUTES: readonly BodyRoute[] = [
  {
    method: "POST",
    path: pathOf("login"),
    session: false,
    valid: { email: "nobody@example.com", password: NEW_PASSWORD },
    required: { email: REQUIRED, password: REQUIRED },
  },
  {
    method: "POST",
    path: pathOf("register"),
    session: false,
    valid: { name: "Nobody", email: "nobody@example.com", password: NEW_PASSWORD },
    required: { name: REQUIRED, email: REQUIRED, password: REQUIRED },
  },
  {
    method: "POST",
    path: pathOf("changePassword"),
    session: true,
    valid: { old_password: PASSWORD, new_password: NEW_PASSWORD },
    required: { old_password: REQUIRED, new_password: REQUIRED },
  },
  {
    method: "POST",
    path: pathOf("requestPasswordReset"),
    session: false,
    valid: { email: "nobody@example.com" },
    required: { email: REQUIRED },
  },
  {
    method: "POST",
    path: pathOf("executePasswordReset"),
    session: false,
    valid: { token: "x".repeat(43), new_password: NEW_PASSWORD },
    required: { token: REQUIRED, new_password: REQUIRED },
  },
  {
    method: "POST",
    path: pathOf("confirmPassword"),
    session: true,
    valid: { password: PASSWORD },
    required: { password: REQUIRED },
  },
  { method: "POST", path: pathOf("createApiKey"), session: true, valid: { mode: "test", name: "Staging" } },
];

function route(method: "POST" | "DELETE", path: string): BodyRoute {
  return BODY_ROUTES.find((candidate) => candidate.method === method && candidate.path === path)!;
}

/** A request to a route. A string body is sent unchanged. */
function sendTo({ method, session }: BodyRoute, body: unknown, headers?: Record<string, string>): RequestInit {
  return send(method, session ? them.ada.token : null, body, headers);
}

/** Bodies that every route rejects, whatever its fields. */
function everyBody(target: BodyRoute): Case[] {
  const { method, path, valid, required } = target;
  const isOptional = ENDPOINTS.some(
    (endpoint) => endpoint.path === path && endpoint.method.toUpperCase() === method && endpoint.request?.optional,
  );
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
    ...(isOptional
      ? []
      : [
          { ...media("neither body nor media type", {}), request: () => sendTo(target, undefined) },
          notJson("an empty body", ""),
        ]),
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

/** An otherwise valid body with one invalid field. */
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

/** A well-formed body that is rejected for its content. */
function rejected(target: BodyRoute, changes: Record<string, unknown>, status: number, code: string): Case {
  return {
    name: `${target.method} ${target.path}, ${JSON.stringify(changes)}`,
    path: target.path,
    request: () => sendTo(target, { ...target.valid, ...changes }),
    status,
    code,
  };
}

const TOO_LONG = "Must be at most 100 characters";
const CONTROLS = "Must not contain control or format characters";
const PASSWORD_SHORT = "Password must be at least 8 characters";
const PASSWORD_LONG = "Password must be at most 256 characters";
const COMMON = "This password is too common. Choose another one";
const EMAIL_LONG = "Must be at most 254 characters";

/** An address of this length, well-formed otherwise. */
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
    badField(target, name, "x".repeat(257), PASSWORD_LONG, "257 characters"),
    badField(target, name, "x".repeat(7_000), PASSWORD_LONG, "7000 characters"),
    badField(target, name, "        ", "Password must not be only spaces"),
    badField(target, name, "xxxxxxxx", "Password must not be one character repeated"),
    badField(target, name, "a pass\nword", "Password must not contain control characters"),
    badField(target, name, 12_345_678, STRING),
  ];
}

function claimedPasswordCases(target: BodyRoute, name: string): Case[] {
  return [
    badField(target, name, "", "Password is required"),
    badField(target, name, "x".repeat(257), PASSWORD_LONG, "257 characters"),
    badField(target, name, { length: 8 }, STRING),
  ];
}

function nameCases(target: BodyRoute, empty: string): Case[] {
  return [
    badField(target, "name", "", empty),
    badField(target, "name", "  \t\n ", empty),
    badField(target, "name", "x".repeat(101), TOO_LONG, "101 characters"),
    badField(target, "name", "Ada\nLovelace", CONTROLS),
    badField(target, "name", "Ada\u0000", CONTROLS),
    badField(target, "name", "\u001b[31mAda", CONTROLS),
    badField(target, "name", "Ada\u0085", CONTROLS, "a C1 control character"),
    badField(target, "name", "Ada\u202Eecalevol", CONTROLS, "a right-to-left override"),
    badField(target, "name", "Ada\u2066", CONTROLS, "an isolate of a direction"),
    badField(target, "name", "A\u200Bda", CONTROLS, "a zero-width space"),
  ];
}

const FIELD_CASES: readonly Case[] = [
  ...[pathOf("login"), pathOf("register"), pathOf("requestPasswordReset")].flatMap((path) =>
    emailCases(route("POST", path)),
  ),
  ...newPasswordCases(route("POST", pathOf("register")), "password"),
  badField(route("POST", pathOf("register")), "password", "QWERTYUIOP", COMMON),
  badField(route("POST", pathOf("changePassword")), "new_password", "Password1", COMMON),
  ...newPasswordCases(route("POST", pathOf("changePassword")), "new_password"),
  ...newPasswordCases(route("POST", pathOf("executePasswordReset")), "new_password"),
  ...claimedPasswordCases(route("POST", pathOf("login")), "password"),
  ...claimedPasswordCases(route("POST", pathOf("changePassword")), "old_password"),
  ...claimedPasswordCases(route("POST", pathOf("confirmPassword")), "password"),
  ...nameCases(route("POST", pathOf("register")), "Name is required"),
  ...nameCases(route("POST", pathOf("createApiKey")), "Must not be empty"),
  badField(route("POST", pathOf("executePasswordReset")), "token", "", "Token is required"),
  badField(route("POST", pathOf("executePasswordReset")), "token", "x".repeat(201), "Too long", "201 characters"),
  ...["", "TEST", "Live", "prod", "test ", "test' OR '1'='1", 1, ["test"]].map((mode) =>
    badField(route("POST", pathOf("createApiKey")), "mode", mode, MODE),
  ),
  // Well-formed bodies with wrong content. Their accounts don't exist, so no limit is reached.
  rejected(route("POST", pathOf("login")), { password: "' OR '1'='1" }, 401, "INVALID_CREDENTIALS"),
  rejected(route("POST", pathOf("login")), { password: "\u0000" }, 401, "INVALID_CREDENTIALS"),
  rejected(route("POST", pathOf("changePassword")), { old_password: "'; DROP TABLE users; --" }, 400, "WRONG_PASSWORD"),
  rejected(route("POST", pathOf("confirmPassword")), { password: PASSWORD.toUpperCase() }, 400, "WRONG_PASSWORD"),
  rejected(route("POST", pathOf("executePasswordReset")), {}, 400, "TOKEN_INVALID"),
  rejected(route("POST", pathOf("executePasswordReset")), { token: "' OR 1=1 --" }, 400, "TOKEN_INVALID"),
  rejected(route("POST", pathOf("executePasswordReset")), { token: "\u0000" }, 400, "TOKEN_INVALID"),
  rejected(route("POST", pathOf("executePasswordReset")), { token: "🔑" }, 400, "TOKEN_INVALID"),
];

describe("malformed bodies", () => {
  testRejections(worker, them, [...BODY_ROUTES.flatMap(everyBody), ...FIELD_CASES]);
});
