import { beforeAll, describe, expect, test } from "vitest";
import { SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const worker = startWorker();
let testKey: string;

beforeAll(async () => {
  testKey = await createKey(worker.db, "test", { subscription: "none" });
});

async function verify(body: object) {
  const response = await worker.fetch("/api/v1/verify", post(testKey, body));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("the sandbox", () => {
  test.each(SANDBOX_SUCCESSES)("$number is delivered", async ({ number, country }) => {
    const { status, body } = await verify({ number });
    expect(status).toBe(200);
    expect(body).toMatchObject({ valid: true, number, country_code: country, status: "DELIVERED_TO_HANDSET" });
  });

  // Written out, so that a mistake in the contract's table shows here.
  test.each([
    ["+12025550106", "REJECTED_NETWORK", "verification failed: Network is forbidden (code: 6)"],
    ["+1202", "REJECTED_FORMAT", "verification failed: Invalid number format (code: 7)"],
    ["12025550108", "REJECTED_PREFIX_MISSING", "verification failed: Number prefix missing (code: 8)"],
    ["+12025550109", "REJECTED_SUBSCRIBER_ABSENT", "verification failed: Subscriber absent (code: 9)"],
    ["+12025550110", "REJECTED_UNKNOWN_SUBSCRIBER", "verification failed: Unknown subscriber (code: 10)"],
    ["+12025550111", "REJECTED_UNDELIVERABLE", "verification failed: Undeliverable (code: 11)"],
    ["+12025550112", "UNDELIVERABLE_NOT_DELIVERED", "verification failed: Undeliverable (code: 12)"],
    ["+12025550113", "TEMPORARY_FAILURE", "verification failed: Temporary failure (code: 13)"],
    ["+12025550114", "SERVICE_UNAVAILABLE", "verification failed: Service unavailable (code: 14)"],
  ])("%s fails with %s", async (number, code, error) => {
    expect(await verify({ number })).toStrictEqual({ status: 400, body: { error, code } });
  });

  test("recognizes a scenario however its number is punctuated", async () => {
    expect((await verify({ number: "+1 (202) 555-0109" })).body["code"]).toBe("REJECTED_SUBSCRIBER_ABSENT");
    expect((await verify({ number: "(202) 555-0109", country: "US" })).body["code"]).toBe("REJECTED_SUBSCRIBER_ABSENT");
    expect((await verify({ number: "1 (202) 555-0108" })).body["code"]).toBe("REJECTED_PREFIX_MISSING");
  });

  test("uses the numbering plan for any other valid number", async () => {
    const { status, body } = await verify({ number: "+33612345678" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ valid: true, country_code: "FR", status: "DELIVERED_TO_HANDSET" });
  });

  test.each([
    ["", "NOT_A_NUMBER"],
    ["12", "MISSING_COUNTRY_CODE"],
    ["hello", "NOT_A_NUMBER"],
    ["+55", "NOT_A_NUMBER"],
    ["+1 203", "TOO_SHORT"],
  ])("rejects %j, which has fewer than six digits, with its result", async (number, reason) => {
    const { status, body } = await verify({ number });
    expect(status).toBe(400);
    expect(body).toStrictEqual({
      error: "verification failed: Invalid number format (code: 7)",
      code: "REJECTED_FORMAT",
      result: expect.objectContaining({ valid: false, reason }),
    });
  });

  test.each([
    ["431110", "MISSING_COUNTRY_CODE"],
    ["2083661177", "MISSING_COUNTRY_CODE"],
    ["+1 200 456 1414", "UNASSIGNED_RANGE"],
    ["+999 1234567", "INVALID_COUNTRY_CODE"],
  ])("returns a result for %j, as a live key does", async (number, reason) => {
    const { status, body } = await verify({ number });
    expect(status).toBe(200);
    expect(body).toMatchObject({ valid: false, reason });
    expect(body).not.toHaveProperty("status");
  });

  test("has the nine fail alone in a batch and a stream, where a short number is invalid", async () => {
    const numbers = ["+1202", "+12025550109", "+1 203", "+5511987654321"];
    const expected = [
      { code: "REJECTED_FORMAT", error: expect.any(String) },
      { code: "REJECTED_SUBSCRIBER_ABSENT", error: expect.any(String) },
      { valid: false, reason: "TOO_SHORT" },
      { valid: true, status: "DELIVERED_TO_HANDSET" },
    ];
    const batch = await worker.fetch("/api/v1/verify/batch", post(testKey, { numbers }));
    expect(await batch.json()).toMatchObject({ results: expected });
    const lines = numbers.map((number) => JSON.stringify({ number })).join("\n");
    const type = { "Content-Type": "application/x-ndjson" };
    const stream = await worker.fetch("/api/v1/verify/stream", post(testKey, lines, type));
    const results = (await stream.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(results).toMatchObject(expected);
    for (const failure of results.slice(0, 2)) expect(failure).not.toHaveProperty("result");
  });
});
