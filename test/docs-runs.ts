import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { afterAll, expect } from "vitest";
import { sdkFiles, sdkFolder } from "../sdks/files.ts";
import { SDK_PACKAGES, sdkWithId } from "../sdks/packages.ts";
import { ROOT } from "../scripts/local/run.ts";
import { PACKAGES } from "../scripts/sdks/manifest.ts";
import { builtSamples, SAMPLES_FOLDER, withOrigin } from "./docs-samples.ts";
import type { Sample } from "./docs-samples.ts";
import { run } from "./programs.ts";

/** A sample. */
export interface Which {
  readonly page: string;
  /** The start of its code. */
  readonly begins: string;
}

export function isOneOf(which: Which, { page, code }: Sample): boolean {
  return which.page === page && code.startsWith(which.begins);
}

/** Samples that don't run, and why. Any other sample must run. */
export const NOT_RUN: readonly (Which & { readonly why: string })[] = [
  { page: "quickstart", begins: "export ", why: "sets a variable, to a key that is not written out" },
  { page: "production-migration", begins: "export ", why: "sets a variable, to a key that is not written out" },
  { page: "mcp", begins: "claude mcp add", why: "needs Claude Code" },
  { page: "mcp", begins: "codex mcp add", why: "needs Codex" },
  { page: "sdks", begins: "export ", why: "sets a variable, to a key that is not written out" },
  { page: "recipes", begins: "/**", why: "runs in Google Sheets: docs.recipes.test.ts stands in for it" },
  { page: "accuracy", begins: "npm ci", why: "installs this repository" },
  {
    page: "test-your-parser",
    begins: "node cases-runner.mjs",
    why: "needs a parser; web/plugins/cases.test.ts has one",
  },
  { page: "from-numverify", begins: "// numverify", why: "calls another service" },
  { page: "from-twilio-lookup", begins: "// Twilio Lookup", why: "calls another service" },
];

/** A library that a sample imports and its reader would have installed. */
const INSTALLED = "libphonenumber-js";

const LANGUAGE_OF: Readonly<Record<string, string>> = {
  ".sh": "sh",
  ".mjs": "js",
  ".py": "python",
  ".rb": "ruby",
  ".php": "php",
  ".go": "go",
  ".java": "java",
  ".dart": "dart",
};

/** How to run a file of the languages that need nothing else, and its name. */
export const RUNNABLE: Readonly<Record<string, { readonly file: string; readonly command: string }>> = {
  sh: { file: "sample.sh", command: "sh" },
  js: { file: "sample.mjs", command: process.execPath },
  ts: { file: "sample.mts", command: process.execPath },
};

/**
 * Run by the SDKs' own tests (npm run test:sdks) with each language's tools: their examples, and the commands that
 * install them.
 */
export const RUN_BY_SDKS: ReadonlySet<string> = new Set([
  ...SDK_PACKAGES.map(({ install }) => install),
  ...SDK_PACKAGES.flatMap(({ id }) =>
    sdkFiles(id)
      .filter((file) => /^examples?\//.test(file))
      .map((file) => readFileSync(join(sdkFolder(id), file), "utf8").trimEnd()),
  ),
]);

/** Run by test/browser/web-pages.test.ts. */
const RUN_IN_BROWSER = new Set(["html", "jsx"]);

/** The docs' samples that no other tests run; docs.frameworks.test.ts runs a page's. */
export const samples = builtSamples().filter(
  ({ page, code, language }) => page !== "frameworks" && !RUN_BY_SDKS.has(code) && !RUN_IN_BROWSER.has(language),
);

/** The landing page's samples, by file. */
export const landing: readonly Sample[] = readdirSync(SAMPLES_FOLDER).flatMap((file) => {
  const language = LANGUAGE_OF[extname(file)];
  const code = readFileSync(join(SAMPLES_FOLDER, file), "utf8");
  return language === undefined ? [] : [{ page: "landing page", language, title: file, code, next: null }];
});

/** What makes a folder for each sample of a test file. They go when its tests end. */
export function startSampleFolders(): (code: string, origin: string) => Promise<string> {
  const folders: string[] = [];
  let installed: Promise<string> | null = null;
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  function temporaryFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), "docs-sample-"));
    folders.push(folder);
    return folder;
  }

  /** The folder with the SDK, installed like a user would. */
  async function installSdk(): Promise<string> {
    const folder = temporaryFolder();
    const args = ["install", "--offline", "--no-audit", "--no-fund", join(PACKAGES, sdkWithId("javascript").file)];
    const { exit, stderr } = await run("npm", args, { cwd: folder });
    expect({ exit, stderr: exit === 0 ? "" : stderr }).toStrictEqual({ exit: 0, stderr: "" });
    return join(folder, "node_modules");
  }

  /** A folder with a sample, the files that pages tell readers to save, and the packages that it imports. */
  return async function folderFor(code, origin) {
    const folder = temporaryFolder();
    cpSync(SAMPLES_FOLDER, folder, { recursive: true });
    const modules = join(folder, "node_modules");
    mkdirSync(modules);
    symlinkSync(join(ROOT, "node_modules", INSTALLED), join(modules, INSTALLED));
    if (/npx checkline|from "checkline"/.test(code)) {
      const sdk = await (installed ??= installSdk());
      for (const name of ["checkline", ".bin"]) symlinkSync(join(sdk, name), join(modules, name));
    }
    for (const sample of landing) writeFileSync(join(folder, sample.title), withOrigin(sample.code, origin));
    return folder;
  };
}
