import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sdkFolder } from "../../sdks/files.ts";
import { isOneOf, landing, NOT_RUN, startSampleFolders } from "../docs-runs.ts";
import type { Which } from "../docs-runs.ts";
import { builtSamples, nameOf, withOrigin } from "../docs-samples.ts";
import type { Sample } from "../docs-samples.ts";
import { longOrShort } from "../long.ts";
import { run, whyMissing } from "../programs.ts";
import { INVALID, startStandIn, TROUBLES } from "../trouble.ts";
import type { Trouble } from "../trouble.ts";

// What the samples that verify numbers do if those are invalid, and if the calls fail.

/** How to run a file. Java requires its own file names. */
const PROGRAMS: Readonly<Record<string, { readonly file?: string; readonly command: readonly [string, ...string[]] }>> =
  {
    sh: { file: "sample.sh", command: ["sh"] },
    js: { file: "sample.mjs", command: [process.execPath] },
    python: { file: "sample.py", command: ["python3"] },
    php: { file: "sample.php", command: ["php"] },
    ruby: { file: "sample.rb", command: ["ruby"] },
    go: { file: "sample.go", command: ["go", "run"] },
    java: { command: ["java"] },
    dart: { file: "sample.dart", command: ["dart", "run"] },
  };

/** Samples that call no API, or need more to run: docs.frameworks.test.ts runs the latter. */
const ELSEWHERE: readonly Which[] = [
  { page: "frameworks", begins: "" },
  // A module, which its own test runs.
  { page: "from-vonage-number-insight", begins: "const STATUS" },
  { page: "landing page", begins: "const STATUS" },
];

/** A reader's tests, which then fail. */
const TESTS: Which = { page: "testing", begins: "import assert" };

/** Samples that an error ends without a `throw` of theirs, as their pages say. */
const ENDED: readonly Which[] = [
  { page: "sdks", begins: "" },
  { page: "recipes", begins: "import" },
  { page: "from-twilio-lookup", begins: "import { Checkline }" },
];

const isLeftOut = (sample: Sample) =>
  [...ELSEWHERE, ...NOT_RUN.filter(({ page }) => page !== "sdks")].some((which) => isOneOf(which, sample));
/** Of the shell's, the short form runs those of the command: curl handles nothing. The SDKs' tests need their packages. */
const isRun = ({ page, language, code }: Sample) =>
  (language !== "sh" || code.includes("npx") || longOrShort(true, false)) &&
  (page !== "sdks" || language === "js" || language === "python");
const samples = [...builtSamples(), ...landing].filter(
  (sample) =>
    sample.language in PROGRAMS &&
    /\/verify\b|npx checkline|\bcheckline["]|from checkline/.test(sample.code) &&
    !isLeftOut(sample) &&
    isRun(sample),
);

const folderFor = startSampleFolders();
const standIn = startStandIn();

async function runWith(trouble: Trouble | "unknown", { language, title, code }: Sample) {
  standIn.trouble = trouble;
  const folder = await folderFor(code, standIn.origin);
  const { file = title, command } = PROGRAMS[language]!;
  const [program, ...args] = command;
  writeFileSync(join(folder, file), withOrigin(code, standIn.origin));
  writeFileSync(join(folder, "numbers.txt"), "020 7946 0018\n");
  const env = {
    CHECKLINE_API_KEY: `ch_test_${"a".repeat(36)}`,
    CHECKLINE_BASE_URL: standIn.origin,
    PYTHONPATH: join(sdkFolder("python"), "src"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  return run(program, [...args, file], { cwd: folder, env });
}

const BAD = /\b[Ff]alse\b|\binvalid\b|TOO_SHORT|^Valid +no/m;
const GOOD = /\b[Tt]rue\b|^store|: valid$|^valid,|^Valid +yes|^[1-9]\d* numbers kept/m;

describe.each(TROUBLES)("%s", (trouble) => {
  test.for(samples.map((sample) => [nameOf(sample), sample] as const))(
    "%s",
    { timeout: 120_000 },
    async ([name, sample], { skip }) => {
      const missing = whyMissing(sample.language === "sh" ? "curl" : PROGRAMS[sample.language]!.command[0]);
      if (missing !== null) {
        console.info(`Not run: ${name}. ${missing}`);
        skip(missing);
      }
      const { exit, stdout, stderr } = await runWith(trouble, sample);
      if (isOneOf(TESTS, sample)) {
        expect(exit).toBe(1);
        expect(stdout).toMatch(/fail [1-9]/);
        return;
      }
      expect(stdout).not.toMatch(GOOD);
      if (trouble === "invalid") {
        expect({ exit, stderr: exit === 0 ? "" : stderr }).toStrictEqual({ exit: 0, stderr: "" });
        // The command writes a field of a number per line, all else a number.
        const parts = sample.code.includes("checkline lookup") ? [stdout] : stdout.split("\n");
        for (const part of parts) if (part.includes(INVALID.number!)) expect(part).toMatch(BAD);
        return;
      }
      expect(stdout + stderr).toMatch(/QUOTA_EXCEEDED|RATE_LIMITED|HTTP\/1.1 4(02|29)/);
      const isUncaught = /^Node\.js v|^Traceback/m.test(stderr);
      const isShown = /\b(throw|raise) /.test(sample.code) || ENDED.some((which) => isOneOf(which, sample));
      expect({ isUncaught, isShown }).not.toMatchObject({ isUncaught: true, isShown: false });
    },
  );
});

/** Samples that print a whole result, whose unknown fields are null in JSON. */
const isWhole = (printed: string) => /^\s*[{[]/.test(printed);

describe("what is unknown of a valid number isn't printed", () => {
  test.for(samples.filter((sample) => sample.language !== "sh").map((sample) => [nameOf(sample), sample] as const))(
    "%s",
    { timeout: 120_000 },
    async ([, sample], { skip }) => {
      const missing = whyMissing(PROGRAMS[sample.language]!.command[0]);
      if (missing !== null) skip(missing);
      const { stdout } = await runWith("unknown", sample);
      if (!isWhole(stdout)) expect(stdout).not.toMatch(/\b(?:null|undefined|None|nil)\b/);
    },
  );
});

test("the table of what an error ends contains no sample that is gone", () => {
  expect(ENDED.filter((which) => !samples.some((sample) => isOneOf(which, sample)))).toStrictEqual([]);
});
