import type { SdkId } from "../../contract/sdks.ts";
import { createStore } from "./store.ts";
import { readStored, writeStored } from "./stored.ts";

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
export const DEFAULT_LANGUAGE: LanguageId = "rest";

const STORED_AS = "language";

/** The language with this id; null for anything else in storage. */
export function parseLanguage(value: string | null): LanguageId | null {
  return LANGUAGES.find(({ id }) => id === value)?.id ?? null;
}

function stored(): LanguageId {
  return parseLanguage(readStored(STORED_AS)) ?? DEFAULT_LANGUAGE;
}

/** Also keeps the selection in memory, because storage may be blocked. */
const store = createStore<LanguageId>(DEFAULT_LANGUAGE, stored);

/** Follows another tab's selection. A null key means that all of the storage was cleared. */
function onStorage({ key, newValue }: StorageEvent): void {
  if (key === STORED_AS || key === null) store.set(parseLanguage(newValue) ?? DEFAULT_LANGUAGE);
}

// Permanently: another tab's selection counts even while no page with samples is open here. There is no window during
// the build.
if (typeof window !== "undefined") window.addEventListener("storage", onStorage);

/** Shows code in a language everywhere on the page, and on later pages if the browser lets us remember it. */
export function chooseLanguage(language: LanguageId): void {
  writeStored(STORED_AS, language);
  store.set(language);
}

/** The visitor's language for code. */
export function useLanguage(): LanguageId {
  return store.use();
}
