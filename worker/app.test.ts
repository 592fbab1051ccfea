import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ENDPOINTS } from "../contract/endpoints/index.ts";
import { createApp } from "./app.ts";
import type { Bindings } from "./env.ts";
import { createIsolate } from "./io.ts";

const SETTINGS = { ENVIRONMENT: "development", SESSION_SECRET: "a-secret-of-this-test-and-no-other" };

const app = createApp(createIsolate(SETTINGS as never as Bindings));

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

test("one regular expression finds every route", async () => {
  await app.request("/api/v1/nothing");
  expect(app.router).toHaveProperty("name", "SmartRouter + RegExpRouter");
});

/** The declared operations of each path. */
const PATHS = [...Map.groupBy(ENDPOINTS, ({ path }) => path)];

describe.each(PATHS)("a method that %s doesn't have", (path, operations) => {
  const called = path.replace("{id}", "key_1").replace("{code}", "DE");
  const methods = operations.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  const takesKeys = operations.some(({ credential }) => credential === "key" || credential === "any");

  test.each(takesKeys ? ["PUT", "PROPFIND"] : ["PUT", "PROPFIND", "OPTIONS"])("%s", async (method) => {
    const response = await app.request(called, { method, headers: { Origin: "https://a.example" } });
    expect([response.status, response.headers.get("Allow")]).toStrictEqual([405, methods.join(", ")]);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe(takesKeys ? "*" : null);
    expect(await response.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  });
});
