import { join } from "node:path";
import { expect, test } from "vitest";
import { SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { verify } from "../../test/engine.ts";
import { shownJson } from "../plugins/shown-json.ts";
import { SPECIMENS } from "./specimens.ts";

/** The numbers whose results the site shows: the sandbox's, two of public services, and three invalid ones. */
const NUMBERS = [
  ...SANDBOX_SUCCESSES.map(({ number }) => number),
  "+12022243121",
  "+442079813000",
  "+551187654321",
  "+5511187654321",
  "+1202",
];

test("the results shown are the engine's (npx vitest run --project unit web/content -u writes them)", async () => {
  const results = NUMBERS.map((number) => `  "${number}": ${shownJson(verify(number)).replaceAll("\n", "\n  ")}`);
  await expect(`{\n${results.join(",\n")}\n}\n`).toMatchFileSnapshot("results.json");
  const response = `${shownJson(verify(NUMBERS[0]!))}\n`;
  await expect(response).toMatchFileSnapshot(join(import.meta.dirname, "samples/response.json"));
});

test("each specimen is a number of its country, and none is reserved for fiction", () => {
  for (const [code, result] of Object.entries(SPECIMENS)) {
    expect(result.country_code).toBe(code);
    expect(result.deliverability.flags).toEqual([]);
  }
});
