import type { Code } from "mdast";
import type { CodeLanguage } from "../highlight.ts";

/** The words that a fence may begin with, and what its code is shown as. */
const LANGUAGES: Readonly<Record<string, { readonly language: CodeLanguage | null; readonly name: string }>> = {
  sh: { language: "bash", name: "Shell" },
  js: { language: "javascript", name: "JavaScript" },
  ts: { language: "typescript", name: "TypeScript" },
  python: { language: "python", name: "Python" },
  php: { language: "php", name: "PHP" },
  ruby: { language: "ruby", name: "Ruby" },
  go: { language: "go", name: "Go" },
  java: { language: "java", name: "Java" },
  dart: { language: "dart", name: "Dart" },
  json: { language: "json", name: "JSON" },
  http: { language: "http", name: "HTTP" },
  text: { language: null, name: "Text" },
};

export interface Fence {
  /** Null for plain text. */
  readonly language: CodeLanguage | null;
  readonly name: string;
  readonly title: string | undefined;
}

/**
 * What a fence says of its code: a language, and perhaps `title="…"`.
 * @throws Error for a language that no highlighting is set up for.
 */
export function fenceOf({ lang, meta }: Code): Fence {
  const known = LANGUAGES[lang ?? ""];
  if (known === undefined) {
    throw new Error(`A fence begins with one of ${Object.keys(LANGUAGES).join(", ")}, not ${lang ?? "nothing"}.`);
  }
  return { ...known, title: /title="([^"]*)"/.exec(meta ?? "")?.[1] };
}
