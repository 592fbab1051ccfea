import { describe, expect, test } from "vitest";
import { ORIGIN } from "../../contract/origin.ts";
import type { Settings } from "../../worker/platform/config.ts";
import { everyOperation } from "../every-operation.ts";
import { post } from "../requests.ts";
import { VALID } from "./calls.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();

const PRODUCTION: Settings = { ENVIRONMENT: "production" };

describe("over plain http", () => {
  test("nothing is served in production: no redirect, and the key is not even looked up", async () => {
    const caller = await network.caller();
    const isolate = await network.isolate({ settings: PRODUCTION });
    for (const [, { path, credentialOf, request }] of everyOperation()) {
      const response = await isolate.fetch(`http://checkline.test${path}`, request(credentialOf(caller)));
      expect({ path, status: response.status }).toStrictEqual({ path, status: 403 });
      expect(response.headers.get("Location")).toBeNull();
      expect(await response.json()).toMatchObject({ code: "HTTPS_REQUIRED" });
    }
    expect(isolate.calls).toStrictEqual([]);
  });

  test.each([
    ["https in production", PRODUCTION, "https://checkline.test"],
    ["this machine in production", PRODUCTION, "http://127.0.0.1:8787"],
    ["this machine by IPv6", PRODUCTION, "http://[::1]:8787"],
    ["plain http in development", {}, "http://checkline.test"],
  ])("but %s is", async (_, settings, origin) => {
    const { key } = await network.caller();
    const isolate = await network.isolate({ settings });
    expect((await isolate.fetch(`${origin}/api/v1/verify`, post(key, { number: VALID }))).status).toBe(200);
  });

  test.each(["http://localhost.checkline.test", "http://127.0.0.1.checkline.test"])(
    "%s is not this machine",
    async (origin) => {
      const isolate = await network.isolate({ settings: PRODUCTION });
      expect((await isolate.fetch(`${origin}/api/v1/health`)).status).toBe(403);
    },
  );
});

describe("every response", () => {
  const SECURE = {
    "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "x-content-type-options": "nosniff",
  };

  test.each([
    [200, "/api/v1/health", {}, {}],
    [401, "/api/v1/verify", post(null, { number: VALID }), {}],
    [400, "/api/v1/auth/login", post(null, "{"), {}],
    [404, "/api/v1/nothing", {}, {}],
    [405, "/api/v1/verify", {}, {}],
    [204, "/api/v1/verify", { method: "OPTIONS", headers: { Origin: "https://a.example" } }, {}],
    [403, "http://checkline.test/api/v1/health", {}, PRODUCTION],
    [503, "/api/v1/health", {}, { SESSION_SECRET: "short" }],
  ])("with %d of %s has the headers", async (status, path, init, settings) => {
    const response = await (await network.isolate({ settings })).fetch(path, init);
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject(SECURE);
  });
});

describe("openapi.json", () => {
  /** The address of the service in the document, which has no other. */
  async function serverOf(response: Response): Promise<string> {
    expect(response.headers.get("Content-Type")).toBe("application/json");
    const text = await response.text();
    expect(text).not.toContain(ORIGIN);
    return (JSON.parse(text) as { servers: { url: string }[] }).servers[0]!.url;
  }

  test("contains the configured address for any host, and may be cached", async () => {
    const isolate = await network.isolate();
    const response = await isolate.fetch("https://attacker.example/api/v1/openapi.json");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=300");
    expect(await serverOf(response)).toBe("https://checkline.test");
  });

  test("contains the requested host if none is configured, and is not cached", async () => {
    const isolate = await network.isolate({ settings: { PUBLIC_ORIGIN: undefined as never } });
    const response = await isolate.fetch("https://checkline.name.workers.dev/api/v1/openapi.json");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await serverOf(response)).toBe("https://checkline.name.workers.dev");
  });
});

describe("a body that is cut off", () => {
  const withJson = everyOperation(({ request, format }) => request !== undefined && format === undefined);
  test.each(withJson)("is the caller's 400 and not our failure: %s", async (_, { path, credentialOf, request }) => {
    const credential = credentialOf(await network.caller());
    const isolate = await network.isolate();
    for (const [headers, after] of [
      [{}, 1],
      [{ "Content-Length": "100" }, 1],
      [{}, 0],
    ] as const) {
      let sent = 0;
      const body = new ReadableStream({
        pull(controller) {
          if (sent++ < after) controller.enqueue(new TextEncoder().encode('{"a'));
          else controller.error(new TypeError("Network connection lost."));
        },
      });
      const init = { ...request(credential, "", headers), body, duplex: "half" };
      const response = await isolate.fetch(path, init);
      expect({ status: response.status, body: await response.json() }).toStrictEqual({
        status: 400,
        body: { error: "The request body is incomplete or malformed.", code: "INVALID_JSON" },
      });
    }
    await isolate.settled();
    const lines = network.logs.map((line) => JSON.parse(line) as { level: string; event: string });
    expect(lines.filter(({ level }) => level !== "info")).toStrictEqual([]);
  });
});
