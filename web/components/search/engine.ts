import MiniSearch from "minisearch";
import type { SearchResult } from "minisearch";
import { formsOf, SEARCH_OPTIONS, withoutFillers } from "../../lib/doc-search.ts";
import type { SearchSection } from "../../lib/doc-search.ts";

export type SearchIndex = MiniSearch<SearchSection>;

/** A section that was found, with its words that matched the query. */
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

/** The docs' index; loaded once, and again after a failure. */
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
 * The sections with all words of a query, or with some if none has all. Sections whose heading is the query, with or
 * without its fillers, come first.
 */
export function find(index: SearchIndex, question: string): Found[] {
  const short = withoutFillers(question);
  const all = index.search(short, { combineWith: "AND" });
  const results = all.length > 0 ? all : index.search(short);
  const titles = [question, short].map(spoken);
  const isHeading = ({ heading }: SearchResult) => titles.includes(spoken(String(heading)));
  const ranked = results.toSorted((a, b) => Number(isHeading(b)) - Number(isHeading(a)));
  return ranked.slice(0, MOST).map((result) => ({
    id: String(result["id"]),
    page: String(result["page"]),
    heading: String(result["heading"]),
    text: String(result["text"]),
    lines: String(result["lines"]),
    terms: Object.keys(result.match),
  }));
}

/** A run of text, and whether it matches. */
export interface Run {
  readonly text: string;
  readonly hit: boolean;
}

const BEFORE = 70;
const LENGTH = 150;

/** What SEARCH_OPTIONS considers a word. */
const WORD = /([\p{L}\p{N}_+]+(?:-[\p{L}\p{N}_+]+)*)/u;

/** A text in runs, with matches marked: whole words, and whole parts of names such as RATE_LIMITED. */
function marked(text: string, terms: readonly string[]): Run[] {
  const isHit = (word: string) => formsOf(word.toLowerCase()).some((form) => terms.includes(form));
  const runs: Run[] = [];
  for (const word of text.split(WORD)) {
    for (const part of isHit(word) ? [word] : word.split(/([_-])/)) {
      const hit = isHit(part);
      if (!hit && runs.at(-1)?.hit === false) runs.push({ text: runs.pop()!.text + part, hit });
      else if (part !== "") runs.push({ text: part, hit });
    }
  }
  return runs;
}

/** Where the first match of a text is; undefined without one. */
function firstHit(text: string, terms: readonly string[]): number | undefined {
  const [first, second] = marked(text, terms);
  if (first?.hit) return 0;
  return second && first!.text.length;
}

/**
 * The sentence with the first match, and what follows in its paragraph. Without a match there, the first row or line of
 * code that matches, else the start.
 */
export function snippet({ text: prose, lines, terms }: Pick<Found, "text" | "lines" | "terms">): Run[] {
  const paragraphs = prose.split("\n");
  const rows = lines.split("\n");
  const hit = [...paragraphs, ...rows].find((part) => firstHit(part, terms) !== undefined);
  const text = hit ?? (paragraphs[0] || rows.join(" · "));
  const at = firstHit(text, terms) ?? 0;
  const sentence = /^.*[.!?·] /.exec(text.slice(0, at))?.[0].length ?? 0;
  const from = at - sentence <= BEFORE ? sentence : text.indexOf(" ", at - BEFORE) + 1;
  const cut = text.slice(from, from + LENGTH);
  const end = from + LENGTH >= text.length ? cut : `${cut.slice(0, Math.max(cut.lastIndexOf(" "), LENGTH / 2))} …`;
  return marked(`${from > sentence ? "… " : ""}${end}`, terms);
}
