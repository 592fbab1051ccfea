import { beforeAll, describe, expect, test } from "vitest";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const worker = startWorker();
let liveKey: string;
let testKey: string;

beforeAll(async () => {
  liveKey = await createKey(worker.db, "live");
  testKey = await createKey(worker.db, "test");
});

interface BatchAnswer {
  readonly results: readonly Record<string, unknown>[];
  readonly fields?: Record<string, string>;
}

async function batch(key: string, body: unknown) {
  const response = await worker.fetch("/api/v1/verify/batch", post(key, body));
  return { status: response.status, body: (await response.json()) as BatchAnswer };
}

describe("POST /api/v1/verify/batch", () => {
  test("responds in order, and to unusable items with a reason", async () => {
    const numbers = ["+5511961234567", "", "hello", "020 7946 0018", "9".repeat(300)];
    const { status, body } = await batch(liveKey, { numbers, country: "GB" });
    expect(status).toBe(200);
    expect(body.results.map((result) => [result["valid"], result["number"], result["reason"]])).toStrictEqual([
      [true, "+5511961234567", null],
      [false, null, "NOT_A_NUMBER"],
      [false, null, "NOT_A_NUMBER"],
      [true, "+442079460018", null],
      [false, null, "TOO_LONG"],
    ]);
  });

  test("returns the same for each item as the single call", async () => {
    const numbers = ["+5511961234567", "+12024561414", "+80012345678", "+1202"];
    const { body } = await batch(liveKey, { numbers });
    for (const [index, number] of numbers.entries()) {
      const single = await worker.fetch("/api/v1/verify", post(liveKey, { number }));
      expect(body.results[index]).toStrictEqual(await single.json());
    }
  });

  test("with a test key, failing scenarios have an error and a code and the others continue", async () => {
    const { status, body } = await batch(testKey, { numbers: ["+12025550123", "+12025550113", ""] });
    expect(status).toBe(200);
    expect(body.results[0]).toMatchObject({ valid: true, status: "DELIVERED_TO_HANDSET" });
    expect(body.results[1]).toStrictEqual({
      number: "+12025550113",
      error: "verification failed: Temporary failure (code: 13)",
      code: "TEMPORARY_FAILURE",
    });
    expect(body.results[2]).toMatchObject({ valid: false, reason: "NOT_A_NUMBER" });
  });

  test("accepts 100 numbers and not one more", async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => `+1202456${String(index).padStart(4, "0")}`);
    const full = await batch(liveKey, { numbers });
    expect(full.body.results).toHaveLength(100);
    const over = await batch(liveKey, { numbers: [...numbers, "+12024561414"] });
    expect(over.status).toBe(400);
    expect(over.body.fields).toStrictEqual({ numbers: "Must have at most 100 numbers" });
  });

  test("reads each number in its own country, or else in the request's", async () => {
    const numbers = [
      "020 7946 0018",
      { number: "030 901820", country: "de" },
      { number: "020 7946 0018" },
      { number: "01 42 68 53 00", country: "FR" },
      { number: "020 7946 0018", country: null },
    ];
    const { status, body } = await batch(liveKey, { numbers, country: "GB", expect_country: "GB" });
    expect(status).toBe(200);
    expect(body.results.map((result) => [result["number"], result["accepted"]])).toStrictEqual([
      ["+442079460018", true],
      ["+4930901820", false],
      ["+442079460018", true],
      ["+33142685300", false],
      ["+442079460018", true],
    ]);
  });

  test("accepts each number by its own condition, in place of the request's", async () => {
    const numbers = [
      "+442079460018",
      { number: "+4930901820", expect_country: "DE" },
      { number: "+442079460018", expect_country: "DE" },
      { number: "030 901820", country: "DE" },
      { number: "+4930901820", expect_country: null },
    ];
    const { body } = await batch(liveKey, { numbers, expect_country: "GB" });
    expect(body.results.map(({ accepted }) => accepted)).toStrictEqual([true, true, false, false, false]);
    const { body: none } = await batch(liveKey, { numbers: numbers.slice(0, 3) });
    expect(none.results.map(({ accepted }) => accepted)).toStrictEqual([null, true, false]);
  });

  test("names the item that is wrong, and its field", async () => {
    const { status, body } = await batch(liveKey, {
      numbers: [
        "+1",
        12,
        null,
        { number: 5 },
        { number: "1", country: "XXX" },
        { country: "DE" },
        { number: "1", a: 1 },
      ],
    });
    expect(status).toBe(400);
    expect(body.fields).toStrictEqual({
      "numbers[1]": "Must be a string, or an object with number, country, and expect_country",
      "numbers[2]": "Must be a string, or an object with number, country, and expect_country",
      "numbers[3].number": "Must be a string",
      "numbers[4].country": "Must be an ISO 3166-1 alpha-2 country code, such as US",
      "numbers[5].number": "Required",
      "numbers[6].a": "Unknown field",
    });
    const unknown = await batch(liveKey, {
      country: "Brazil",
      numbers: ["+1", { number: "1", country: "UK" }, { number: "1", country: "AQ" }],
    });
    expect(unknown.body.fields).toStrictEqual({
      country: "Must be an ISO 3166-1 alpha-2 country code, such as US",
      "numbers[1].country": "Use GB for the United Kingdom",
      "numbers[2].country": "No numbering plan is known for AQ",
    });
  });

  test("with an Idempotency-Key, a repeated body counts once, and one with another country is refused", async () => {
    const key = await createKey(worker.db, "live");
    const send = (country: string) => {
      const request = post(key, { numbers: [{ number: "030 901820", country }] });
      return worker.fetch("/api/v1/verify/batch", {
        ...request,
        headers: { ...request.headers, "Idempotency-Key": "list-1" },
      });
    };
    expect((await send("DE")).status).toBe(200);
    expect((await send("DE")).status).toBe(200);
    const other = await send("AT");
    expect([other.status, await other.json()]).toMatchObject([422, { code: "IDEMPOTENCY_MISMATCH" }]);
  });
});
