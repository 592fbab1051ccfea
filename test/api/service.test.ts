import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { DATA_RELEASES } from "../../contract/data.ts";
import manifest from "../../contract/data-manifest.json" with { type: "json" };
import { version } from "../../package.json";
import { startWorker } from "../harness.ts";

const worker = startWorker();

describe("GET /api/v1/health", () => {
  test("returns the versions of service and data", async () => {
    const response = await worker.fetch("/api/v1/health");
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual({
      status: "ok",
      version,
      version_id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      data: DATA_RELEASES,
      problems: [],
    });
    // Every table of the manifest is there.
    const tables = Object.values(manifest).map(({ source, release, date }) => ({ source, release, date }));
    expect(Object.values(DATA_RELEASES)).toHaveLength(tables.length);
    expect(Object.values(DATA_RELEASES)).toEqual(expect.arrayContaining(tables));
  });
});

test("TRACE is rejected", async () => {
  // `fetch` can't send it.
  const sent = request(`${worker.url}api/v1/health`, { method: "TRACE" }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(405);
});

describe("the site", () => {
  test("is served beside the API", async () => {
    const response = await worker.fetch("/");
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Know what a number tells you");
  });

  test.each([
    ["/docs", "/docs/introduction"],
    ["/sdks", "/docs/sdks"],
    ["/sdks/", "/docs/sdks"],
  ])("redirects readers of %s to %s", async (path, to) => {
    const response = await worker.fetch(path, { redirect: "manual" });
    expect({ status: response.status, to: response.headers.get("Location") }).toStrictEqual({ status: 302, to });
  });

  test("returns a page with a real 404 for an unknown path", async () => {
    const response = await worker.fetch("/no-such-page");
    expect(response.status).toBe(404);
    expect(response.headers.get("Content-Type")).toContain("text/html");
  });

  test("is served by the platform, without the worker: other methods get a 405 without a request ID, as documented", async () => {
    const response = await worker.fetch("/no-such-page", { method: "POST" });
    const { status, headers } = response;
    expect({ status, id: headers.get("X-Request-Id") }).toStrictEqual({ status: 405, id: null });
  });
});
