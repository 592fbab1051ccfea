import type { Options } from "minisearch";

/** A part of a page that a search can lead to: the text under a heading, or the text before the first. */
export interface SearchSection {
  /** Where it is: `/docs/sandbox#error-rejected_network`. */
  readonly id: string;
  readonly page: string;
  /** The page's title for the text before the first heading. */
  readonly heading: string;
  readonly text: string;
  /** What its tables are about: the words of their first columns. */
  readonly names: string;
}

/** What the forms of an English word begin with, near enough to find one by another: "ported" and "porting" are both "port". */
function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  return word
    .replace(/(?<=...)(?:ing|ed|es|s|e)$/, "")
    .replace(/(?<=...)y$/, "i")
    .replace(/([^aeiou])\1$/, "$1");
}

/** What a word of a text is found by: itself, for who has typed half of it, and its stem. */
export function formsOf(word: string): string[] {
  return [...new Set([word, stem(word)])];
}

/** How the index is made and read; both sides must agree. A name such as RATE_LIMITED or Retry-After is one word, and several. */
export const SEARCH_OPTIONS: Options<SearchSection> = {
  fields: ["heading", "page", "names", "text"],
  storeFields: ["page", "heading", "text"],
  tokenize: (text) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}_+]+(?:-[\p{L}\p{N}_+]+)*/gu) ?? [];
    return words.flatMap((word) => (/[_-]/.test(word) ? [word, ...word.split(/[_-]/).filter(Boolean)] : word));
  },
  processTerm: formsOf,
  searchOptions: {
    processTerm: stem,
    boost: { heading: 6, page: 3, names: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  },
};
