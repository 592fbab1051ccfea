import { codeToTokens, createCssVariablesTheme } from "shiki";
import type { BundledLanguage } from "shiki";

const FOREGROUND = "var(--shiki-foreground)";

/** Shiki's theme of CSS variables, defined in styles/prose.css. */
const THEME = variablesTheme();

/**
 * Code as HTML, with a span for each run of one color. Runs in the foreground color are bare text, which saves a third of
 * the HTML. No `<pre>`, no background: both are the page's.
 * @param language by name or file extension
 * @throws Error for a language that Shiki doesn't support.
 */
export async function highlight(code: string, language: string): Promise<string> {
  const { tokens } = await codeToTokens(code, { lang: language as BundledLanguage, theme: THEME });
  const runs = mergeRuns(tokens.flatMap((line, at) => (at === 0 ? line : [{ content: "\n" }, ...line])));
  return runs.map(runHtml).join("");
}

interface Run {
  readonly content: string;
  readonly color?: string | undefined;
}

/** Merges adjacent tokens of one color; whitespace has no visible color, so it joins the preceding run. */
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
 * The default theme colors too much: names in JSON and imported packages as keywords, whole calls as functions, objects
 * and constants as values. All of these become ink, and punctuation is subdued.
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
