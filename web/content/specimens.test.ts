import { expect, test } from "vitest";
import { SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { verify } from "../../test/engine.ts";
import { SPECIMENS } from "./specimens.ts";

test("the specimens are the engine's answers to the sandbox's valid numbers", () => {
  expect(SPECIMENS).toEqual(SANDBOX_SUCCESSES.map(({ number }) => verify(number)));
});
