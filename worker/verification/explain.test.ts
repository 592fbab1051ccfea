import { describe, expect, test } from "vitest";
import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import * as values from "../../contract/result-values.ts";
import { explainCode } from "./explain.ts";

describe("what a code means", () => {
  const reasons = Object.entries(values).flatMap(([name, codes]) => (name.endsWith("_REASONS") ? codes : []));
  test("the contract has lists of reasons", () => {
    expect(reasons).toEqual(expect.arrayContaining(["TOO_SHORT", "OTHER_TYPE", "MISSING_PLUS"]));
  });

  test.each([...reasons, ...Object.keys(ERRORS), ...Object.keys(SANDBOX_ERRORS)])("%s is explained", (code) => {
    expect(explainCode(code)).toMatch(/^[A-Z].{20,}[.)]$/);
  });

  test.each(["REJECTED_FORMAT", "REJECTED_PREFIX_MISSING"])("%s isn't only for sandbox numbers", (code) => {
    expect(explainCode(code)).toMatch(/^A test key's error/);
    expect(explainCode("REJECTED_NETWORK")).toMatch(/^A sandbox scenario/);
  });

  test.each(["", "too_short", "toString", "__proto__"])("%j is not", (code) => {
    expect(explainCode(code)).toBeNull();
  });
});
