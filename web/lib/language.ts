import type { SdkId } from "../../contract/sdks.ts";
import { createStore } from "./store.ts";

/** The languages of code samples, in the order in which they are offered. `sdk` is what the docs' SDK picker calls the language. */
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

/** The languages of the SDKs, in the order of the docs. Each is remembered as the sample language that belongs to it. `/docs/sdks#{id}` shows it. */
export const SDKS = [
  { id: "javascript", language: "node", label: "JavaScript" },
  { id: "python", language: "python", label: "Python" },
  { id: "php", language: "php", label: "PHP" },
  { id: "ruby", language: "ruby", label: "Ruby" },
  { id: "go", language: "go", label: "Go" },
  { id: "java", language: "java", label: "Java" },
  { id: "dart", language: "flutter", label: "Dart" },
] as const satisfies readonly { id: SdkId; language: LanguageId; label: NonNullable<Language["sdk"]> }[];

/** What prerendered HTML shows, and who has chosen nothing sees. */
export const DEFAULT_LANGUAGE: LanguageId = "rest";

const STORED_AS = "language";

/** The language with this id; anything else that may have been stored is null. */
export function parseLanguage(value: string | null): LanguageId | null {
  return LANGUAGES.find(({ id }) => id === value)?.id ?? null;
}

function stored(): LanguageId {
  try {
    return parseLanguage(localStorage.getItem(STORED_AS)) ?? DEFAULT_LANGUAGE;
  } catch {
    return DEFAULT_LANGUAGE;
  }
}

/** Keeps the choice too, because storage may be closed to us. */
const store = createStore<LanguageId>(DEFAULT_LANGUAGE, stored);

/** Follows the choice made in another tab. A null key says that all of the storage was cleared. */
function onStorage({ key, newValue }: StorageEvent): void {
  if (key === STORED_AS || key === null) store.set(parseLanguage(newValue) ?? DEFAULT_LANGUAGE);
}

// For good: what is chosen in another tab counts too while no page with samples is open here. The build knows no window.
if (typeof window !== "undefined") window.addEventListener("storage", onStorage);

/** Shows code in a language everywhere on the page, and on later pages where the browser lets us remember it. */
export function chooseLanguage(language: LanguageId): void {
  try {
    localStorage.setItem(STORED_AS, language);
  } catch {
    // Storage is closed: the choice lasts for this page.
  }
  store.set(language);
}

/** The language that the visitor reads code in. */
export function useLanguage(): LanguageId {
  return store.use();
}
