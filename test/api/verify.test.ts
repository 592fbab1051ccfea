import { beforeAll, describe, expect, test } from "vitest";
import type { VerificationResult } from "../../contract/verification.ts";
import * as engine from "../engine.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const worker = startWorker();
let liveKey: string;

beforeAll(async () => {
  liveKey = await createKey(worker.db, "live");
});

async function verify(body: unknown, path = "/api/v1/verify") {
  const response = await worker.fetch(path, post(liveKey, body));
  return { response, body: (await response.json()) as VerificationResult };
}

describe("POST /api/v1/verify with a live key", () => {
  test("returns every field for a Brazilian mobile number", async () => {
    const { response, body } = await verify({ number: "+55 (11) 97123-4567" });
    expect(response.status).toBe(200);
    expect(body).toStrictEqual(engine.verify("+5511971234567"));
    expect(body).toMatchObject({ valid: true, local_format: "(11) 97123-4567", carrier: "Vivo" });
  });

  test("says who was given the range and, where the plan mixes mobile and fixed, that the line type is theirs", async () => {
    const { body } = await verify({ number: "+1 202 456 1414" });
    expect(body).toMatchObject({
      valid: true,
      carrier: "Verizon",
      line_type: "fixed",
      line_type_source: "original_allocation",
      number_type: "fixed_line_or_mobile",
      allocation: { holder: "VERIZON WASHINGTON DC, INC." },
    });
    const unknown = await verify({ number: "+1 202 555 1212" });
    expect(unknown.body).toMatchObject({ line_type: null, line_type_source: null, allocation: { status: "unknown" } });
    expect(body).toMatchObject({ location: "Washington D.C.", time_zones: ["America/New_York"] });
  });

  test.each([
    [{ expect_country: "pt", accept_types: ["mobile"] }, true, null],
    [{ expect_country: "ES" }, false, "OTHER_COUNTRY"],
    [{ accept_types: ["fixed_line", "voip"] }, false, "OTHER_TYPE"],
    [{ accept_types: ["mobile"], accept_line_types: ["mobile"] }, true, null],
    [{ accept_line_types: ["fixed", "unknown"] }, false, "LINE_TYPE_NOT_ACCEPTED"],
    [{}, null, null],
    [{ expect_country: null, accept_types: null, accept_line_types: null }, null, null],
  ])("says whether a number meets %j", async (conditions, accepted, rejected_because) => {
    const { body } = await verify({ number: "+351 912 345 678", ...conditions });
    expect(body).toMatchObject({ valid: true, accepted, rejected_because });
  });

  test.each([
    [{ expect_country: "AQ" }, { expect_country: "No numbering plan is known for AQ" }],
    [{ expect_country: "Portugal" }, { expect_country: "Must be an ISO 3166-1 alpha-2 country code, such as US" }],
    [{ accept_types: [] }, { accept_types: "Must have at least one type" }],
    [{ accept_line_types: [] }, { accept_line_types: "Must have at least one type" }],
    [{ accept_line_types: ["landline"] }, { "accept_line_types[0]": "Must be one of mobile, fixed, voip, unknown" }],
    [{ accept_types: "mobile" }, { accept_types: "Must be an array of types" }],
    [
      { accept_types: ["mobile", "unknown"] },
      { "accept_types[1]": expect.stringMatching(/^Must be one of fixed_line,/) },
    ],
    [{ accept_types: Array(12).fill("mobile") }, { accept_types: "Must have at most 11 types" }],
  ])("rejects %j", async (conditions, fields) => {
    const { response, body } = await verify({ number: "+351 912 345 678", ...conditions });
    expect(response.status).toBe(400);
    expect(body).toMatchObject({ code: "VALIDATION_FAILED", fields });
  });

  test("works the same without the base path", async () => {
    const number = "+442083661177";
    const [versioned, alias] = await Promise.all([verify({ number }), verify({ number }, "/verify")]);
    expect(alias.body).toStrictEqual(versioned.body);
  });

  test("identifies the response in X-Request-Id with our own id, and keeps it out of caches", async () => {
    const request = post(liveKey, { number: "+442083661177" }, { "X-Request-Id": "req_theirs" });
    const response = await worker.fetch("/api/v1/verify", request);
    expect(response.headers.get("X-Request-Id")).toMatch(/^req_[0-9A-Za-z]{20}$/);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  });
});

describe("authorization", () => {
  test("a live key needs an active subscription", async () => {
    for (const subscription of ["none", "ended", "expired"] as const) {
      const key = await createKey(worker.db, "live", { subscription });
      const response = await worker.fetch("/api/v1/verify", post(key, { number: "+442083661177" }));
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: "SUBSCRIPTION_INACTIVE" });
    }
  });
});
