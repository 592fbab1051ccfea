import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { Country } from "../../contract/countries.ts";
import type { CountriesResponse } from "../../contract/countries.ts";
import { DATA_RELEASES, endedRegisters, REGISTER_RELEASES } from "../../contract/data.ts";
import manifest from "../../contract/data-manifest.json" with { type: "json" };
import { version } from "../../package.json";
import { DATA_VERSION } from "../../worker/verification/data-version.ts";
import { COUNTRY_NAMES } from "../../contract/country-names.ts";
import { utcDay } from "../../worker/platform/time.ts";
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
      data_version: DATA_VERSION,
      data: DATA_RELEASES,
      registers: REGISTER_RELEASES,
      registers_ended: endedRegisters(REGISTER_RELEASES, utcDay(Date.now())),
      problems: [],
    });
    // Every table of the manifest is there.
    const [registers, others] = [true, false].map((isRegister) =>
      Object.entries(manifest).filter(([name]) => name.startsWith("allocation-") === isRegister),
    ) as [[string, object][], [string, (typeof manifest)["plans.bin"]][]];
    const tables = others.map(([, { source, release, date }]) => ({ source, release, date }));
    expect(Object.values(DATA_RELEASES)).toHaveLength(tables.length);
    expect(Object.values(REGISTER_RELEASES)).toHaveLength(registers.length);
    expect(Object.values(DATA_RELEASES)).toEqual(expect.arrayContaining(tables));
  });
});

describe("GET /api/v1/countries", () => {
  const read = (path = "", init: RequestInit = {}) => worker.fetch(`/api/v1/countries${path}`, init);

  test("lists every country with a numbering plan, for pages of any origin and for caches", async () => {
    const response = await read("", { headers: { Origin: "https://elsewhere.example" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=3600");
    const { countries } = v.parse(
      v.strictObject({ countries: v.array(v.strictObject(Country.entries)) }),
      await response.json(),
    );
    expect(countries.length).toBeGreaterThan(240);
    // The site's pickers don't ask for them.
    const listed = Object.fromEntries(countries.map(({ country_code, country_name }) => [country_code, country_name]));
    expect(listed).toStrictEqual(COUNTRY_NAMES);
  });

  test.each(["GB", "gb"])("/%s is one of them", async (code) => {
    const { countries } = (await (await read()).json()) as CountriesResponse;
    const response = await read(`/${code}`);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=3600");
    expect(await response.json()).toStrictEqual(countries.find(({ country_code }) => country_code === "GB"));
  });

  test.each(["UK", "ZZ", "GBR", "001", "__proto__", "%00", "G%2FB"])(
    "/%s is a 404, which isn't cached",
    async (code) => {
      const response = await read(`/${code}`);
      expect([response.status, response.headers.get("Cache-Control")]).toStrictEqual([404, "no-store"]);
      expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
    },
  );
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
    expect(await response.text()).toContain('<main id="main"');
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
