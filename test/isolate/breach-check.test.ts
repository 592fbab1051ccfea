import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { isBreached } from "../../worker/accounts/breached.ts";
import { PASSWORD } from "../factories.ts";
import { pathOf, post } from "../requests.ts";
import { until } from "./clock.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();

const ON = { BREACH_CHECK: "on" };
const CHOSEN = "tr0ub4dor&3 of the tests";
const HASH = createHash("sha1").update(CHOSEN).digest("hex").toUpperCase();
const REJECTION = "This password appeared in a data breach. Choose another one";

type List = (init: RequestInit) => Promise<Response>;

const asked: { readonly url: string; readonly init: RequestInit }[] = [];
let list: List;

/** The list's response: other suffixes of the range, and this one with its count. */
const listing =
  (times: number): List =>
  async () =>
    new Response([`${"0".repeat(35)}:3`, `${HASH.slice(5)}:${times}`, `${"F".repeat(35)}:0`].join("\r\n"));

const hanging: List = ({ signal }) =>
  new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason as Error)));

beforeEach(() => {
  asked.length = 0;
  list = listing(7);
  const fetch = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((url, init = {}) => {
    if (!String(url).includes("pwnedpasswords")) return fetch(url, init);
    asked.push({ url: String(url), init });
    return list(init);
  });
});

let people = 0;

async function register(password: string, settings: { readonly BREACH_CHECK?: string } = ON): Promise<Response> {
  const isolate = await network.isolate({ settings });
  people += 1;
  return isolate.fetch(pathOf("register"), post(null, { name: "Ada", email: `breach${people}@example.com`, password }));
}

test.each([{}, { BREACH_CHECK: "off" }, { BREACH_CHECK: "yes" }])(
  "with %j the list is not queried",
  async (settings) => {
    expect((await register(CHOSEN, settings)).status).toBe(201);
    expect(asked).toStrictEqual([]);
  },
);

describe("enabled", () => {
  test("rejects a listed password, and sends only five digits of its SHA-1", async () => {
    const response = await register(CHOSEN);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "VALIDATION_FAILED", fields: { password: REJECTION } });
    const { url, init } = asked[0]!;
    expect(asked).toHaveLength(1);
    expect(url).toBe(`https://api.pwnedpasswords.com/range/${HASH.slice(0, 5)}`);
    expect(init).toStrictEqual({
      headers: { "Add-Padding": "true" },
      redirect: "manual",
      signal: expect.any(AbortSignal),
    });
    expect(network.logs.join()).not.toContain(CHOSEN);
  });

  test("rejects it for a password change, and the old one stays", async () => {
    const isolate = await network.isolate({ settings: ON });
    const { token, email } = await network.caller();
    const change = post(token, { old_password: PASSWORD, new_password: CHOSEN });
    const response = await isolate.fetch(pathOf("changePassword"), change);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ fields: { new_password: REJECTION } });
    const login = await isolate.fetch(pathOf("login"), post(null, { email, password: PASSWORD }));
    expect(login.status).toBe(200);
  });

  test("does not query or report anything about a new password while the current one is wrong", async () => {
    const isolate = await network.isolate({ settings: ON });
    const { token } = await network.caller();
    for (const next of [CHOSEN, "password", "not the current one"]) {
      const change = post(token, { old_password: "not the current one", new_password: next });
      const response = await isolate.fetch(pathOf("changePassword"), change);
      expect(await response.json()).toMatchObject({ code: "WRONG_PASSWORD" });
    }
    expect(asked).toStrictEqual([]);
  });

  test.each([
    ["is not listed", async () => new Response(`${"0".repeat(35)}:3`)],
    ["is padding only", listing(0)],
  ] satisfies [string, List][])("accepts a password that %s", async (_, response) => {
    list = response;
    expect((await register(CHOSEN)).status).toBe(201);
    expect(asked).toHaveLength(1);
  });

  test("does not query the list for a password that is rejected anyway", async () => {
    expect((await register("password")).status).toBe(400);
    expect(asked).toStrictEqual([]);
  });

  test("accepts a password when the list does not respond", async () => {
    list = hanging;
    expect((await register(CHOSEN)).status).toBe(201);
  });
});

test.each([
  ["fails", async () => new Response(`${HASH.slice(5)}:7`, { status: 503 })],
  ["redirects", async () => new Response(null, { status: 302, headers: { Location: "https://elsewhere.example" } })],
  ["cannot be reached", async () => Promise.reject(new TypeError("fetch failed"))],
  ["does not respond", hanging],
] satisfies [string, List][])(
  "no one waits more than a second for a list that %s, and it is logged",
  async (_, response) => {
    list = response;
    const began = Date.now();
    expect(await until(isBreached(CHOSEN))).toBe(false);
    expect(Date.now() - began).toBeLessThanOrEqual(1_000);
    expect(network.logs.filter((line) => line.includes("breach_check_failed"))).toHaveLength(1);
    expect(network.logs.join()).not.toContain(HASH.slice(0, 5));
  },
);

test("a malformed list lists nothing", async () => {
  list = async () => new Response("<html>");
  expect(await until(isBreached(CHOSEN))).toBe(false);
});
