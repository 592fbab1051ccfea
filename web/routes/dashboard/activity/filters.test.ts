import { expect, test } from "vitest";
import { queryOf, readChoice } from "./filters.ts";

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
