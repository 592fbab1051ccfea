import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DOCUMENTS_WITH_FIGURES, latestResults, withFigures } from "../bench/results.ts";
import { MAX_BATCH_SIZE, MAX_STREAM_LINES } from "../contract/limits.ts";
import { formatCount } from "../contract/format.ts";
import { verify } from "../test/engine.ts";
import { COMPARISON } from "../web/content/comparison.ts";
import { ACCURACY, AGREEMENT } from "../web/plugins/docs/accuracy-tables.ts";
import { ROOT } from "./local/run.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");

test("its sample result is the engine's, as far as it goes", () => {
  const sample = JSON.parse(/^```json\n([^`]*)```/m.exec(README)![1]!) as object;
  const { number } = JSON.parse(/-d '(.*)'$/m.exec(README)![1]!) as { number: string };
  expect(Object.keys(sample)).toHaveLength(5);
  expect(verify(number)).toMatchObject(sample);
});

test("its figures are the contract's", () => {
  expect(README).toContain(
    `${MAX_BATCH_SIZE} numbers in a batch, or ${formatCount(MAX_STREAM_LINES)} lines in a stream`,
  );
});

test.each(DOCUMENTS_WITH_FIGURES)("the figures of %s are those of the latest results", (document) => {
  const results = latestResults();
  const text = readFileSync(join(ROOT, document), "utf8");
  expect(text).toContain(`bench/results/${results.date}.json`);
  expect(withFigures(text, document, results)).toBe(text);
});

test("the accuracy in README and on the landing page is that of the latest results", () => {
  const [ours, google, js] = AGREEMENT;
  expect(README.replaceAll("\n", " ")).toContain(
    `Of ${formatCount(ACCURACY.COMPARED)} questions that the tests of five other projects answer, ` +
      `Checkline agrees in ${ours}, google-libphonenumber in ${google}, and libphonenumber-js in ${js}`,
  );
  expect(COMPARISON.find(([question]) => question.startsWith("Agrees with the tests"))).toEqual([
    "Agrees with the tests of five other projects",
    [null, ours],
    [null, google],
    [null, "Not measured"],
    [null, "Not measured"],
  ]);
});
