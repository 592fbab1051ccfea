import { expect, test } from "vitest";
import { SDK_VERSION } from "../../contract/sdks.ts";
import type { Case } from "./case.ts";
import { exchangeProblems, outcomeProblems, requestProblems, responseProblems } from "./judge.ts";
import type { SeenRequest } from "./judge.ts";

const call = { method: "lookup", number: "+5511987654321" } as const;
const asked = { call, key: "ch_test_key", sdk: "python" };
const fine: SeenRequest = {
  method: "POST",
  path: "/api/v1/verify",
  headers: {
    authorization: "Bearer ch_test_key",
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": `checkline-python/${SDK_VERSION} python/3.11`,
    "idempotency-key": "sdk-0123456789abcdef",
  },
  body: '{"number":"+5511987654321"}',
  at: 2000,
};
function twoResponses(): Case {
  return {
    id: "x",
    title: "x",
    call,
    played: [{ status: 500 }, { after_ms: 1000, before_ms: 8000 }],
    outcome: { result: {} },
  };
}

test("a correct request has no problems", () => {
  expect(requestProblems(fine, asked)).toStrictEqual([]);
});

test.each([
  ["method", { ...fine, method: "PUT" }],
  ["path", { ...fine, path: "/api/v1//verify" }],
  ["Authorization", { ...fine, headers: { ...fine.headers, authorization: "ch_test_key" } }],
  ["Content-Type", { ...fine, headers: { ...fine.headers, "content-type": "application/x-www-form-urlencoded" } }],
  ["Accept", { ...fine, headers: { ...fine.headers, accept: "*/*" } }],
  ["User-Agent", { ...fine, headers: { ...fine.headers, "user-agent": "checkline-ruby/1.0.0" } }],
  ["Idempotency-Key", { ...fine, headers: { ...fine.headers, "idempotency-key": undefined } }],
  ["Idempotency-Key", { ...fine, headers: { ...fine.headers, "idempotency-key": "sdk-123456789abcdef" } }],
  ["Idempotency-Key", { ...fine, headers: { ...fine.headers, "idempotency-key": "0123456789abcdef0123456789abcdef" } }],
  ["body", { ...fine, body: '{"number":"+5511987654321","country":null}' }],
])("a wrong %s is reported", (what, seen) => {
  const problems = requestProblems(seen, asked);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(what);
});

test("the caller's own Idempotency-Key must arrive", () => {
  const own = { ...asked, call: { ...call, idempotency_key: "mine" } };
  expect(requestProblems(fine, own)).toStrictEqual(["not the caller's own Idempotency-Key"]);
});

test("too few and too many requests are reported, and retries with another key", () => {
  expect(exchangeProblems(twoResponses(), [fine], [0])).toContain("1 requests, not 2");
  const other = { ...fine, headers: { ...fine.headers, "idempotency-key": "sdk-fedcba9876543210" } };
  expect(exchangeProblems(twoResponses(), [fine, other], [0])).toStrictEqual(["retries with another Idempotency-Key"]);
});

test("a retry that is much too late is reported", () => {
  expect(exchangeProblems(twoResponses(), [fine, { ...fine, at: 9000 }], [0])).toStrictEqual([
    "request 2 came after 9000 ms, not 1000 to 8000",
  ]);
});

test("an early retry is reported", () => {
  const early = { ...fine, at: 900 };
  expect(exchangeProblems(twoResponses(), [fine, fine], [0])).toStrictEqual([]);
  expect(exchangeProblems(twoResponses(), [fine, early], [0])).toStrictEqual([
    "request 2 came after 900 ms, not 1000 to 8000",
  ]);
});

test("null and absent are the same in a result, other values are not", () => {
  expect(outcomeProblems({ result: { valid: true, carrier: null } }, { result: { valid: true } })).toStrictEqual([]);
  expect(outcomeProblems({ result: { valid: 1 } }, { result: { valid: true } })).toHaveLength(1);
  expect(outcomeProblems({ result: { valid: true, extra: 1 } }, { result: { valid: true } })).toHaveLength(1);
});

test("everything expected of an error is compared, and it must have a message", () => {
  const expected = { error: { type: "server", code: "X", status: 500, request_id: null } } as const;
  expect(outcomeProblems({ error: { type: "server", code: "X", status: 500, message: "m" } }, expected)).toStrictEqual(
    [],
  );
  expect(outcomeProblems({ error: { type: "quota", code: "X", status: 500, message: "" } }, expected)).toHaveLength(2);
  expect(outcomeProblems({ result: {} }, expected)).toHaveLength(1);
});

test("a batch is compared item by item", () => {
  const expected = { results: [{ result: { valid: true } }, { error: { type: "verification_failed" } }] } as const;
  const right = {
    results: [{ result: { valid: true } }, { error: { type: "verification_failed", message: "m" } }],
  } as const;
  expect(outcomeProblems(right, expected)).toStrictEqual([]);
  expect(outcomeProblems({ results: right.results.toReversed() }, expected)).toHaveLength(2);
  expect(outcomeProblems({ results: [right.results[0]] }, expected)).toHaveLength(1);
});

test("a list is sent in chunks, each with its own key", () => {
  const numbers = Array.from({ length: 150 }, (_, index) => String(index));
  const list: Case = {
    id: "x",
    title: "x",
    call: { method: "lookup_all", numbers },
    played: "echo",
    outcome: { results: [] },
  };
  const first = { ...fine, path: "/api/v1/verify/batch", body: JSON.stringify({ numbers: numbers.slice(0, 100) }) };
  const other = { ...first, headers: { ...fine.headers, "idempotency-key": "sdk-fedcba9876543210" } };
  expect(requestProblems(first, { ...asked, call: list.call })).toStrictEqual([]);
  expect(requestProblems({ ...first, body: JSON.stringify({ numbers }) }, { ...asked, call: list.call })).toHaveLength(
    1,
  );
  expect(exchangeProblems(list, [first, other], [0, 0])).toStrictEqual([]);
  expect(exchangeProblems(list, [first, first], [0, 0])).toStrictEqual(["chunks with the same Idempotency-Key"]);
  expect(exchangeProblems(list, [first], [0])).toContain("1 requests, not 2");
});

test("a stream is sent in lines, without a key, from the line that is due", () => {
  const numbers = ["1", { number: "2", country: "GB" }, "3"];
  const stream: Case = {
    id: "x",
    title: "x",
    call: { method: "lookup_stream", numbers, country: "BR" },
    played: [{}, { from: 1 }],
    outcome: { results: [] },
  };
  const { "idempotency-key": _key, ...headers } = fine.headers;
  const type = { "content-type": "application/x-ndjson", accept: "application/x-ndjson" };
  const lines = ["1", "2", "3"].map((number) => `{"number":"${number}","country":"${number === "2" ? "GB" : "BR"}"}\n`);
  const seen = { ...fine, path: "/api/v1/verify/stream", headers: { ...headers, ...type } };
  const whole = { ...seen, body: lines.join("") };
  const rest = { ...seen, body: lines.slice(1).join("") };
  const told = (request: SeenRequest) => requestProblems(request, { ...asked, call: stream.call });
  expect([...told(whole), ...told(rest)]).toStrictEqual([]);
  expect(told({ ...whole, headers: { ...whole.headers, "idempotency-key": "sdk-0123456789abcdef" } })).toHaveLength(1);
  for (const body of ["", lines[0]!, lines[0]! + lines[2]!, `${lines[0]!.slice(0, 9)}\n`])
    expect(told({ ...seen, body })).toHaveLength(1);
  expect(exchangeProblems(stream, [whole, rest], [0, 0])).toStrictEqual([]);
  expect(exchangeProblems(stream, [whole, whole], [0, 0])).toStrictEqual(["request 2 begins with line 0, not 1"]);
});

test("what ended a list must be reported, and nothing if it was complete", () => {
  const error = { type: "quota", code: "X", message: "m" } as const;
  expect(outcomeProblems({ results: [], ended_by: error }, { results: [], ended_by: { type: "quota" } })).toStrictEqual(
    [],
  );
  expect(outcomeProblems({ results: [] }, { results: [], ended_by: { type: "quota" } })).toHaveLength(1);
  expect(outcomeProblems({ results: [], ended_by: error }, { results: [] })).toHaveLength(1);
});

test("responses are compared, including a lookup result's", () => {
  const response = { status: 200, request_id: null, data_version: null, attempt: 1, rate_limits: {} };
  const told = { result: {}, responses: [response], response };
  const one: Case = { ...twoResponses(), responses: [response] };
  expect(responseProblems(told, one)).toStrictEqual([]);
  expect(responseProblems({ ...told, response: undefined }, one)).toHaveLength(1);
  expect(responseProblems({ ...told, responses: [] }, one)).toHaveLength(1);
});

test.each([
  ["TIMEOUT", null, "No complete response from 127.0.0.1:80 in time."],
  ["CONNECTION_FAILED", null, "The connection to 127.0.0.1:80 failed."],
  ["CONNECTION_FAILED", null, "The connection to 127.0.0.1:80 failed (ECONNREFUSED)."],
  ["UNEXPECTED_RESPONSE", 502, "Unexpected response (HTTP 502)."],
  ["UNEXPECTED_RESPONSE", 302, "Unexpected response (HTTP 302): redirects aren't followed."],
])("every SDK says the same about %s %s", (code, status, message) => {
  const expected = { error: { type: "connection" } } as const;
  const told = { type: "connection", code, status, message } as const;
  expect(outcomeProblems({ error: told }, expected)).toStrictEqual([]);
  expect(outcomeProblems({ error: { ...told, message: `Sorry. ${message}` } }, expected)).toHaveLength(1);
  expect(outcomeProblems({ error: { ...told, code: "QUOTA_EXCEEDED", message: "Used up." } }, expected)).toHaveLength(
    0,
  );
});

test("a tally must have every result in order, and keep little memory", () => {
  const expected = { tally: { counted: 3 } };
  expect(outcomeProblems({ tally: { counted: 3, grown_bytes: -5 } }, expected)).toStrictEqual([]);
  expect(outcomeProblems({ tally: { counted: 2, grown_bytes: 0 } }, expected)).toHaveLength(1);
  expect(outcomeProblems({ tally: { counted: 3, grown_bytes: 90_000_000 } }, expected)).toHaveLength(1);
  expect(outcomeProblems({ tally: { counted: 3 } }, expected)).toHaveLength(1);
  expect(outcomeProblems({ results: [] }, expected)).toHaveLength(1);
});

test("a rejected number's error must have its result, and a scenario's none", () => {
  const error = { type: "verification_failed", message: "No." } as const;
  const rejected = (result: unknown) => ({ error: { ...error, result } });
  expect(outcomeProblems(rejected({ valid: false }), rejected({ valid: false }))).toStrictEqual([]);
  expect(outcomeProblems({ error }, rejected(null))).toStrictEqual([]);
  expect(outcomeProblems({ error }, rejected({ valid: false }))).toHaveLength(1);
  expect(outcomeProblems(rejected({ valid: false }), rejected(null))).toHaveLength(1);
  expect(outcomeProblems(rejected({ valid: true }), rejected({ valid: false }))).toHaveLength(1);
});

test("a batch has a number with its country as an object, and one without as a string", () => {
  const numbers = ["1", { number: "2", country: "GB" }, { number: "3" }];
  const batch = { ...asked, call: { method: "lookup_batch", numbers } as const };
  const sent = (body: unknown) => ({ ...fine, path: "/api/v1/verify/batch", body: JSON.stringify(body) });
  expect(requestProblems(sent({ numbers: ["1", numbers[1], "3"] }), batch)).toStrictEqual([]);
  expect(requestProblems(sent({ numbers: ["1", "2", "3"] }), batch)).toHaveLength(1);
});
