import { beforeAll, describe, expect, test } from "vitest";
import { generateKey } from "../../worker/keys/key-format.ts";
import { createKey, createRevokedKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const worker = startWorker();
const keys = { live: "", test: "", revoked: "" };

beforeAll(async () => {
  // More requests than the trial allows per minute.
  keys.live = await createKey(worker.db, "live", { plan: "pro" });
  keys.test = await createKey(worker.db, "test");
  keys.revoked = await createRevokedKey(worker.db, "live");
});

const VALID = { number: "+12024561414" };

interface Case {
  readonly name: string;
  readonly path?: string;
  /** Created lazily, because keys exist only once the worker runs. */
  readonly request: () => RequestInit;
  readonly status: number;
  readonly code: string;
  /** A text that the error or one of its fields must contain. */
  readonly says?: string;
}

function body(name: string, content: unknown, code: string, says?: string): Case {
  const request = () => post(keys.live, content);
  return { name, request, status: 400, code, ...(says !== undefined && { says }) };
}

function batchBody(name: string, content: unknown, code: string, says?: string): Case {
  return { ...body(name, content, code, says), path: "/api/v1/verify/batch" };
}

function authorization(name: string, header: () => string | null, code: string): Case {
  return {
    name,
    request: () => {
      const { Authorization: _, ...headers } = post("", "").headers as Record<string, string>;
      const value = header();
      return { ...post("", VALID), headers: value === null ? headers : { ...headers, Authorization: value } };
    },
    status: 401,
    code,
  };
}

function contentType(name: string, type: string | null): Case {
  return {
    name,
    request: () => ({
      method: "POST",
      headers: { Authorization: `Bearer ${keys.live}`, ...(type !== null && { "Content-Type": type }) },
      // Bytes get no content type by default.
      body: new TextEncoder().encode(JSON.stringify(VALID)),
    }),
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
    says: "with the Content-Type: application/json header",
  };
}

function method(name: string, path = "/api/v1/verify"): Case {
  return {
    name: `${name} ${path}`,
    path,
    request: () => ({ method: name, headers: { Authorization: `Bearer ${keys.live}` } }),
    status: 405,
    code: "METHOD_NOT_ALLOWED",
  };
}

function unknownPath(path: string): Case {
  return { name: `POST ${path}`, path, request: () => post(keys.live, VALID), status: 404, code: "NOT_FOUND" };
}

const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

const CASES: readonly Case[] = [
  // Not JSON.
  body("no body", "", "INVALID_JSON", "empty"),
  body("only spaces", "   ", "INVALID_JSON"),
  body("a bare word", "hello", "INVALID_JSON"),
  body("a truncated object", '{"number": "+1202', "INVALID_JSON"),
  body("a trailing comma", '{"number": "+12024561414",}', "INVALID_JSON"),
  body("single quotes", "{'number': '+12024561414'}", "INVALID_JSON"),
  body("two documents", '{"number":"+1"}{"number":"+1"}', "INVALID_JSON"),
  body("a raw control character in a string", '{"number": "+1202\u0001"}', "INVALID_JSON"),
  body("NaN", '{"number": NaN}', "INVALID_JSON"),
  body("form encoding under a JSON type", "number=%2B12024561414", "INVALID_JSON"),
  body("nested too deep to be a request", deep(4000), "VALIDATION_FAILED"),
  {
    name: "bytes that are not UTF-8",
    request: () => ({ ...post(keys.live, ""), body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) }),
    status: 400,
    code: "INVALID_JSON",
  },
  {
    name: "UTF-16",
    request: () => ({ ...post(keys.live, ""), body: new Uint8Array(Buffer.from(JSON.stringify(VALID), "utf16le")) }),
    status: 400,
    code: "INVALID_JSON",
  },
  // JSON of another form.
  body("null", "null", "VALIDATION_FAILED", "Must be an object"),
  body("a string", '"+12024561414"', "VALIDATION_FAILED", "Must be an object"),
  body("a number", "12024561414", "VALIDATION_FAILED", "Must be an object"),
  body("true", "true", "VALIDATION_FAILED", "Must be an object"),
  body("an array", "[]", "VALIDATION_FAILED", "Must be an object"),
  body("an array of requests", [VALID], "VALIDATION_FAILED", "Must be an object"),
  body("an empty object", {}, "VALIDATION_FAILED", "number: Required"),
  body("number: null", { number: null }, "VALIDATION_FAILED", "number: Must be a string"),
  body("number: a number", { number: 12024561414 }, "VALIDATION_FAILED", "number: Must be a string"),
  body("number: a boolean", { number: true }, "VALIDATION_FAILED", "number: Must be a string"),
  body("number: an array", { number: ["+12024561414"] }, "VALIDATION_FAILED", "number: Must be a string"),
  body("number: an object", { number: VALID }, "VALIDATION_FAILED", "number: Must be a string"),
  body("number: empty", { number: "" }, "VALIDATION_FAILED", "number: Must not be empty"),
  body("number: blank", { number: " \t\n" }, "VALIDATION_FAILED", "number: Must not be empty"),
  body("number: 251 characters", { number: "1".repeat(251) }, "VALIDATION_FAILED", "at most 250 characters"),
  body("an unknown field", { ...VALID, locale: "en" }, "VALIDATION_FAILED", "locale: Unknown field"),
  body("a misspelt field", { nummer: "+12024561414" }, "VALIDATION_FAILED", "number: Required"),
  body("a field in capitals", { Number: "+12024561414" }, "VALIDATION_FAILED", "number: Required"),
  body("two unknown fields", { ...VALID, a: 1, b: 2 }, "VALIDATION_FAILED", "a: Unknown field; b: Unknown field"),
  body("__proto__", '{"number":"+12024561414","__proto__":{"x":1}}', "VALIDATION_FAILED", "__proto__: Unknown field"),
  body("constructor", '{"number":"+12024561414","constructor":1}', "VALIDATION_FAILED", "constructor: Unknown field"),
  body(
    "an unknown field of 5 KB",
    { ...VALID, ["x".repeat(5000)]: 1 },
    "VALIDATION_FAILED",
    `${"x".repeat(64)}…: Unknown`,
  ),
  body("country: a number", { ...VALID, country: 55 }, "VALIDATION_FAILED", "country: Must be a string"),
  body("country: empty", { ...VALID, country: "" }, "VALIDATION_FAILED", "country: Must be an ISO 3166-1"),
  body("country: three letters", { ...VALID, country: "USA" }, "VALIDATION_FAILED", "country: Must be an ISO 3166-1"),
  body("country: a name", { ...VALID, country: "Brazil" }, "VALIDATION_FAILED", "country: Must be an ISO 3166-1"),
  body("country: calling code", { ...VALID, country: "+1" }, "VALIDATION_FAILED", "country: Must be an ISO 3166-1"),
  body("country: no plan", { ...VALID, country: "ZZ" }, "VALIDATION_FAILED", "No numbering plan is known for ZZ"),
  body("country: UK", { ...VALID, country: "uk" }, "VALIDATION_FAILED", "Use GB for the United Kingdom"),
  body("country: Antarctica", { ...VALID, country: "AQ" }, "VALIDATION_FAILED", "No numbering plan is known for AQ"),
  // Batches.
  batchBody("a batch with a single number's body", VALID, "VALIDATION_FAILED", "numbers: Required"),
  batchBody("a batch of nothing", { numbers: [] }, "VALIDATION_FAILED", "numbers: Must have at least one number"),
  batchBody("a batch of null", { numbers: null }, "VALIDATION_FAILED", "numbers: Must be an array"),
  batchBody("a batch of a string", { numbers: "+12024561414" }, "VALIDATION_FAILED", "numbers: Must be an array"),
  batchBody("a batch of an object", { numbers: { 0: "+1" } }, "VALIDATION_FAILED", "numbers: Must be an array"),
  batchBody(
    "a batch with a number",
    { numbers: [1] },
    "VALIDATION_FAILED",
    "numbers[0]: Must be a string, or an object",
  ),
  batchBody(
    "a batch with a hole",
    '{"numbers":["+1",null]}',
    "VALIDATION_FAILED",
    "numbers[1]: Must be a string, or an object",
  ),
  batchBody(
    "a batch of a batch",
    { numbers: [["+1"]] },
    "VALIDATION_FAILED",
    "numbers[0]: Must be a string, or an object",
  ),
  batchBody("a batch of 101", { numbers: Array(101).fill("+1") }, "VALIDATION_FAILED", "at most 100 numbers"),
  batchBody("a batch with an unknown field", { numbers: ["+1"], number: "+1" }, "VALIDATION_FAILED", "number: Unknown"),
  batchBody("a batch with an unknown country", { numbers: ["+1"], country: "XX" }, "VALIDATION_FAILED", "for XX"),
  batchBody("a batch nested too deep", deep(30_000), "VALIDATION_FAILED"),
  // Too large.
  {
    name: "a body of 9 KB",
    request: () => post(keys.live, { number: "+1", padding: "x".repeat(9000) }),
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
    says: "8 KB",
  },
  {
    name: "a stream without a declared length",
    request: () =>
      ({ ...post(keys.live, ""), body: new Blob(["x".repeat(20_000)]).stream(), duplex: "half" }) as RequestInit,
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
  },
  {
    name: "a batch of 65 KB",
    path: "/api/v1/verify/batch",
    request: () => post(keys.live, { numbers: ["9".repeat(66_000)] }),
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
    says: "64 KB",
  },
  // Media types.
  contentType("no content type", null),
  contentType("text/plain", "text/plain"),
  contentType("a form", "application/x-www-form-urlencoded"),
  contentType("a multipart form", "multipart/form-data; boundary=x"),
  contentType("XML", "application/xml"),
  contentType("JSON in UTF-16", "application/json; charset=utf-16"),
  contentType("a type that only begins like JSON", "application/jsonx"),
  {
    name: "a compressed body",
    request: () => post(keys.live, VALID, { "Content-Encoding": "gzip" }),
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
    says: "The request body must not be compressed.",
  },
  // Keys.
  authorization("no Authorization header", () => null, "UNAUTHENTICATED"),
  authorization("an empty Authorization header", () => "", "UNAUTHENTICATED"),
  authorization("Bearer without a key", () => "Bearer ", "UNAUTHENTICATED"),
  authorization("a key without Bearer", () => keys.live, "UNAUTHENTICATED"),
  authorization("Basic", () => `Basic ${Buffer.from(`${keys.live}:`).toString("base64")}`, "UNAUTHENTICATED"),
  authorization("two keys", () => `Bearer ${keys.live} ${keys.test}`, "UNAUTHENTICATED"),
  authorization("garbage", () => "Bearer garbage", "INVALID_API_KEY"),
  authorization("another product's key", () => `Bearer sk_live_${"a".repeat(36)}`, "INVALID_API_KEY"),
  authorization("a session token", () => "Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "INVALID_API_KEY"),
  authorization("a key cut short", () => `Bearer ${keys.live.slice(0, -1)}`, "INVALID_API_KEY"),
  authorization("a key with one more character", () => `Bearer ${keys.live}0`, "INVALID_API_KEY"),
  authorization("a key in capitals", () => `Bearer ${keys.live.toUpperCase()}`, "INVALID_API_KEY"),
  authorization("a test key called live", () => `Bearer ${keys.test.replace("test", "live")}`, "INVALID_API_KEY"),
  authorization("a mistyped key", () => `Bearer ${swapFirst(keys.live)}`, "INVALID_API_KEY"),
  authorization("a well-formed key nobody has", () => `Bearer ${generateKey("live")}`, "INVALID_API_KEY"),
  authorization("SQL", () => "Bearer ' OR 1=1 --", "UNAUTHENTICATED"),
  authorization("8 KB of key", () => `Bearer ch_live_${"a".repeat(8000)}`, "INVALID_API_KEY"),
  authorization("a revoked key", () => `Bearer ${keys.revoked}`, "API_KEY_REVOKED"),
  // Methods and paths.
  method("GET"),
  method("PUT"),
  method("PATCH"),
  method("DELETE"),
  method("GET", "/verify"),
  method("GET", "/api/v1/verify/batch"),
  method("POST", "/api/v1/health"),
  method("DELETE", "/api/v1/openapi.json"),
  unknownPath("/api"),
  unknownPath("/api/"),
  unknownPath("/api/v1"),
  unknownPath("/api/v1/verify/"),
  unknownPath("/verify/"),
  unknownPath("/verify/batch"),
  unknownPath("/api/v2/verify"),
  unknownPath("/api/v1/Verify"),
  unknownPath("/api/v1/verify/+12024561414"),
  unknownPath("/api/v1/%2e%2e/verify"),
  unknownPath("/api/v1/verify%00"),
];

/** A key with its first two distinct random characters swapped. */
function swapFirst(key: string): string {
  const at = [...key].findIndex((character, index) => index >= 8 && character !== key[index + 1]);
  return key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
}

describe("malformed requests", () => {
  test.each(CASES)("$name: $status $code", async ({ path = "/api/v1/verify", request, status, code, says = "" }) => {
    const response = await worker.fetch(path, request());
    const answer = (await response.json()) as { error: string; code: string; fields?: Record<string, string> };
    expect({ status: response.status, code: answer.code }).toStrictEqual({ status, code });
    expect(answer.error).toMatch(/^[A-Z].*\.$/);
    expect(answer.error).toContain(says);
    expect(Object.keys(answer).toSorted()).toStrictEqual(
      code === "VALIDATION_FAILED" ? ["code", "error", "fields"] : ["code", "error"],
    );
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
    if (status === 401) expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
    if (status === 405) expect(response.headers.get("Allow")).toMatch(/^(GET, HEAD|POST)$/);
  });

  test("HEAD has the status of GET and no body", async () => {
    for (const [path, status] of [
      ["/api/v1/verify", 405],
      ["/api/v1/health", 200],
    ] as const) {
      const response = await worker.fetch(path, { method: "HEAD" });
      expect(response.status).toBe(status);
      expect(await response.text()).toBe("");
    }
  });
});

/** Odd numbers are not malformed requests: they get a result, and never a 5xx. */
const ODD_NUMBERS = [
  "١٢٣٤٥٦٧٨٩",
  "+１２０２４５６１４１４",
  "+1\u0000202\u0000456",
  "\u202e+12024561414",
  "+1202\u200b4561414",
  "😀",
  "\ud800",
  "+".repeat(250),
  "0".repeat(250),
  "tel:+1-202-456-1414;ext=5",
  "tel:456;phone-context=",
  "tel:456;phone-context=+1202",
  ";ext=".repeat(50),
  "(".repeat(250),
  "1x".repeat(125),
  "'; DROP TABLE users; --",
  "${7*7}{{7*7}}",
  "+1 202 456 1414 ext. 99999999999999999999",
];

describe("odd numbers", () => {
  test.each(ODD_NUMBERS)("%j gets a result", async (number) => {
    for (const mode of ["live", "test"] as const) {
      const key = await createKey(worker.db, mode);
      for (const country of [undefined, "US", "BR"]) {
        const response = await worker.fetch("/api/v1/verify", post(key, { number, country }));
        expect([200, 400]).toContain(response.status);
        if (mode === "live") expect(response.status).toBe(200);
      }
    }
  });
});
