import { describe, expect, test } from "vitest";
import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import { FLAGS, REASONS, REJECTIONS, SUGGESTIONS } from "../../contract/reasons.ts";
import { explainCode } from "./explain.ts";

describe("what a code means", () => {
  const codes = [REASONS, REJECTIONS, SUGGESTIONS, FLAGS, ERRORS, SANDBOX_ERRORS].flatMap((table) =>
    Object.keys(table),
  );
  test("no two tables have the same code", () => {
    expect(codes).toStrictEqual([...new Set(codes)]);
  });

  test.each(codes)("%s is explained", (code) => {
    expect(explainCode(code)).toMatch(/^[A-Z].{20,}[.)]$/);
  });

  test("REJECTED_FORMAT isn't only for sandbox numbers", () => {
    expect(explainCode("REJECTED_FORMAT")).toMatch(/^A test key's error/);
    expect(explainCode("REJECTED_NETWORK")).toMatch(/^A sandbox scenario/);
  });

  test.each(["", "too_short", "toString", "__proto__"])("%j is not", (code) => {
    expect(explainCode(code)).toBeNull();
  });
});
