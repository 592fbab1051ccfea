import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { KeyMode } from "../../contract/limits.ts";
import { SDK_PACKAGES } from "../../sdks/packages.ts";
import { isOneOf, landing, NOT_RUN, RUN_BY_SDKS, RUNNABLE, samples, startSampleFolders } from "../docs-runs.ts";
import type { Which } from "../docs-runs.ts";
import { builtPages, builtSamples, expectSameJson, nameOf, withOrigin } from "../docs-samples.ts";
import type { Sample } from "../docs-samples.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { run, whyMissing } from "../programs.ts";
import type { Outcome } from "../programs.ts";

/** Samples whose output is not shown in the next fence. */
const PRINTS: readonly (Which & { readonly output: RegExp })[] = [
  {
    page: "testing",
    begins: "for request",
    output: /^\s+60 200\n\s+1 429\n\{"error":"The limit is 60 .+"RATE_LIMITED"\}$/,
  },
  {
    page: "service",
    begins: "curl https://checkline.example/api/v1/status",
    output: /^\{"state":"(?:unknown|warming_up)".+"incidents":\[\]/,
  },
  { page: "testing", begins: "import assert", output: /pass 3\n[\s\S]*fail 0\n/ },
];

/** A test key, unless the page shows a result without the sandbox's `status`. */
function modeFor({ code, next }: Sample): KeyMode {
  if (code.startsWith("npx checkline lookup")) return "live";
  const isResult = next?.language === "json" && next.code.includes('"valid"');
  return isResult && !next.code.includes('"status"') ? "live" : "test";
}

/** How to check a file in each other language without running it. Java requires its own file names. */
const CHECKS: Readonly<Record<string, { readonly file?: string; readonly command: readonly [string, ...string[]] }>> = {
  python: { file: "sample.py", command: ["python3", "-m", "py_compile"] },
  ruby: { file: "sample.rb", command: ["ruby", "-c"] },
  php: { file: "sample.php", command: ["php", "-l"] },
  go: { file: "sample.go", command: ["gofmt", "-e"] },
  java: { command: ["javac", "-Xlint:all", "-Werror"] },
  dart: { file: "sample.dart", command: ["dart", "format", "--output=none"] },
};
const everything = [...samples, ...landing];

const folderFor = startSampleFolders();
const worker = startWorker();
async function runSample(sample: Sample): Promise<Outcome> {
  const { file, command } = RUNNABLE[sample.language]!;
  const origin = worker.url.replace(/\/$/, "");
  const folder = await folderFor(sample.code, origin);
  writeFileSync(join(folder, file), withOrigin(sample.code, origin));
  const key = await createKey(worker.db, modeFor(sample));
  return run(command, [file], { cwd: folder, env: { CHECKLINE_API_KEY: key, CHECKLINE_BASE_URL: origin } });
}

/** The fence after the sample must match its output: entirely, unless its title says that it is shortened. */
function expectShown({ next }: Sample, stdout: string): void {
  if (next?.language === "json") expectSameJson(JSON.parse(stdout), next);
  else if (next?.language === "text") expect(stdout.trimEnd()).toBe(next.code);
  // A failure that the page doesn't mention means the sample is broken.
  else expect(stdout).not.toMatch(/"error":/);
}

/** A sample that prints the status is followed by a sentence that mentions it. */
function expectStatusTold({ page, code }: Sample, stderr: string): void {
  if (!code.includes("%{stderr}")) return;
  const markdown = builtPages().get(page)!;
  const after = markdown.slice(markdown.indexOf(code) + code.length).split("\n#")[0]!;
  expect(stderr.trim().split("\n").at(-1)).toBe(/`(HTTP \d{3})`/.exec(after)?.[1]);
}

const runnable = everything.filter(({ language }) => language in RUNNABLE);
const toRun = runnable.filter((sample) => !NOT_RUN.some((which) => isOneOf(which, sample)));

describe("every sample for a shell or Node does what its page says", () => {
  test.for(toRun.map((sample) => [nameOf(sample), sample] as const))(
    "%s",
    { timeout: 180_000 },
    async ([name, sample], { skip }) => {
      const program = sample.language === "sh" ? /^(?!#)\w+/m.exec(sample.code)?.[0] : undefined;
      const missing = program === undefined ? null : whyMissing(program);
      if (missing !== null) {
        console.info(`Not run: ${name}. ${missing}`);
        skip(missing);
      }
      const { exit, stdout, stderr } = await runSample(sample);
      expect({ exit, stderr: exit === 0 ? "" : stderr + stdout }).toStrictEqual({ exit: 0, stderr: "" });
      const prints = PRINTS.find((which) => isOneOf(which, sample));
      if (prints === undefined) expectShown(sample, stdout);
      else expect(stdout).toMatch(prints.output);
      expectStatusTold(sample, stderr);
    },
  );

  const notRun = runnable.filter((sample) => sample.language === "js" && !toRun.includes(sample));
  test.each(notRun.map((sample) => [nameOf(sample), sample] as const))("%s is readable", async (_name, sample) => {
    const folder = await folderFor("", worker.url);
    const { file } = RUNNABLE[sample.language]!;
    writeFileSync(join(folder, file), sample.code);
    const { exit, stderr } = await run(process.execPath, ["--check", file], { cwd: folder });
    expect({ exit, stderr: exit === 0 ? "" : stderr }).toStrictEqual({ exit: 0, stderr: "" });
  });

  test("the tables above contain no sample that is gone", () => {
    const tables: readonly Which[] = [...NOT_RUN, ...PRINTS];
    expect(tables.filter((which) => !runnable.some((sample) => isOneOf(which, sample)))).toStrictEqual([]);
  });
});

const checked = everything.filter(({ language }) => language in CHECKS);

describe("every sample in another language is well-formed for its own tools", () => {
  test.for(checked.map((sample) => [`${sample.language}: ${nameOf(sample)}`, sample] as const))(
    "%s",
    { timeout: 120_000 },
    async ([name, { language, code, title }], { skip }) => {
      const { file = title, command } = CHECKS[language]!;
      const [program, ...args] = command;
      const missing = whyMissing(program);
      if (missing !== null) {
        console.info(`Not checked: ${name}. ${missing}`);
        skip(missing);
      }
      const folder = await folderFor("", worker.url);
      writeFileSync(join(folder, file), language === "php" && !code.startsWith("<?php") ? `<?php\n${code}` : code);
      const { exit, stderr } = await run(program, [...args, file], { cwd: folder });
      expect({ exit, stderr: exit === 0 ? "" : stderr }).toStrictEqual({ exit: 0, stderr: "" });
    },
  );
});

test("the SDKs' page shows only what their tests run", () => {
  const shown = builtSamples().filter(({ page }) => page === "sdks");
  expect(shown.filter(({ code }) => RUN_BY_SDKS.has(code))).toHaveLength(4 * SDK_PACKAGES.length);
  const others = samples.filter(({ page, language }) => page === "sdks" && language !== "text");
  expect(others.map(({ code }) => code.split(" ")[0])).toStrictEqual(["export"]);
});

test("a fence that is neither run nor checked shows a response, a message, or text", () => {
  const others = samples.filter(({ language }) => !(language in RUNNABLE) && !(language in CHECKS));
  expect([...new Set(others.map(({ language }) => language))].toSorted()).toStrictEqual(["http", "json", "text"]);
});
