import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verify } from "../../test/engine.ts";
import { casesFile, readCases } from "./cases.ts";

const RUNNER = join(import.meta.dirname, "../public/cases-runner.mjs");
const ENGINE = join(import.meta.dirname, "../../test/engine.ts");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cases-test-"));
  writeFileSync(join(folder, "cases.json"), casesFile("https://example.com"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The runner's last line and exit code, for a parser as a module or as a command. */
function run(parser: string, source: string) {
  writeFileSync(join(folder, "parser.mjs"), source);
  const options = parser === "module" ? ["./parser.mjs"] : ["--", process.execPath, "parser.mjs"];
  const { stdout, status } = spawnSync(process.execPath, [RUNNER, "cases.json", ...options], {
    cwd: folder,
    encoding: "utf8",
  });
  return { last: stdout.trimEnd().split("\n").at(-1), status };
}

const COUNT = readCases().length;
const INVALID = readCases().filter(({ valid }) => !valid).length;

test("the engine is right in all cases, run by anyone's runner", () => {
  const { last, status } = run(
    "module",
    `import { verify } from ${JSON.stringify(ENGINE)};\nexport default (input, country) => verify(input, country ?? undefined);`,
  );
  expect({ last, status }).toEqual({ last: `${COUNT} of ${COUNT} cases are right.`, status: 0 });
});

test("a command that calls everything invalid is right where that is", () => {
  const { last, status } = run(
    "command",
    `import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify({ valid: false, ...JSON.parse(line) }));`,
  );
  expect({ last, status }).toEqual({ last: `${INVALID} of ${COUNT} cases are right.`, status: 1 });
});

test("every number, type, and country of a case is that of the engine", () => {
  const different = readCases().flatMap((each) => {
    const result = verify(each.input, each.country ?? undefined);
    const isSame =
      (each.number_country ?? result.country_code ?? "001") === (result.country_code ?? "001") &&
      (each.number_type ?? result.number_type) === result.number_type &&
      (each.reason ?? result.reason) === result.reason;
    return isSame ? [] : [each];
  });
  expect(different).toEqual([]);
});

/** Numbers that belong to nobody in particular: public institutions, helplines, and those reserved for drama. */
const PUBLIC = /3090182|15880[12]|207946|8002738255|8004224453|8004478376|2024561212|6502530000|^\+1911$/;
/** Three digits in a row, or a pattern of repeated ones: 1234, 987, 777, 1122, 7878. */
const MADE_UP = /012|123|234|345|456|567|678|789|987|876|765|654|543|432|321|210|(\d)\1\1|(\d)\2(\d)\3|(\d\d)\4/;

test("a number from an issue thread has other last digits than the one reported, which may be somebody's", () => {
  const reported = readCases().flatMap(({ input, country, source }) => {
    const { number, candidates, suggestion } = verify(input, country ?? undefined);
    const numbers = [number, suggestion?.number, ...(candidates ?? [])].filter((each) => typeof each === "string");
    const isFromIssue = /github/i.test(source);
    return numbers.filter((each) => isFromIssue && !MADE_UP.test(each.slice(-8)) && !PUBLIC.test(each));
  });
  expect(reported).toEqual([]);
});
