import { expectTypeOf, test } from "vitest";
import { endpoints } from "../../contract/endpoints/endpoint.ts";
import { accounts } from "../../contract/endpoints/accounts.ts";
import { service } from "../../contract/endpoints/service.ts";
import type { admit, identify } from "./caller.ts";
import type { checkInput, readBody } from "./input.ts";

test("an operation that is not counted, or not by whom its credential names, is a type error", () => {
  const { rate: _, ...uncounted } = service.health;
  // @ts-expect-error: `rate` is missing
  endpoints({ health: uncounted });
  // @ts-expect-error: nothing counts it
  endpoints({ health: { ...uncounted, rate: "none" } });
  // @ts-expect-error: without a credential there is no account
  endpoints({ health: { ...uncounted, rate: "calls by account" } });
  // @ts-expect-error: a session is counted by account
  endpoints({ me: { ...accounts.me, rate: "documents by address" } });
});

test("a step takes what the step before it found", () => {
  type Visitor = Awaited<ReturnType<typeof identify>>;
  type Read = Awaited<ReturnType<typeof readBody<Visitor>>>;
  type Admitted = Awaited<ReturnType<typeof admit>>;
  expectTypeOf<Visitor>().not.toExtend<Parameters<typeof admit>[2]>();
  expectTypeOf<Read>().toExtend<Parameters<typeof admit>[2]>();
  expectTypeOf<Read>().not.toExtend<Parameters<typeof checkInput>[2]>();
  expectTypeOf<Admitted>().toExtend<Parameters<typeof checkInput>[2]>();
});
