import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { expect, test } from "vitest";
import { REASONS, SUGGESTIONS } from "../../contract/reasons.ts";
import type { Example } from "../../contract/reasons.ts";
import RESULTS from "../../web/content/results.json" with { type: "json" };
import { verify } from "../../test/engine.ts";
import { ROOT } from "../local/run.ts";
import { resultTypes } from "./result-types.ts";
import { KNOWN_IF_INVALID, KNOWN_IF_VALID, NULL_IF_INVALID, NULL_IF_VALID } from "./result-types/fields.ts";

test("the SDKs' types of results follow from the contract (npm run build:sdks writes them)", async () => {
  const files = await resultTypes();
  const stale = files.filter(([path, text]) => readFileSync(path, "utf8") !== text);
  expect(stale.map(([path]) => relative(ROOT, path))).toStrictEqual([]);
});

test("what is null, or never, in the result of a valid or an invalid number", () => {
  const examples = [...Object.values(REASONS), ...Object.values(SUGGESTIONS)].map(({ example }) =>
    verify(...(example as Example)),
  );
  const shared = ["+80012345678", "+8816312345678", "+390549886377", "+12025550123"].map((number) => verify(number));
  const results: Record<string, unknown>[] = [...examples, ...shared, ...Object.values(RESULTS)];
  for (const valid of [true, false]) {
    const some = results.filter((result) => result["valid"] === valid);
    expect(some.length).toBeGreaterThan(5);
    const [known, isNull] = valid ? [KNOWN_IF_VALID, NULL_IF_VALID] : [KNOWN_IF_INVALID, NULL_IF_INVALID];
    for (const result of some) {
      expect(known.filter((name) => (result[name] ?? null) === null)).toStrictEqual([]);
      expect(isNull.filter((name) => (result[name] ?? null) !== null)).toStrictEqual([]);
    }
  }
});
