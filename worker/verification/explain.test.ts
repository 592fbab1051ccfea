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
    expect(explainCode(code)).toStrictEqual({ code, explanation: expect.stringMatching(/^[A-Z].{20,}[.)]$/) });
  });

  test("REJECTED_FORMAT isn't only for sandbox numbers", () => {
    expect(explainCode("REJECTED_FORMAT")?.explanation).toMatch(/^A test key's error/);
    expect(explainCode("REJECTED_NETWORK")?.explanation).toMatch(/^A sandbox scenario/);
  });

  test("letter case doesn't matter where it makes no difference", () => {
    expect(explainCode("too_short")?.code).toBe("TOO_SHORT");
    expect(explainCode("Spreadsheet_Damage")?.code).toBe("spreadsheet_damage");
    expect([explainCode("not_allocated")?.code, explainCode("NOT_ALLOCATED")?.code]).toStrictEqual([
      "not_allocated",
      "NOT_ALLOCATED",
    ]);
  });

  test.each(["", "too short", "toString", "__proto__"])("%j is not", (code) => {
    expect(explainCode(code)).toBeNull();
  });
});
