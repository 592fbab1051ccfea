import { describe, expect, test } from "vitest";
import { version } from "../../package.json";
import { startWorker } from "../harness.ts";

const worker = startWorker();

describe("GET /api/v1/health", () => {
  test("tells the versions of service and data", async () => {
    const response = await worker.fetch("/api/v1/health");
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual({
      status: "ok",
      version,
      version_id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      data: { numbering_plans: "9.0.40", carriers: "9.0.27", locations: "9.0.27", time_zones: "9.0.27" },
      problems: [],
    });
  });
});

describe("the site", () => {
  test("is served beside the API", async () => {
    const response = await worker.fetch("/");
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Know what a number says");
  });

  test.each([
    ["/docs", "/docs/introduction"],
    ["/sdks", "/docs/sdks"],
    ["/sdks/", "/docs/sdks"],
  ])("sends readers of %s on to %s", async (path, to) => {
    const response = await worker.fetch(path, { redirect: "manual" });
    expect({ status: response.status, to: response.headers.get("Location") }).toStrictEqual({ status: 302, to });
  });

  test("answers an unknown page with a page and a real 404", async () => {
    const response = await worker.fetch("/no-such-page");
    expect(response.status).toBe(404);
    expect(response.headers.get("Content-Type")).toContain("text/html");
  });
});
