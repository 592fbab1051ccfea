import { describe, expect, test } from "vitest";
import { accounts } from "../../contract/endpoints/accounts.ts";
import { keys } from "../../contract/endpoints/keys.ts";
import { verification } from "../../contract/endpoints/verification.ts";
import { ERRORS } from "../../contract/errors.ts";
import { complaint } from "./judge.ts";
import type { Expectation } from "./judge.ts";
import { MCP } from "./requests.ts";
import type { Outcome, Reply } from "./wire.ts";

const SOUND: Expectation = { endpoint: keys.listApiKeys, isDeclared: true, replies: 1, isHead: false };
const HEADERS = { "x-request-id": "req_1", "x-content-type-options": "nosniff", "content-type": "application/json" };

function reply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers: new Map(Object.entries({ ...HEADERS, ...headers })), body: text };
}

const LINE = { line: 1, error: "A sentence.", code: "INVALID_JSON", http_status: 400, ended: false };

const outcome = (...replies: Reply[]): Outcome => ({ replies, closed: false, hung: false });
const error = (code: keyof typeof ERRORS) => reply(ERRORS[code].status, { error: "A sentence.", code });

test.each([
  ["a declared success", reply(200, { keys: [] }), SOUND],
  [
    "a declared error",
    reply(401, { error: "A sentence.", code: "SESSION_EXPIRED" }, { "www-authenticate": "Bearer" }),
    SOUND,
  ],
  ["an undeclared error where the path is another", error("NOT_FOUND"), { ...SOUND, isDeclared: false }],
  ["a success without a body", reply(204, ""), { ...SOUND, endpoint: accounts.deleteAccount }],
  [
    "lines as declared",
    reply(200, `\n${JSON.stringify(LINE)}\n`, { "content-type": "application/x-ndjson" }),
    { ...SOUND, endpoint: verification.verifyStream },
  ],
  [
    "an error of JSON-RPC",
    reply(400, { jsonrpc: "2.0", id: null, error: {} }),
    { ...SOUND, endpoint: MCP, isDeclared: false },
  ],
  ["an error to HEAD", reply(405, "", {}), { ...SOUND, isDeclared: false, isHead: true }],
] satisfies [string, Reply, Expectation][])("has nothing to say about %s", (_, response, expected) => {
  expect(complaint(outcome(response), expected)).toBeNull();
});

describe("reports", () => {
  test.each([
    ["a 500", error("INTERNAL_ERROR"), "a 500"],
    ["a 503", error("TEMPORARILY_UNAVAILABLE"), "a 503"],
    ["a missing request id", reply(200, { keys: [] }, { "x-request-id": "" }), "without a request id"],
    ["an error as text", reply(400, "Bad Request", { "content-type": "text/plain" }), "as text/plain"],
    ["an error of another shape", reply(400, { message: "No." }), "isn't an ErrorBody"],
    [
      "a surplus field",
      reply(400, { error: "A sentence.", code: "VALIDATION_FAILED", stack: "at x" }),
      "isn't an ErrorBody",
    ],
    ["an error that is no JSON", reply(400, "{"), "isn't an ErrorBody"],
    ["an unknown code", reply(400, { error: "A sentence.", code: "NO_IDEA" }), "NO_IDEA with status 400"],
    ["a code with another's status", reply(403, { error: "A sentence.", code: "NOT_FOUND" }), "with status 403"],
    ["an undeclared error", error("KEY_LIMIT_REACHED"), "does not declare"],
    ["a 401 without WWW-Authenticate", error("UNAUTHENTICATED"), "without WWW-Authenticate"],
    ["another success", reply(202, { keys: [] }), "with status 202"],
    ["a success of another shape", reply(200, { keys: [{ id: 1 }] }), "listApiKeys does not declare: keys.0"],
    ["a success as text", reply(200, "{}", { "content-type": "text/html" }), "as text/html"],
  ] satisfies [string, Reply, string][])("%s", (_, response, text) => {
    expect(complaint(outcome(response), SOUND)).toContain(text);
  });

  test("lines of another shape, and a stream as JSON", () => {
    const expected = { ...SOUND, endpoint: verification.verifyStream };
    const lines = reply(200, `${JSON.stringify(LINE)}\n{"line":2}\n`, { "content-type": "application/x-ndjson" });
    expect(complaint(outcome(lines), expected)).toContain("line 2");
    expect(complaint(outcome(reply(200, LINE)), expected)).toContain("as application/json");
  });

  test("a hang, and a number of responses different from the number of requests", () => {
    expect(complaint({ replies: [], closed: false, hung: true }, SOUND)).toContain("no end in time");
    expect(complaint(outcome(), SOUND)).toBe("0 responses instead of 1");
    const [twice, rejected] = [
      { ...SOUND, replies: 2 },
      outcome(reply(403, { error: "No.", code: "ACCOUNT_SUSPENDED" })),
    ];
    expect(complaint(rejected, twice)).toBe("1 responses instead of 2");
    expect(complaint({ ...rejected, closed: true }, twice)).toBeNull();
  });

  test("a rejection by the runtime unless the request is not HTTP", () => {
    const rejected: Reply = {
      status: 400,
      headers: new Map([["content-type", "text/plain"]]),
      body: "ERROR: Bad Request",
    };
    expect(complaint(outcome(rejected), { ...SOUND, replies: null })).toBeNull();
    expect(complaint(outcome(rejected), SOUND)).toContain("without a request id");
    expect(complaint(outcome({ ...rejected, status: 500 }), { ...SOUND, replies: null })).toContain("a 500");
  });
});
