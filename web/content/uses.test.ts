import { expect, test } from "vitest";
import { verify } from "../../test/engine.ts";
import { acceptance } from "../../contract/acceptance.ts";
import { USES } from "./uses.ts";

test.each(USES)("$title: the engine answers as shown", ({ request, answer }) => {
  const { number, country, ...conditions } = request;
  const result = verify(number, country);
  expect({ ...result, ...acceptance(result, conditions) }).toMatchObject(answer);
});
