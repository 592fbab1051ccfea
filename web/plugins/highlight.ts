import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

/** The languages that code on the site is written in, by the ending of their files. */
const LANGUAGE_OF_ENDING = {
  sh: "bash",
  rb: "ruby",
  py: "python",
  php: "php",
  mjs: "javascript",
  js: "javascript",
  ts: "typescript",
  go: "go",
  java: "java",
  dart: "dart",
  json: "json",
  http: "http",
} as const;
export type CodeLanguage = (typeof LANGUAGE_OF_ENDING)[keyof typeof LANGUAGE_OF_ENDING];

const FOREGROUND = "var(--shiki-foreground)";

/** Shiki's theme of CSS variables, whose values are in styles/prose.css. The docs' code is highlighted with the same. */
export const CODE_THEME = variablesTheme();

/** Shiki with the site's theme and languages; made when first asked for, and once. */
let highlighter: ReturnType<typeof createSiteHighlighter> | undefined;
export function siteHighlighter() {
  highlighter ??= createSiteHighlighter();
  return highlighter;
}

/** What a file is written in. Throws an Error for an ending that is not in the list above. */
export function languageOfFile(path: string): CodeLanguage {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const language = Object.entries(LANGUAGE_OF_ENDING).find(([known]) => known === ending)?.[1];
  if (language === undefined) throw new Error(`No highlighting is set up for files like ${path}.`);
  return language;
}

/**
 * Code as HTML: a `<span class="line">` per line, and in it a span for each run of one colour. Runs in the foreground colour are bare
 * text, which spares a third of the HTML. No `<pre>`, no background: both are the page's.
 */
export async function highlight(code: string, language: CodeLanguage): Promise<string> {
  const { tokens } = (await siteHighlighter()).codeToTokens(code, { lang: language, theme: CODE_THEME.name });
  return tokens.map((line) => `<span class="line">${mergeRuns(line).map(runHtml).join("")}</span>`).join("\n");
}

interface Run {
  readonly content: string;
  readonly color?: string | undefined;
}

/** Neighbours of one colour as one run; a blank has no colour to see, so it joins what comes before it. */
function mergeRuns(tokens: readonly Run[]): Run[] {
  const runs: Run[] = [];
  for (const { content, color = FOREGROUND } of tokens) {
    const last = runs.at(-1);
    if (last && (last.color === color || content.trim() === "")) {
      runs[runs.length - 1] = { content: last.content + content, color: last.color };
    } else {
      runs.push({ content, color: content.trim() === "" ? FOREGROUND : color });
    }
  }
  return runs;
}

function runHtml({ content, color }: Run): string {
  const text = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return color === FOREGROUND ? text : `<span style="color:${color}">${text}</span>`;
}

/**
 * The theme as it comes colours too much: names in JSON and imported packages as keywords, whole calls as functions, objects and
 * constants as values. All of these are ink here, and punctuation steps back.
 */
function variablesTheme() {
  const name = "checkline";
  const base = createCssVariablesTheme({ name, variablePrefix: "--shiki-", fontStyle: false });
  const ink = [
    "meta.function-call",
    "meta.function-call.arguments",
    "variable.other.object",
    "variable.other.constant",
    "storage.modifier.import",
    "support.type.property-name.json",
  ];
  const punctuation = [
    "punctuation.separator.key-value",
    "punctuation.definition.dict",
    "punctuation.terminator",
    "meta.brace",
  ];
  const ours = [
    { scope: ink, settings: { foreground: FOREGROUND } },
    { scope: punctuation, settings: { foreground: "var(--shiki-token-punctuation)" } },
  ];
  return { ...base, name, tokenColors: [...(base.tokenColors ?? []), ...ours] };
}

async function createSiteHighlighter() {
  return createHighlighterCore({
    themes: [CODE_THEME],
    langs: [
      import("shiki/langs/bash.mjs"),
      import("shiki/langs/ruby.mjs"),
      import("shiki/langs/python.mjs"),
      import("shiki/langs/php.mjs"),
      import("shiki/langs/javascript.mjs"),
      import("shiki/langs/typescript.mjs"),
      import("shiki/langs/go.mjs"),
      import("shiki/langs/java.mjs"),
      import("shiki/langs/dart.mjs"),
      import("shiki/langs/json.mjs"),
      import("shiki/langs/http.mjs"),
    ],
    engine: createJavaScriptRegexEngine(),
  });
}
