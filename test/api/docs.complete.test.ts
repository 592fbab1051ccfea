import { describe, expect, test } from "vitest";
import {
  DELIVERABILITY_FLAGS,
  INVALID_REASONS,
  NUMBER_TYPES,
  VerificationResult,
} from "../../contract/verification.ts";
import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import { SANDBOX_SUCCESS_STATUS } from "../../contract/sandbox.ts";
import { builtPages, samplesOf } from "../docs-samples.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const pages = builtPages();
const all = [...pages.values()].join("\n");

/** Names in capitals that are no codes: what the sandbox says of a success, a variable, and what stands for any code. */
const OTHER_NAMES: readonly string[] = [SANDBOX_SUCCESS_STATUS, "CHECKLINE_API_KEY", "A_STABLE_NAME"];

const worker = startWorker();

/** What the OpenAPI document describes: `POST /api/v1/verify`. */
async function describedOperations(): Promise<string[]> {
  const { paths } = (await (await worker.fetch("/api/v1/openapi.json")).json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** What the docs name with a method before it. */
function namedOperations(): Set<string> {
  const found = all.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w./{}-]*[\w}])/g);
  return new Set([...found].map(([, method, path]) => `${method} ${path}`));
}

/** The paths below the base path that the docs name, within addresses too. */
function namedPaths(): Set<string> {
  return new Set([...all.matchAll(/\/api\/v1\/[\w./{}-]*[\w}]/g)].map(([path]) => path));
}

describe("what the contract has is in the docs", () => {
  test.each([...Object.keys(ERRORS), ...Object.keys(SANDBOX_ERRORS)])("the error %s", (code) => {
    expect(all).toMatch(new RegExp(`\\b${code}\\b`));
  });

  test("every field of a result, every reason, type and flag", () => {
    const schema = pages.get("response-schema")!;
    const fields = Object.keys(VerificationResult.entries);
    const nested = Object.keys(VerificationResult.entries.deliverability.entries).map((key) => `deliverability.${key}`);
    const values = [...INVALID_REASONS, ...NUMBER_TYPES, ...DELIVERABILITY_FLAGS];
    expect([...fields, ...nested, ...values].filter((name) => !schema.includes(`\`${name}\``))).toStrictEqual([]);
    // In the prose too, and not in the generated table alone.
    const prose = schema.slice(schema.indexOf("## What the fields rest on"));
    expect(fields.filter((name) => !prose.includes(`\`${name}\``) && !prose.includes(`"${name}"`))).toStrictEqual([]);
  });

  test("every operation, with its method", async () => {
    const operations = await describedOperations();
    expect(operations.length).toBeGreaterThan(20);
    const named = namedOperations();
    expect(operations.filter((operation) => !named.has(operation))).toStrictEqual([]);
  });
});

describe("what the docs name exists", () => {
  test("codes", () => {
    const codes = [...Object.keys(ERRORS), ...Object.keys(SANDBOX_ERRORS), ...INVALID_REASONS, ...OTHER_NAMES];
    const known = new Set<string>(codes);
    const named = [...all.matchAll(/[`"]([A-Z]+(?:_[A-Z0-9]+)+)[`"]/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(codes.length);
    expect([...new Set(named)].filter((name) => !known.has(name))).toStrictEqual([]);
  });

  test("operations and paths", async () => {
    const described = await describedOperations();
    expect([...namedOperations()].filter((operation) => !described.includes(operation))).toStrictEqual([]);
    const paths = described.map((operation) => operation.split(" ")[1]!);
    // What several paths begin with may be named too, as in `/api/v1/account/…`.
    const exists = (path: string) => paths.some((other) => other === path || other.startsWith(`${path}/`));
    expect([...namedPaths()].filter((path) => !exists(path))).toStrictEqual([]);
  });

  test("answers: each is what the API says to its number", async () => {
    const keys = { live: await createKey(worker.db, "live"), test: await createKey(worker.db, "test") };
    const answers = [...pages].flatMap(([page, markdown]) =>
      samplesOf(page, markdown).filter(({ language, code }) => language === "json" && /^\{\s+"valid"/.test(code)),
    );
    expect(answers.length).toBeGreaterThan(5);
    for (const { code } of answers) {
      const shown = JSON.parse(code) as { number?: string; status?: string };
      if (typeof shown.number !== "string") continue;
      const key = shown.status === undefined ? keys.live : keys.test;
      const answer = await worker.fetch("/api/v1/verify", post(key, { number: shown.number }));
      expect(await answer.json()).toMatchObject(shown);
    }
  });

  test("failures: each has a code and the sentence of the sandbox", () => {
    const failures = [...pages].flatMap(([page, markdown]) =>
      samplesOf(page, markdown).filter(({ language, code }) => language === "json" && /^\{\s+"error"/.test(code)),
    );
    expect(failures.length).toBeGreaterThan(1);
    for (const { code: text } of failures) {
      const { error, code } = JSON.parse(text) as { error: string; code: string };
      const sandbox = (SANDBOX_ERRORS as Readonly<Record<string, { message: string }>>)[code];
      expect(code in ERRORS || sandbox?.message === error).toBe(true);
    }
  });
});
