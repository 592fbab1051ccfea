import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ERRORS } from "../../../contract/errors.ts";
import { verify } from "../../../test/engine.ts";

type Insight = Readonly<Record<string, unknown>>;
type NumberInsight = (
  level: string,
  number: string,
  options?: { country?: string; lenient?: boolean },
) => Promise<Insight>;
const { numberInsight } = (await import(join(import.meta.dirname, "number-insight.mjs"))) as {
  numberInsight: NumberInsight;
};

/** Answers in place of the API: the engine’s result, or an error. */
function answerWith(error?: keyof typeof ERRORS): void {
  vi.stubGlobal("fetch", (_url: string, { body }: { body: string }) => {
    const { number, country } = JSON.parse(body) as { number: string; country?: string };
    const headers = { "X-Request-Id": "request-1" };
    if (error === undefined) return Response.json(verify(number, country), { headers });
    return Response.json({ error: ERRORS[error].message, code: error }, { status: ERRORS[error].status, headers });
  });
}

afterEach(() => vi.unstubAllGlobals());

/** The fields that Number Insight documents, of each level beyond the one before. */
const DOCUMENTED = {
  basic: [
    ..."status status_message request_id international_format_number national_format_number".split(" "),
    ..."country_code country_code_iso3 country_name country_prefix".split(" "),
  ],
  standard: [
    ..."request_price refund_price remaining_balance current_carrier original_carrier ported".split(" "),
    ..."roaming caller_identity caller_name last_name first_name caller_type".split(" "),
  ],
  advanced: "lookup_outcome lookup_outcome_message valid_number reachable ip_warnings error_text".split(" "),
};
const LEVELS = ["basic", "standard", "advanced"] as const;
const NETWORK = ["current_carrier", "ported", "roaming", "reachable", "valid_number"];

describe.each(LEVELS)("at level %s", (level) => {
  const fields = LEVELS.slice(0, LEVELS.indexOf(level) + 1).flatMap((each) => DOCUMENTED[each]);

  test("every documented field has a value or throws its name", async () => {
    answerWith();
    const response = await numberInsight(level, "5511987654321");
    expect(Object.getOwnPropertyNames(response).toSorted()).toStrictEqual(fields.toSorted());
    for (const name of fields.filter((field) => !Object.keys(response).includes(field))) {
      expect(() => response[name], name).toThrow(`Checkline can't tell ${name}.`);
    }
    expect(NETWORK.filter((name) => name in JSON.parse(JSON.stringify(response)))).toStrictEqual([]);
  });

  test("a lenient caller gets the documented unknown instead", async () => {
    answerWith();
    const response = await numberInsight(level, "5511987654321", { lenient: true });
    const told = fields.filter((field) => NETWORK.includes(field)).map((field) => [field, response[field]]);
    const all = {
      current_carrier: { network_code: "unknown", network_type: "unknown" },
      ported: "unknown",
      roaming: { status: "unknown" },
      valid_number: "unknown",
      reachable: "unknown",
    };
    expect(all).toMatchObject(Object.fromEntries(told));
    for (const name of ["country_code_iso3", "ip_warnings", "error_text"]) expect(response[name]).toBeUndefined();
  });
});

test("fills the fields in Number Insight's forms", async () => {
  answerWith();
  expect({ ...(await numberInsight("standard", "55 (11) 98765-4321")) }).toStrictEqual({
    status: 0,
    status_message: "Success",
    request_id: "request-1",
    country_code: "BR",
    country_name: "Brazil",
    country_prefix: "55",
    international_format_number: "5511987654321",
    national_format_number: "(11) 98765-4321",
    original_carrier: { name: "TIM", country: "BR", network_type: "mobile" },
  });
  const { original_carrier } = await numberInsight("standard", "020 7946 0018", { country: "GB" });
  expect(original_carrier).toMatchObject({ country: "GB", network_type: "landline" });
  expect(() => (original_carrier as Insight)["network_code"]).toThrow("network_code");
});

test.each([
  ["5511987654321", "mobile"],
  ["442079460018", "landline"],
  ["18005550199", "landline_tollfree"],
  ["19005550100", "landline_premium"],
  ["445612345678", "virtual"],
  ["447600123456", "pager"],
  ["443301234567", "unknown"],
])("%s is on a network of type %s", async (number, network_type) => {
  answerWith();
  const response = await numberInsight("standard", number);
  expect(response["original_carrier"]).toMatchObject({ network_type });
});

test("an invalid number is status 3 with the reason", async () => {
  answerWith();
  expect(await numberInsight("basic", "1202")).toStrictEqual({
    status: 3,
    status_message: "Invalid number: TOO_SHORT",
    request_id: "request-1",
  });
});

test.each([
  ["VALIDATION_FAILED", 3],
  ["INVALID_API_KEY", 4],
  ["ACCOUNT_SUSPENDED", 4],
  ["QUOTA_EXCEEDED", 9],
  ["RATE_LIMITED", 1],
  ["INTERNAL_ERROR", 5],
  ["TEMPORARILY_UNAVAILABLE", 5],
] as const)("%s is status %i", async (code, status) => {
  answerWith(code);
  const response = await numberInsight("basic", "5511987654321");
  expect(response).toMatchObject({ status, status_message: ERRORS[code].message });
});
