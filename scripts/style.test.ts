import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./local/run.ts";

/** The folders and files that must follow docs/style.md. */
const CLEAN = [
  "web",
  "contract",
  "worker",
  "test",
  "scripts",
  "sdks",

  "bench",
  "docs",
  "README.md",
  "AGENTS.md",
  "schema.ts",
  "wrangler.toml",
];
/** The list and its test, literal code, and generated files. */
const EXCEPT = [
  "docs/style.md",
  "scripts/style.test.ts",
  "web/content/samples",
  "web/build",
  "web/public",
  "worker/phone/data",
];
const TEXT = /\.(?:md|mdx|ts|tsx|js|css|toml|py|rb|rbs|php|go|java|dart)$/;
/** What a build or a package manager puts beside sources. */
const FOREIGN = ["node_modules", "build"];
/** Fixed texts and lines that quote a name. */
const FIXED = ["Sign In"];

function filesIn(path: string): string[] {
  if (EXCEPT.includes(path)) return [];
  if (!statSync(join(ROOT, path)).isDirectory()) return TEXT.test(path) ? [path] : [];
  return readdirSync(join(ROOT, path))
    .filter((name) => !name.startsWith(".") && !FOREIGN.includes(name))
    .flatMap((name) => filesIn(`${path}/${name}`));
}

const style = readFileSync(join(ROOT, "docs/style.md"), "utf8");
const banned = [...style.slice(style.indexOf("## Banned")).matchAll(/^- (.+)$/gm)].map(([, words]) => words!);

const CODE = {
  markdown: /^```[^]*?^```$|`[^`\n]+`/gm,
  text: /\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g,
};

const blank = (code: string) => code.replaceAll(/[^\n]/g, " ");

/**
 * A file's prose, with the rest blanked: Markdown without its code, comments and strings of a .ts file, other files
 * whole.
 */
function proseOf(text: string, path: string): string {
  if (/\.mdx?$/.test(path)) return text.replaceAll(CODE.markdown, blank);
  if (!path.endsWith(".ts")) return text;
  let prose = "";
  let end = 0;
  for (const { 0: words, index } of text.matchAll(CODE.text)) {
    prose +=
      blank(text.slice(end, index)) + words.replaceAll(words.startsWith("/") ? /`[^`\n]+`/g : /\$\{[^}]*\}/g, blank);
    end = index + words.length;
  }
  return prose + blank(text.slice(end));
}

/** Occurrences of banned words, including across line breaks: "docs/faults.md:12: goes on". */
function findings(text: string, path: string): string[] {
  const prose = proseOf(text, path);
  const shown = FIXED.reduce((rest, words) => rest.replaceAll(words, blank), prose);
  return banned.flatMap((words) => {
    const pattern = words.replaceAll(" ", String.raw`\s+(?:(?:\*|//|#|///)\s+)?`);
    return [...shown.matchAll(new RegExp(String.raw`(?<![\w-])${pattern}(?![\w-])`, "gi"))].map(
      ({ index }) => `${path}:${shown.slice(0, index).split("\n").length}: ${words}`,
    );
  });
}

test("the list in docs/style.md is parsed", () => {
  expect(banned).toContain("goes on");
  expect(findings("It goes\n * on, and\nan Answer `of its own`.", "x.md")).toStrictEqual([
    "x.md:1: goes on",
    "x.md:3: an answer",
  ]);
  expect(findings("const mails = [`mails of ${mails}`]; // goes\n// on", "x.ts")).toStrictEqual([
    "x.ts:1: goes on",
    "x.ts:1: mails",
  ]);
});

test.each(CLEAN)("%s has no banned word", (path) => {
  const found = filesIn(path).flatMap((file) => findings(readFileSync(join(ROOT, file), "utf8"), file));
  expect(found).toStrictEqual([]);
});
