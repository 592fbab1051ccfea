import type { SdkId } from "../../sdks/packages.ts";
import { createKeptStore } from "./store.ts";

/** The languages of code samples, in display order. `sdk` is the language's name in the docs' SDK picker. */
export const LANGUAGES = [
  { id: "rest", label: "REST", sdk: null },
  { id: "ruby", label: "Ruby", sdk: "Ruby" },
  { id: "python", label: "Python", sdk: "Python" },
  { id: "php", label: "PHP", sdk: "PHP" },
  { id: "node", label: "Node.js", sdk: "JavaScript" },
  { id: "go", label: "Go", sdk: "Go" },
  { id: "java", label: "Java", sdk: "Java" },
  { id: "flutter", label: "Flutter", sdk: "Dart" },
] as const;
export type Language = (typeof LANGUAGES)[number];
export type LanguageId = Language["id"];

/**
 * The SDK languages, in the order of the docs. Each is remembered as its sample language. `/docs/sdks#{id}` shows it.
 */
export const SDKS = [
  { id: "javascript", language: "node", label: "JavaScript" },
  { id: "python", language: "python", label: "Python" },
  { id: "php", language: "php", label: "PHP" },
  { id: "ruby", language: "ruby", label: "Ruby" },
  { id: "go", language: "go", label: "Go" },
  { id: "java", language: "java", label: "Java" },
  { id: "dart", language: "flutter", label: "Dart" },
] as const satisfies readonly { id: SdkId; language: LanguageId; label: NonNullable<Language["sdk"]> }[];

/** Used in prerendered HTML and until a visitor selects another. */
const DEFAULT_LANGUAGE: LanguageId = "rest";

/** The language with this id; null for anything else in storage. */
export function parseLanguage(value: string | null): LanguageId | null {
  return LANGUAGES.find(({ id }) => id === value)?.id ?? null;
}

const store = createKeptStore({
  key: "language",
  prerendered: DEFAULT_LANGUAGE,
  parse: (text) => parseLanguage(text) ?? DEFAULT_LANGUAGE,
  format: String,
});

/** Shows code in a language everywhere on the page, and on later pages if the browser lets us remember it. */
export const chooseLanguage = store.set;

/** The visitor's language for code. */
export const useLanguage = store.use;
