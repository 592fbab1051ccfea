import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import type { RequestContext } from "../../worker/http/context.ts";
import { isFromAnotherOrigin } from "../../worker/http/origins.ts";
import { post, send } from "../requests.ts";
import { VALID } from "./calls.ts";
import { startNetwork } from "./network.ts";
import type { NetworkIsolate } from "./network.ts";

const network = startNetwork();

const PATHS = ["/api/v1/verify", "/verify", "/api/v1/verify/batch"];
const PAGE = { Origin: "https://some-page.example" };

let isolate: NetworkIsolate;

beforeEach(async () => {
  isolate = await network.isolate();
});

function allowedOrigin({ headers }: Response): string | null {
  return headers.get("Access-Control-Allow-Origin");
}

function call(key: string | null, headers: Record<string, string>, body: unknown = { number: VALID }) {
  return isolate.fetch("/api/v1/verify", post(key, body, headers));
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code;
}

/** The values in a row of the docs' table about CORS. */
function documented(row: string): string[] {
  const docs = readFileSync("web/content/docs/conventions.mdx", "utf8");
  const [, values] = new RegExp(`^\\| ${row} +\\| (.*) \\|$`, "m").exec(docs)!;
  return [...values!.matchAll(/`([^`]+)`/g)].map(([, value]) => value!);
}

describe("a preflight", () => {
  test.each(PATHS)("of %s allows GET and POST with the headers of a call from any page, for a day", async (path) => {
    const asked = {
      ...PAGE,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization",
    };
    const answer = await isolate.fetch(path, { method: "OPTIONS", headers: asked });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET,POST",
      "access-control-allow-headers": "Authorization,Content-Type,Idempotency-Key,User-Agent",
      "access-control-max-age": "86400",
    });
    const listed = (name: string) => answer.headers.get(`Access-Control-${name}`)!.split(",");
    expect(documented("Methods")).toStrictEqual(listed("Allow-Methods"));
    expect(documented("Request headers")).toStrictEqual(listed("Allow-Headers"));
    expect(answer.headers.has("Access-Control-Allow-Credentials")).toBe(false);
    expect(isolate.calls).toStrictEqual([]);
  });

  test.each(["/api/v1/account/me", "/api/v1/account/api-keys", "/api/v1/auth/login"])(
    "of %s, a dashboard route, allows nothing",
    async (path) => {
      const asked = { ...PAGE, "Access-Control-Request-Method": "GET" };
      expect(allowedOrigin(await isolate.fetch(path, { method: "OPTIONS", headers: asked }))).toBeNull();
    },
  );
});

describe("a call from a page", () => {
  test.each(["%00", "a b"])("is from another origin if the Host header, %j, is not a host", (host) => {
    // `fetch` would reject the address.
    const c = (origin?: string) => ({
      req: { url: `http://${host}/verify`, header: () => origin },
    });
    expect(isFromAnotherOrigin(c("null") as never as RequestContext)).toBe(true);
    expect(isFromAnotherOrigin(c() as never as RequestContext)).toBe(false);
  });

  test("with a test key gets a response, with everything that a client reads", async () => {
    const { key } = await network.caller("test");
    const answer = await call(key, PAGE);
    expect(answer.status).toBe(200);
    expect(allowedOrigin(answer)).toBe("*");
    const exposed = answer.headers.get("Access-Control-Expose-Headers")?.split(",");
    expect(exposed).toStrictEqual([
      "X-Request-Id",
      "Data-Version",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "Server-Timing",
    ]);
    expect(documented("Readable headers")).toStrictEqual(exposed);
    for (const name of ["X-Request-Id", "Data-Version", "RateLimit", "RateLimit-Policy", "Server-Timing"]) {
      expect(answer.headers.has(name)).toBe(true);
    }
  });

  test("with a live key is rejected, readably, and not counted", async () => {
    const { key } = await network.caller();
    const answer = await call(key, PAGE);
    expect(answer.status).toBe(403);
    expect(allowedOrigin(answer)).toBe("*");
    expect(await codeOf(answer)).toBe("BROWSER_ORIGIN_REFUSED");
    await isolate.settled();
    expect(network.queued()).toBe(0);
  });

  test.each(["null", "http://checkline.test", "https://checkline.test:8443", "https://checkline.test.evil.example"])(
    "with a live key and the origin %s is rejected",
    async (origin) => {
      const { key } = await network.caller();
      expect((await call(key, { Origin: origin })).status).toBe(403);
    },
  );

  test("of our own site with a live key works, and so does one from a server", async () => {
    const { key } = await network.caller();
    expect((await call(key, { Origin: "https://checkline.test" })).status).toBe(200);
    expect((await call(key, {})).status).toBe(200);
  });

  test("to the dashboard's routes can't be read elsewhere", async () => {
    const { token } = await network.caller();
    const answer = await isolate.fetch("/api/v1/account/me", send("GET", token, undefined, PAGE));
    expect(answer.status).toBe(200);
    expect(allowedOrigin(answer)).toBeNull();
  });
});

describe("errors can be read by the page", () => {
  test("401, 400, 413 and 415", async () => {
    const { key } = await network.caller("test");
    const answers = [
      [401, await call(null, PAGE)],
      [401, await call("ch_test_mistyped", PAGE)],
      [400, await call(key, PAGE, "{")],
      [400, await call(key, PAGE, {})],
      [400, await call(key, PAGE, { number: "+12025550106" })],
      [413, await call(key, PAGE, { number: "1".repeat(9_000) })],
      [415, await call(key, { ...PAGE, "Content-Type": "text/plain" })],
    ] as const;
    for (const [status, answer] of answers) {
      expect(answer.status).toBe(status);
      expect(allowedOrigin(answer)).toBe("*");
      expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("X-Request-Id");
    }
  });

  test("429, with when to retry, and 503", async () => {
    const { key } = await network.caller("test");
    let answer = await call(key, PAGE);
    for (let made = 1; made <= 60; made++) answer = await call(key, PAGE);
    expect(answer.status).toBe(429);
    expect(allowedOrigin(answer)).toBe("*");
    expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("Retry-After");
    const { key: unknown } = await network.caller("test");
    Object.assign(network.faults, { d1: "down", kv: "down" });
    const unavailable = await call(unknown, PAGE);
    expect(unavailable.status).toBe(503);
    expect(allowedOrigin(unavailable)).toBe("*");
  });
});
