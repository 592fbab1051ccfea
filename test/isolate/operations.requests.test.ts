import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import type { BodySchema } from "../../contract/body.ts";
import { jsonSchemaOf } from "../../contract/json-schema.ts";
import { MAX_BODY_BYTES } from "../../contract/limits.ts";
import { apiKeys } from "../../schema.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { everyOperation } from "../every-operation.ts";
import type { Operation } from "../every-operation.ts";
import { everyRow } from "../stored.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const network = startNetwork();

let isolate: NetworkIsolate;
let caller: Caller;

beforeEach(async () => {
  isolate = await network.isolate();
  // More requests per minute than any test makes.
  caller = await network.caller("live", { plan: "pro" });
});

interface Rejection {
  readonly code: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Sends a request that must be rejected as every rejection is. */
async function rejection(path: string, init: RequestInit, allow: string | null = null): Promise<string | Rejection> {
  const response = await isolate.fetch(path, init);
  const { error, code, fields, ...rest } = (await response.json()) as Rejection & { error: string };
  expect(error).toMatch(/^[A-Z].*\.$/);
  expect(rest).toStrictEqual({});
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("Allow")).toBe(allow);
  return fields === undefined ? `${response.status} ${code}` : { code, fields };
}

/** What is stored, besides counts of calls. */
async function stored(): Promise<string> {
  const rows = await everyRow(network.worker);
  return rows.replace(/^\[\{"subject":.*$/m, "[]");
}

/** The rejections of requests that need not, and so may not, write anything, by what is wrong with them. */
async function rejections(path: string, requests: Readonly<Record<string, RequestInit>>) {
  network.faults.d1 = "takes no writes";
  const outcomes: Record<string, string | Rejection> = {};
  for (const [wrong, init] of Object.entries(requests)) {
    outcomes[wrong] = await rejection(path, init);
  }
  return outcomes;
}

/** The same outcome for each of these. */
function allAre(requests: Readonly<Record<string, unknown>>, outcome: string | Rejection) {
  return Object.fromEntries(Object.keys(requests).map((wrong) => [wrong, outcome]));
}

function invalid(fields: Readonly<Record<string, string>>): Rejection {
  return { code: "VALIDATION_FAILED", fields };
}

const WITH_BODY = everyOperation(({ request }) => request !== undefined);
const WITH_JSON = everyOperation(({ request, format }) => request !== undefined && format === undefined);

describe.each(WITH_JSON)("%s rejects", (_, operation) => {
  const { path, endpoint, request } = operation;
  const { schema, example, optional } = endpoint.request!;
  const { properties, required = [] } = jsonSchemaOf(schema) as unknown as {
    properties: Record<string, object>;
    required?: string[];
  };
  const text = JSON.stringify(example);
  const bytes = (content: string, encoding: "latin1" | "utf16le") => ({
    ...request(operation.credentialOf(caller), ""),
    body: new Uint8Array(Buffer.from(content, encoding)),
  });
  const body = (content: unknown) => request(operation.credentialOf(caller), content);

  test("what is not JSON", async () => {
    const requests = {
      ...(optional === true ? {} : { "an empty body": body("") }),
      "only spaces": body("   "),
      "a bare word": body("hello"),
      "a truncated object": body(text.slice(0, -1)),
      "a trailing comma": body(`${text.slice(0, -1)},}`),
      "single quotes": body(text.replaceAll('"', "'")),
      "two documents": body(text + text),
      "a control character in a string": body('{"a":"\u0001"}'),
      NaN: body('{"a":NaN}'),
      "a form": body("a=1&b=2"),
      "bytes that are not UTF-8": bytes('{"a":"\u00ff\u00fe"}', "latin1"),
      "UTF-16": bytes(text, "utf16le"),
    };
    expect(await rejections(path, requests)).toStrictEqual(allAre(requests, "400 INVALID_JSON"));
  });

  test("JSON of another form", async () => {
    const requests = {
      null: body("null"),
      "a string": body('"hello"'),
      "a number": body("1"),
      true: body("true"),
      "an array": body([]),
      "an array of what would do": body([example]),
      "what is nested too deep": body("[".repeat(3_000) + "]".repeat(3_000)),
    };
    const outcome = invalid({ body: "Must be an object" });
    expect(await rejections(path, requests)).toStrictEqual(allAre(requests, outcome));
  });

  test("unknown fields, and names each", async () => {
    const unknown = (...names: string[]) => invalid(Object.fromEntries(names.map((name) => [name, "Unknown field"])));
    const first = Object.keys(properties)[0]!;
    const more = (fields: string) => body(`{${fields},${text.slice(1)}`);
    const outcomes = await rejections(path, {
      two: more('"role":"admin","is_verified":true'),
      "__proto__ and constructor": more('"__proto__":{"admin":true},"constructor":1'),
      "5,000 characters": more(`"${"x".repeat(5_000)}":1`),
      "a line break": more('"a\\nb":1'),
      "the first field in capitals": more(`"${first.toUpperCase()}":1`),
    });
    expect(outcomes).toStrictEqual({
      two: unknown("role", "is_verified"),
      "__proto__ and constructor": unknown("__proto__", "constructor"),
      "5,000 characters": unknown(`${"x".repeat(64)}…`),
      "a line break": unknown("a\ufffdb"),
      "the first field in capitals": unknown(first.toUpperCase()),
    });
  });

  test("missing fields, also when __proto__ has them", async () => {
    const complaints = Object.fromEntries(required.map((name) => [name, "Required"]));
    if (required.length > 0) expect(await rejection(path, body({}))).toStrictEqual(invalid(complaints));
    const hidden = invalid({ ...Object.fromEntries([["__proto__", "Unknown field"]]), ...complaints });
    expect(await rejection(path, body(`{"__proto__":${text}}`))).toStrictEqual(hidden);
  });

  test.each([{ value: { $ne: null } }, { value: [[1]] }])("$value in every field", async ({ value }) => {
    const fields = Object.fromEntries(Object.keys(properties).map((name) => [name, value]));
    const outcome = await rejection(path, body(fields));
    expect(outcome).toMatchObject({ code: "VALIDATION_FAILED" });
    const complainedAbout = Object.keys((outcome as Rejection).fields!).map((name) => /^\w+/.exec(name)![0]);
    expect([...new Set(complainedAbout)].toSorted()).toStrictEqual(Object.keys(properties).toSorted());
  });

  test("a body that is too large, declared or not", async () => {
    const { maxBytes = MAX_BODY_BYTES } = endpoint;
    const large = " ".repeat(maxBytes + 1);
    const requests = {
      declared: body(large),
      streamed: { ...body(""), body: new Blob([large]).stream(), duplex: "half" } as RequestInit,
    };
    expect(await rejections(path, requests)).toStrictEqual(allAre(requests, "413 PAYLOAD_TOO_LARGE"));
    // All spaces, as large as is allowed.
    expect(await rejection(path, body(large.slice(1)))).toBe("400 INVALID_JSON");
  });
});

test.each(WITH_BODY)("%s rejects other media types", async (_, operation) => {
  const typed = (type: string, more = {}) =>
    operation.request(operation.credentialOf(caller), undefined, { "Content-Type": type, ...more });
  const own = operation.endpoint.format === "ndjson" ? "application/x-ndjson" : "application/json";
  const requests = {
    none: { ...operation.request(operation.credentialOf(caller)), headers: withoutType(operation) },
    "text/plain": typed("text/plain"),
    "a form": typed("application/x-www-form-urlencoded"),
    "a multipart form": typed("multipart/form-data; boundary=x"),
    XML: typed("application/xml"),
    "UTF-16": typed(`${own}; charset=utf-16`),
    "what only begins alike": typed(`${own}x`),
    "what is compressed": typed(own, { "Content-Encoding": "gzip" }),
  };
  const outcomes = await rejections(operation.path, requests);
  expect(outcomes).toStrictEqual(allAre(requests, "415 UNSUPPORTED_MEDIA_TYPE"));
});

/** The headers of an operation's request except its Content-Type, which `fetch` would set itself for text. */
function withoutType(operation: Operation): Record<string, string> {
  const { headers } = operation.request(operation.credentialOf(caller));
  return { ...(headers as Record<string, string>), "Content-Type": "" };
}

test.each(everyOperation(({ query }) => query !== undefined))(
  "%s rejects unknown and repeated parameters, and names each",
  async (_, operation) => {
    const { path, endpoint, request } = operation;
    const known = Object.keys((endpoint.query as BodySchema).entries)[0]!;
    const complaints = async (query: string) => {
      const outcome = (await rejection(`${path}?${query}`, request(operation.credentialOf(caller)))) as Rejection;
      return outcome.fields;
    };
    const unknown = (...names: string[]) =>
      expect.objectContaining(Object.fromEntries(names.map((name) => [name, "Unknown field"])));
    expect(await complaints("user_id=1&all=true")).toStrictEqual(unknown("user_id", "all"));
    expect(await complaints(`${known.toUpperCase()}=x`)).toStrictEqual(unknown(known.toUpperCase()));
    expect(await complaints(`${known}[]=x`)).toStrictEqual(unknown(`${known}[]`));
    expect(await complaints("__proto__=x&constructor=x")).toStrictEqual(unknown("__proto__", "constructor"));
    expect(await complaints(`${"x".repeat(200)}=1`)).toStrictEqual(unknown(`${"x".repeat(64)}…`));
    expect(await complaints("a%0Ab=1")).toStrictEqual(unknown("a\ufffdb"));
    expect(await complaints(`${known}=test&${known}=test`)).toMatchObject({ [known]: "Must appear only once" });
  },
);

/** Ids that are neither an active key, a session, nor a passkey of the account. */
async function idsOfNobody(): Promise<Record<string, string>> {
  const { db } = network.worker;
  const [other, revoked] = [await network.caller(), await network.anotherKey(caller.userId, "test")];
  await db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.id, revoked.id));
  return {
    "another account's key": other.keyId,
    "a revoked key": revoked.id,
    "the account's own id": caller.userId,
    "the key itself": caller.key,
    "the key's hash": hashKey(caller.key),
    "an id in other letters": caller.keyId.toUpperCase(),
    "an id cut short": caller.keyId.slice(0, -1),
    "an id with a space": `${caller.keyId}%20`,
    "a wildcard": "%25",
    "an asterisk": "*",
    "a number": "1",
    NUL: "%00",
    "broken percent encoding": "%E0%A4%A",
    "an emoji": "%F0%9F%94%91",
    SQL: "'%20OR%20'1'='1",
    "a way up": "..%2F..%2Faccount",
    "4,000 characters": "x".repeat(4_000),
  };
}

test.each(everyOperation(({ path }) => path.includes("{id}")))(
  "%s finds nothing under another id",
  async (_, operation) => {
    const ids = await idsOfNobody();
    const before = await stored();
    const outcomes: Record<string, unknown> = {};
    for (const [name, id] of Object.entries(ids)) {
      const path = operation.endpoint.path.replace("{id}", id);
      outcomes[name] = await rejection(path, operation.request(caller.token));
    }
    expect(outcomes).toStrictEqual(allAre(ids, "404 NOT_FOUND"));
    expect(await stored()).toBe(before);
  },
);

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"];

/** Each path with what it allows. */
const PATHS = [...Map.groupBy(everyOperation(), ([, { path }]) => path)].map(
  ([path, operations]) => [path, operations.map(([, { method }]) => method)] as const,
);

/** Methods of operations whose path matches, such as an id called "options". */
function methodsAt(path: string): string[] {
  return ENDPOINTS.filter((endpoint) =>
    new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  ).map(({ method }) => method.toUpperCase());
}

test.each(PATHS)("%s allows only %s", async (path, methods) => {
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  for (const method of METHODS.filter((each) => !methodsAt(path).includes(each))) {
    const outcome = await rejection(path, { method, headers: { Authorization: `Bearer ${caller.token}` } }, allow);
    expect([method, outcome]).toStrictEqual([method, "405 METHOD_NOT_ALLOWED"]);
  }
});

test.each([
  "/api",
  "/api/",
  "/api/v1",
  "/api/v1/auth",
  "/api/v1/users",
  "/api/v1/verify/",
  "/api/v1/auth/login/",
  "/api/v1/account/nothing",
  "/verify/",
  "/verify/batch",
  "/api/v2/verify",
  "/api/v1/Verify",
  "/api/v1/verify/+12024561414",
  "/api/v1/verify%00",
])("%s is no path", async (path) => {
  expect(await rejection(path, { method: "POST" })).toBe("404 NOT_FOUND");
});
