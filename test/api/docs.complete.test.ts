import { SDK_ERROR_CODES } from "../../contract/sdks.ts";
import { describe, expect, test } from "vitest";
import {
  DELIVERABILITY_FLAGS,
  INVALID_REASONS,
  REJECTION_REASONS,
  SHORT_CODE_COSTS,
  SUGGESTION_REASONS,
  NUMBER_TYPES,
} from "../../contract/result-values.ts";
import { VerificationResult } from "../../contract/verification.ts";
import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { MAX_BATCH_SIZE, TEST_LOOKUPS_PER_DAY } from "../../contract/limits.ts";
import { TEST_LIMITS } from "../../contract/plans.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESS_STATUS, SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import { builtPages, builtSamples, expectSameJson } from "../docs-samples.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const pages = builtPages();
const all = [...pages.values()].join("\n");

/** Uppercase names that are not codes: the sandbox's success status, variables, and placeholders for any code. */
const OTHER_NAMES: readonly string[] = [
  SANDBOX_SUCCESS_STATUS,
  "CHECKLINE_API_KEY",
  "A_STABLE_NAME",
  "CHECKLINE_BASE_URL",
  "YOUR_API_KEY",
  // From Twilio and libphonenumber.
  "INVALID_BUT_POSSIBLE",
  "FIXED_LINE_OR_MOBILE",
];

/** Errors whose message depends on the request. */
const SENTENCES: Readonly<Record<string, RegExp>> = {
  VALIDATION_FAILED: /^The request is invalid \(.+\)\.$/,
  RATE_LIMITED: new RegExp(
    `^The limit is ${TEST_LIMITS.requestsPerMinute} requests per minute\\. Try again in \\d+ seconds?\\.$|^Test keys can verify ${TEST_LOOKUPS_PER_DAY.toLocaleString("en-US")} numbers per day outside the sandbox\\. None are left until midnight UTC\\.$`,
  ),
  QUOTA_EXCEEDED: /^You've used all [\d,]+ verifications in your plan\.$/,
  QUOTA_TOO_SMALL: /^This batch needs \d+ verifications, but your plan has \d+ left\.$/,
};

const worker = startWorker();

/** The operations in the OpenAPI document: `POST /api/v1/verify`. */
async function describedOperations(): Promise<string[]> {
  const { paths } = (await (await worker.fetch("/api/v1/openapi.json")).json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Operations in the docs, with a method before the path. */
function namedOperations(): Set<string> {
  const found = all.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w./{}-]*[\w}])/g);
  return new Set([...found].map(([, method, path]) => `${method} ${path}`));
}

/** Paths below the base path in the docs, including within addresses. */
function namedPaths(): Set<string> {
  return new Set([...all.matchAll(/\/api\/v1\/[\w./{}-]*[\w}]/g)].map(([path]) => path));
}

describe("the docs cover the contract", () => {
  test.each([...Object.keys(ERRORS), ...Object.keys(SANDBOX_ERRORS)])("the error %s", (code) => {
    expect(all).toMatch(new RegExp(`\\b${code}\\b`));
  });

  test("every field of a result, every reason, type, and flag", () => {
    const schema = pages.get("response-schema")!;
    const fields = Object.keys(VerificationResult.entries);
    const nested = Object.keys(VerificationResult.entries.deliverability.entries).map((key) => `deliverability.${key}`);
    const values: string[] = [...INVALID_REASONS, ...SUGGESTION_REASONS, ...REJECTION_REASONS, ...SHORT_CODE_COSTS];
    values.push(...NUMBER_TYPES, ...DELIVERABILITY_FLAGS);
    expect([...fields, ...nested, ...values].filter((name) => !schema.includes(`\`${name}\``))).toStrictEqual([]);
    // Each with what it's based on, not just in the generated table.
    expect(fields.filter((name) => !schema.includes(`\n**\`${name}\`**\n`))).toStrictEqual([]);
  });

  test("every operation, with its method", async () => {
    const operations = await describedOperations();
    expect(operations.length).toBeGreaterThan(20);
    const named = namedOperations();
    expect(operations.filter((operation) => !named.has(operation))).toStrictEqual([]);
  });
});

describe("the docs only mention what exists", () => {
  test("codes", () => {
    const codes: string[] = [...Object.keys(ERRORS), ...Object.keys(SANDBOX_ERRORS), ...INVALID_REASONS];
    codes.push(...SUGGESTION_REASONS, ...REJECTION_REASONS, ...SDK_ERROR_CODES, ...OTHER_NAMES);
    const known = new Set<string>(codes);
    const named = [...all.matchAll(/[`"]([A-Z]+(?:_[A-Z0-9]+)+)[`"]/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(codes.length);
    expect([...new Set(named)].filter((name) => !known.has(name))).toStrictEqual([]);
  });

  test("operations and paths", async () => {
    const described = await describedOperations();
    expect([...namedOperations()].filter((operation) => !described.includes(operation))).toStrictEqual([]);
    const paths = described.map((operation) => operation.split(" ")[1]!);
    paths.push("/api/v1/countries/GM");
    // Common prefixes of paths are allowed too, as in `/api/v1/account/…`.
    const exists = (path: string) => paths.some((other) => other === path || other.startsWith(`${path}/`));
    expect([...namedPaths()].filter((path) => !exists(path))).toStrictEqual([]);
  });

  test("results: each matches the API's for its number", async () => {
    const keys = { live: await createKey(worker.db, "live"), test: await createKey(worker.db, "test") };
    // A result without its number is below the sample that prints it, and compared where that runs.
    const answers = builtSamples().filter(
      ({ language, code }) => language === "json" && /^\{\s+"valid"[\s\S]*"number"/.test(code),
    );
    expect(answers.length).toBeGreaterThan(5);
    for (const sample of answers) {
      const { number, status } = JSON.parse(sample.code) as { number: string; status?: string };
      const key = status === undefined ? keys.live : keys.test;
      // As requested: only the number, since it is E.164.
      const answer = await worker.fetch("/api/v1/verify", post(key, { number }));
      expectSameJson(await answer.json(), sample);
    }
  });

  test("failures: each has a code and its message", () => {
    const shown = builtSamples().flatMap(({ language, code }) =>
      language === "json" || language === "http" ? (code.match(/^\{\s*"error"[\s\S]*\}$/m) ?? []) : [],
    );
    expect(shown.length).toBeGreaterThan(5);
    for (const text of shown) {
      const { error, code } = JSON.parse(text) as { error: string; code: string };
      const sentence = SENTENCES[code] ?? { ...ERRORS, ...SANDBOX_ERRORS }[code as ErrorCode]?.message;
      expect(error).toEqual(typeof sentence === "string" ? sentence : expect.stringMatching(sentence));
    }
  });

  test("the complaint about a body is the API's", async () => {
    const sample = builtSamples().find(({ code }) => code.includes('"VALIDATION_FAILED"'))!;
    const key = await createKey(worker.db, "test");
    const answer = await worker.fetch("/api/v1/verify", post(key, { contry: "BR", number: 1 }));
    expectSameJson(await answer.json(), sample);
  });
});

describe("headers in the docs match real responses", () => {
  /** The value in a row of the page's tables: its last cell. */
  function row(name: string): string {
    const line = pages
      .get("conventions")!
      .split("\n")
      .find((text) => text.startsWith(`| ${name} |`) || text.startsWith(`| \`${name}\` |`));
    return line!.split(" | ").at(-1)!.replace(/ \|$/, "");
  }

  const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

  test("Cache-Control", async () => {
    const paths = ["/api/v1/health", "/api/v1/status", "/api/v1/openapi.json", "/api/v1/countries"];
    const answers = await Promise.all(paths.map((path) => worker.fetch(path)));
    expect(quoted(row("Cache-Control"))).toStrictEqual(answers.map(({ headers }) => headers.get("Cache-Control")));
  });

  test("CORS", async () => {
    const page = { Origin: "https://some-page.example" };
    const asked = { ...page, "Access-Control-Request-Method": "POST" };
    const preflight = await worker.fetch("/api/v1/verify", { method: "OPTIONS", headers: asked });
    const answer = await worker.fetch("/api/v1/verify", { method: "POST", headers: page });
    const allowed = (response: Response, what: string) => response.headers.get(`Access-Control-${what}`)!.split(",");
    expect(quoted(row("Origin"))).toStrictEqual(allowed(preflight, "Allow-Origin"));
    expect(quoted(row("Request headers"))).toStrictEqual(allowed(preflight, "Allow-Headers"));
    expect(quoted(row("Readable headers"))).toStrictEqual(allowed(answer, "Expose-Headers"));
    const [seconds] = allowed(preflight, "Max-Age");
    expect(row("Preflight")).toBe(`Can be cached for ${Number(seconds) / 3_600} hours`);
  });
});

describe("numbers in code match the contract", () => {
  test("the limit of requests", () => {
    const { requestsPerMinute: limit } = TEST_LIMITS;
    const policies = [...all.matchAll(/"requests";q=(\d+);w=(\d+)/g)].map(([, quota, window]) => [quota, window]);
    expect(policies.length).toBeGreaterThan(1);
    expect(policies.filter(([quota, window]) => quota !== String(limit) || window !== "60")).toStrictEqual([]);
    expect(pages.get("testing")).toContain(`seq ${limit + 1})`);
  });

  test("the size of a batch", () => {
    expect(pages.get("integration")).toContain(`const SIZE = ${MAX_BATCH_SIZE};`);
  });
});

describe("numbers in prose match the contract", () => {
  test("the sandbox's numbers", () => {
    expect([SANDBOX_SUCCESSES.length, SANDBOX_FAILURES.length]).toStrictEqual([3, 9]);
    expect(pages.get("sandbox")).toMatch(/three that succeed and nine that fail/);
  });

  test("failed logins", () => {
    const { max: limit, window } = LIMITS.passwordPerAccountAndAddress;
    expect(pages.get("account-api")!.replaceAll(/\s+/g, " ")).toContain(
      `After ${limit} failed logins to an account from one IP address, logins from that address return 429 for up to ${window / 60_000} minutes.`,
    );
  });
});
