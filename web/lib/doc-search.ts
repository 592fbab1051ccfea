import type { Options } from "minisearch";

/** A part of a page that a search can link to: the text under a heading, or the text before the first. */
export interface SearchSection {
  /** Its address: `/docs/sandbox#error-rejected_network`. */
  readonly id: string;
  readonly page: string;
  /** The page's title for the text before the first heading. */
  readonly heading: string;
  /** Its sentences, a paragraph or list per line. */
  readonly text: string;
  /** The rows of its tables and its code, a line each. */
  readonly lines: string;
  /** The words in the first columns of its tables. */
  readonly names: string;
}

/** The stem of an English word, good enough to match related forms: "ported" and "porting" are both "port". */
function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  return word
    .replace(/(?<=...)(?:ing|ed|es|s|e)$/, "")
    .replace(/(?<=...)y$/, "i")
    .replace(/([^aeiou])\1$/, "$1");
}

/** Words that say nothing about what is searched for: "how to roll a key" is "roll key". */
const FILLERS = new Set("a an and can do does for how i in is my of on or the to what with".split(" "));

/** A query without them, except for its last word, which may be the start of another. */
export function withoutFillers(question: string): string {
  const words = question.trim().split(/\s+/);
  return words.filter((word, at) => at === words.length - 1 || !FILLERS.has(word.toLowerCase())).join(" ");
}

/**
 * Pages rank above their sections, the API's calls above guides, guides above errors and migrations; the dashboard's own
 * calls come last.
 */
function weightOf(id: string): number {
  if (id.startsWith("/docs/account-api")) return 0.15;
  if (/#error-|#account-errors|\/from-/.test(id)) return 0.6;
  if (!id.includes("#")) return 1.5;
  return /^\/docs\/(?:api-reference|verify|quota|service|errors|limits|idempotency)/.test(id) ? 1.15 : 1;
}

/** What a word is indexed by: itself, for partial input, and its stem. */
export function formsOf(word: string): string[] {
  return [...new Set([word, stem(word)])];
}

/**
 * How to build and read the index; both sides must agree. A name such as RATE_LIMITED or Retry-After is indexed as one
 * word and as several.
 */
export const SEARCH_OPTIONS: Options<SearchSection> = {
  fields: ["heading", "page", "names", "text", "lines"],
  storeFields: ["page", "heading", "text", "lines"],
  tokenize: (text) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}_+]+(?:-[\p{L}\p{N}_+]+)*/gu) ?? [];
    return words.flatMap((word) => (/[_-]/.test(word) ? [word, ...word.split(/[_-]/).filter(Boolean)] : word));
  },
  processTerm: formsOf,
  searchOptions: {
    processTerm: stem,
    boostDocument: weightOf,
    boost: { heading: 6, page: 3, names: 2 },
    prefix: true,
    // A whole word counts more than the start of a longer one: "SLA" isn't "slashes".
    weights: { prefix: 0.15, fuzzy: 0.45 },
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  },
};
