import { expect, test } from "vitest";
import { verify } from "../../test/engine.ts";
import { acceptance } from "../../contract/acceptance.ts";
import { USES } from "./uses.ts";

const REQUESTS = USES.filter(({ request }) => request !== null);

test.each(REQUESTS)("$title: the engine answers as shown", ({ request, drawing, mark, answer }) => {
  const { country, ...conditions } = request!;
  const result = verify(drawing.digits, country);
  const verdict = acceptance(result, conditions);
  expect({ ...result, ...verdict }).toMatchObject(answer);
  expect(result.valid && verdict?.accepted !== false).toBe(mark === "check");
});
