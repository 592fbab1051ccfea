import * as fc from "fast-check";
import { expect, test } from "vitest";
import { longOrShort } from "../test/long.ts";
import { checkBody } from "./body.ts";
import type { BodySchema } from "./body.ts";
import { MAX_BATCH_SIZE, MAX_NUMBER_LENGTH } from "./limits.ts";
import { quickBatchRequest, quickVerifyRequest } from "./quick-requests.ts";
import { BatchRequest, VerifyRequest } from "./verification.ts";

const number = fc.oneof(
  fc.constantFrom("+5511987654321", "", " ", "1".repeat(MAX_NUMBER_LENGTH), "1".repeat(MAX_NUMBER_LENGTH + 1)),
  fc.string({ maxLength: 20, unit: "grapheme" }),
);
const country = fc.constantFrom("BR", "br", "B", "BRA", "B\n", "", "ßß", "İI", "12");
const other = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, 1.5, [], {}, [[]], ["mobile"], ["unknown"], { length: 2 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const numbers = fc.oneof(
  fc.array(number, { maxLength: 4 }),
  fc.array(fc.oneof({ weight: 4, arbitrary: number }, other), { maxLength: 4 }),
  fc.constantFrom(MAX_BATCH_SIZE, MAX_BATCH_SIZE + 1).map((length) => Array.from({ length }, () => "+12025550123")),
);
const value = fc.oneof({ weight: 3, arbitrary: number }, { weight: 3, arbitrary: country }, numbers, other);
const name = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("number", "numbers", "country", "expect_country", "accept_types", "__proto__"),
  },
  fc.constantFrom("constructor", "toString", "Number", "0"),
  fc.string({ maxLength: 3 }),
);
const field = fc.tuple(name, value);
const main = fc.oneof(fc.tuple(fc.constant("number"), number), fc.tuple(fc.constant("numbers"), numbers));
const rest = fc.oneof(
  fc.constant([]),
  fc.tuple(fc.tuple(fc.constant("country"), country)),
  fc.array(field, { maxLength: 3 }),
);

/** A raw body, in which a field may be repeated or called __proto__. */
const body = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.oneof({ weight: 3, arbitrary: main }, field), rest)
      .map(([first, more]) => written([first, ...more])),
  },
  { weight: 1, arbitrary: other.map((made) => JSON.stringify(made)) },
);

function written(fields: readonly (readonly [string, unknown])[]): string {
  return `{${fields.map(([key, of]) => `${JSON.stringify(key)}:${JSON.stringify(of)}`).join(",")}}`;
}

test.each([
  ["verify", VerifyRequest as BodySchema, quickVerifyRequest],
  ["batch", BatchRequest as BodySchema, quickBatchRequest],
] as const)("the quick check of %s returns what the schema does", (_, schema, quick) => {
  let accepted = 0;
  const runs = longOrShort(500_000, 5_000);
  fc.assert(
    fc.property(body, (text) => {
      const found = quick(JSON.parse(text));
      if (found === null) return;
      accepted++;
      expect({ ok: true, output: found }).toStrictEqual(checkBody(schema, JSON.parse(text)));
    }),
    { numRuns: runs },
  );
  expect(accepted).toBeGreaterThan(runs / 20);
});

test("the quick checks leave everything that fails validation to the schema", () => {
  for (const text of [
    "{}",
    "[]",
    "null",
    '"+1"',
    '{"number":1}',
    '{"number":"+1","x":1}',
    '{"__proto__":{"number":"+1"}}',
  ]) {
    expect(quickVerifyRequest(JSON.parse(text)), text).toBeNull();
    expect(quickBatchRequest(JSON.parse(text)), text).toBeNull();
  }
});
