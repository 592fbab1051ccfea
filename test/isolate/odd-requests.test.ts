import { beforeEach, describe, expect, test } from "vitest";
import { post } from "../requests.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const network = startNetwork();
const VERIFY = "/api/v1/verify";
const VALID = "+12024561414";

let isolate: NetworkIsolate;
let caller: Caller;

beforeEach(async () => {
  isolate = await network.isolate();
  caller = await network.caller("live", { plan: "pro" });
});

/** The code of a response, and its status. */
async function answer(response: Response): Promise<string> {
  const { code } = (await response.json()) as { code?: string };
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

describe("an Authorization header", () => {
  test.each([
    ["", () => "", "401 UNAUTHENTICATED"],
    ["Bearer alone", () => "Bearer ", "401 UNAUTHENTICATED"],
    ["a key without Bearer", () => caller.key, "401 UNAUTHENTICATED"],
    ["Basic", () => `Basic ${btoa(`${caller.key}:`)}`, "401 UNAUTHENTICATED"],
    ["another product's key", () => `Bearer sk_live_${"a".repeat(36)}`, "401 INVALID_API_KEY"],
    ["one more character", () => `Bearer ${caller.key}0`, "401 INVALID_API_KEY"],
    ["a key in capitals", () => `Bearer ${caller.key.toUpperCase()}`, "401 INVALID_API_KEY"],
    ["a live key called a test key", () => `Bearer ${caller.key.replace("live", "test")}`, "401 INVALID_API_KEY"],
    ["a mistyped key", () => `Bearer ${swapFirst(caller.key)}`, "401 INVALID_API_KEY"],
    ["a lowercase bearer", () => `bearer ${caller.key}`, "200"],
  ])("%s", async (_, header, expected) => {
    const response = await isolate.fetch(VERIFY, post(null, { number: VALID }, { Authorization: header() }));
    expect(await answer(response)).toBe(expected);
    // A mistyped key costs no lookup.
    if (response.status === 401) expect(isolate.calls).toStrictEqual([]);
  });
});

/** A key with its first two distinct random characters swapped. */
function swapFirst(key: string): string {
  const at = [...key].findIndex((character, index) => index >= 8 && character !== key[index + 1]);
  return key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
}

test("HEAD has the status of GET and no body", async () => {
  for (const [path, status] of [
    [VERIFY, 405],
    ["/api/v1/health", 200],
  ] as const) {
    const response = await isolate.fetch(path, { method: "HEAD" });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe("");
  }
});

/** Odd numbers are not malformed requests: they get a result. */
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

test.each(ODD_NUMBERS)("%j gets a result", async (number) => {
  for (const country of [undefined, "US", "BR"]) {
    expect((await isolate.fetch(VERIFY, post(caller.key, { number, country }))).status).toBe(200);
  }
  const sandbox = await network.anotherKey(caller.userId, "test");
  expect([200, 400]).toContain((await isolate.fetch(VERIFY, post(sandbox.apiKey, { number }))).status);
});

test.each(["", " \t\n"])("%j is no number", async (number) => {
  const response = await isolate.fetch(VERIFY, post(caller.key, { number }));
  expect(await response.json()).toMatchObject({ code: "VALIDATION_FAILED", fields: { number: "Must not be empty" } });
});
