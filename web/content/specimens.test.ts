import { expect, test } from "vitest";
import { SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { verify } from "../../test/engine.ts";
import { SPECIMENS } from "./specimens.ts";

test.each(Object.entries(SPECIMENS))("the specimen of %s is what the engine returns", (code, { result }) => {
  expect(result).toEqual(verify(result.number!));
  expect(result.country_code).toBe(code);
});

test("no specimen is reserved for fiction, and the first is the sandbox's", () => {
  for (const { result } of Object.values(SPECIMENS)) expect(result.deliverability.flags).toEqual([]);
  expect(SPECIMENS.BR.result.number).toBe(SANDBOX_SUCCESSES[0].number);
});
