import MiniSearch from "minisearch";
import type { SearchResult } from "minisearch";
import { SEARCH_OPTIONS } from "../../../lib/doc-search.ts";
import type { SearchSection } from "../../../lib/doc-search.ts";

export type SearchIndex = MiniSearch<SearchSection>;

/** A section that was found, with the words of it that the question led to. */
export interface Found extends Omit<SearchSection, "names"> {
  readonly terms: readonly string[];
}

const MOST = 12;
let loading: Promise<SearchIndex> | undefined;

async function load(): Promise<SearchIndex> {
  const response = await fetch("/docs/search-index.json");
  if (!response.ok) throw new Error(`The index answered ${response.status}.`);
  return MiniSearch.loadJSON<SearchSection>(await response.text(), SEARCH_OPTIONS);
}

/** The index of the docs; loaded once, and again after it could not be. */
export function loadIndex(): Promise<SearchIndex> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** RATE_LIMITED as "rate limited". */
function spoken(text: string): string {
  return text.toLowerCase().replaceAll(/[_-]/g, " ");
}

/**
 * The sections that hold all words of a question; those that hold some of them when none holds all. Sections with the question for
 * their heading come first.
 */
export function find(index: SearchIndex, question: string): Found[] {
  const all = index.search(question, { combineWith: "AND" });
  const results = all.length > 0 ? all : index.search(question);
  const isHeading = ({ heading }: SearchResult) => spoken(String(heading)) === spoken(question);
  const ranked = results.toSorted((a, b) => Number(isHeading(b)) - Number(isHeading(a)));
  return ranked.slice(0, MOST).map((result) => ({
    id: String(result["id"]),
    page: String(result["page"]),
    heading: String(result["heading"]),
    text: String(result["text"]),
    terms: Object.keys(result.match),
  }));
}
