import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatCount } from "../contract/format.ts";
import * as limits from "../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../contract/sandbox.ts";
import manifest from "../package.json" with { type: "json" };
import { verify } from "../test/engine.ts";
import { ROOT } from "./local/run.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");

test("every npm script it mentions exists", () => {
  const named = [...README.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(Object.keys(manifest.scripts)).toContain(name);
});

test("its sample result is the engine's, as far as it goes", () => {
  const sample = JSON.parse(/^\{ "valid"[^`]*/m.exec(README)![0]) as { number: string };
  expect(Object.keys(sample).length).toBeGreaterThan(10);
  expect(verify(sample.number)).toMatchObject(sample);
});

test("its figures are the contract's", () => {
  const { REQUESTS_PER_MINUTE: requests, NUMBERS_PER_MINUTE: numbers, TRIAL } = limits;
  const text = README.replaceAll(/\s+/g, " ");
  const sentences = [
    `Test keys get ${requests.test} requests and ${numbers.test} numbers per minute, trials ${requests.trial} and ${formatCount(numbers.trial)}, and pro ${requests.pro} and ${formatCount(numbers.pro)}.`,
    `A trial lasts ${TRIAL.days} days and includes ${formatCount(TRIAL.quota)} successful live verifications`,
    `which can verify ${formatCount(limits.TEST_LOOKUPS_PER_DAY)} numbers per day outside the sandbox`,
    `The demo allows ${limits.DEMO_LOOKUPS_PER_MINUTE} lookups per minute per IP address`,
    `verifies up to ${limits.MAX_BATCH_SIZE} \`numbers\` in order, or up to ${formatCount(limits.MAX_STREAM_LINES)} lines of JSON`,
    `Bodies are limited to ${limits.MAX_BODY_BYTES / 1024} KB (${limits.MAX_BATCH_BODY_BYTES / 1024} KB for a batch), numbers to ${limits.MAX_NUMBER_LENGTH} characters.`,
  ];
  expect(sentences.filter((sentence) => !text.includes(sentence))).toStrictEqual([]);
});

test("its table of the sandbox is the contract's", () => {
  const rows = [...README.matchAll(/^\| `(\+?\d+)` +\| (?:`(\w+)`|success, .+?) +\| (\d*) +\|$/gm)];
  const successes = SANDBOX_SUCCESSES.map(({ number }) => [number, undefined, ""]);
  const failures = SANDBOX_FAILURES.map(({ number, name, code }) => [number, name, String(code)]);
  expect(rows.map(([, ...cells]) => cells)).toStrictEqual([...successes, ...failures]);
});
