import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { discardSession, renewing } from "./on-server.ts";
import { dropToken, readToken, storeToken } from "./token.ts";

function tokenOf(sid: string, number: number): string {
  return ["e30", Buffer.from(JSON.stringify({ sub: "usr_1", sid })).toString("base64url"), String(number)].join(".");
}

/** The tokens whose sessions the server was asked to end. */
const ended: (string | null)[] = [];

beforeEach(() => {
  dropToken();
  ended.length = 0;
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    expect([path, init.method, init.keepalive]).toStrictEqual(["/api/v1/auth/logout", "POST", true]);
    ended.push(new Headers(init.headers).get("Authorization"));
    throw new TypeError("Nobody is there.");
  });
});

afterEach(() => vi.unstubAllGlobals());

test("a renewed token replaces its session's earlier one", async () => {
  storeToken(tokenOf("ses_1", 1));
  const session = { token: tokenOf("ses_1", 2) };
  expect(await renewing(Promise.resolve(session))).toBe(session);
  expect(readToken()).toBe(session.token);
  expect(ended).toStrictEqual([]);
});

test.each([
  ["logged out", null],
  ["logged in again", tokenOf("ses_2", 1)],
])("it does not come back if another tab has %s in the meantime, and ends on the server", async (_, meanwhile) => {
  storeToken(tokenOf("ses_1", 1));
  const response = Promise.withResolvers<{ token: string }>();
  const renewed = renewing(response.promise);
  dropToken();
  if (meanwhile !== null) storeToken(meanwhile);
  response.resolve({ token: tokenOf("ses_1", 2) });
  await renewed;
  expect(readToken()).toBe(meanwhile);
  expect(ended).toStrictEqual([`Bearer ${tokenOf("ses_1", 2)}`]);
});

test("a discarded session ends in the browser immediately, and on the server if it is reachable", () => {
  discardSession();
  expect(ended).toStrictEqual([]);
  storeToken(tokenOf("ses_1", 1));
  discardSession();
  expect(readToken()).toBeNull();
  expect(ended).toStrictEqual([`Bearer ${tokenOf("ses_1", 1)}`]);
});
