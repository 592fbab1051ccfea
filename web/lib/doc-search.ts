import type { Options } from "minisearch";

/** A part of a page that a search can lead to: the text under a heading, or what stands before the first. */
export interface SearchSection {
  /** Where it is: `/docs/sandbox#error-rejected_network`. */
  readonly id: string;
  readonly page: string;
  /** The page's own title for what stands before the first heading. */
  readonly heading: string;
  readonly text: string;
}

/** How the index is made and read; both sides must agree. A code such as RATE_LIMITED is one word, and three. */
export const SEARCH_OPTIONS: Options<SearchSection> = {
  fields: ["heading", "page", "text"],
  storeFields: ["page", "heading", "text"],
  tokenize: (text) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}_+]+/gu) ?? [];
    return words.flatMap((word) => (word.includes("_") ? [word, ...word.split("_").filter(Boolean)] : word));
  },
  searchOptions: { boost: { heading: 6, page: 3 }, prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false) },
};
