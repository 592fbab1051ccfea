import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./local/run.ts";

/** What is scanned: folders and files whose words follow docs/style.md. Extend it as more of them do. */
const CLEAN = ["web/routes", "web/content", "docs", "README.md", "AGENTS.md"];
/** The list itself, code that is shown as it is, and folders that are not clean yet. */
const EXCEPT = ["docs/style.md", "web/content/samples", "web/routes/dashboard"];
/** Fixed texts and lines that quote a name. */
const FIXED = ["Sign In"];

function filesIn(path: string): string[] {
  if (EXCEPT.includes(path)) return [];
  if (/\.\w+$/.test(path)) return /\.(?:md|mdx|ts|tsx)$/.test(path) ? [path] : [];
  return readdirSync(join(ROOT, path)).flatMap((name) => filesIn(`${path}/${name}`));
}

const style = readFileSync(join(ROOT, "docs/style.md"), "utf8");
const banned = [...style.slice(style.indexOf("## Banned")).matchAll(/^- (.+)$/gm)].map(([, words]) => words!);

/** Where a banned word is, line breaks within it included: "docs/faults.md:12: goes on". Code in Markdown is left out. */
function findings(text: string, path: string): string[] {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, " ");
  const prose =
    path.endsWith(".ts") || path.endsWith(".tsx") ? text : text.replaceAll(/^```[^]*?^```$|`[^`\n]+`/gm, blank);
  const shown = FIXED.reduce((rest, words) => rest.replaceAll(words, blank), prose);
  return banned.flatMap((words) => {
    const pattern = words.replaceAll(" ", String.raw`\s+(?:(?:\*|//)\s+)?`);
    return [...shown.matchAll(new RegExp(String.raw`(?<![\w-])${pattern}(?![\w-])`, "gi"))].map(
      ({ index }) => `${path}:${shown.slice(0, index).split("\n").length}: ${words}`,
    );
  });
}

test("the list of docs/style.md is read", () => {
  expect(banned).toContain("goes on");
  expect(findings("It goes\n * on, and\nan Answer `of its own`.", "x.md")).toStrictEqual([
    "x.md:1: goes on",
    "x.md:3: an answer",
  ]);
});

test.each(CLEAN)("%s has no banned word", (path) => {
  const found = filesIn(path).flatMap((file) => findings(readFileSync(join(ROOT, file), "utf8"), file));
  expect(found).toStrictEqual([]);
});
