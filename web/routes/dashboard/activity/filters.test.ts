import { expect, test } from "vitest";
import { noneOf, queryOf, readChoice } from "./filters.ts";

const NOW = Date.UTC(2026, 0, 2, 12, 30, 40);

test.each([
  ["", {}],
  ["key=key_1&status=4xx&request=req_2", { request_id: "req_2" }],
  ["key=key_1&status=4xx", { key_id: "key_1", status: "4xx" }],
  ["period=1h&status=402", { status: "402", from: "2026-01-02T11:30:00.000Z" }],
  ["period=7d", { from: "2025-12-26T12:30:00.000Z" }],
  ["key=%27&status=9xx&period=constructor&request=a%20b", {}],
])("the address %j means %j", (address, query) => {
  expect(queryOf(readChoice(new URLSearchParams(address)), NOW)).toStrictEqual(query);
});

test.each([
  ["status=402", "No 402 responses in the last 30 days"],
  ["key=key_1&period=1h", "No calls with Shop in the last hour"],
  ["key=key_2&status=5xx&period=7d", "No 5xx responses with key_2 in the last 7 days"],
  ["request=req_2", "No call with this request ID"],
])("nothing at the address %j: %s", (address, text) => {
  expect(noneOf(readChoice(new URLSearchParams(address)), new Map([["key_1", { name: "Shop" }]]))).toBe(text);
});
