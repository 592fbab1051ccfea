import { formsOf } from "../../../lib/doc-search.ts";

/** A run of text, and whether it is what was searched for. */
export interface Run {
  readonly text: string;
  readonly hit: boolean;
}

const BEFORE = 40;
const LENGTH = 150;

/** What SEARCH_OPTIONS takes for a word. */
const WORD = /([\p{L}\p{N}_+]+(?:-[\p{L}\p{N}_+]+)*)/u;

/** A text in runs, those of the terms marked: whole words, and whole parts of names such as RATE_LIMITED. */
export function marked(text: string, terms: readonly string[]): Run[] {
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

/** The part of a text around the first of the terms; from its beginning where none is in it. */
export function snippet(text: string, terms: readonly string[]): Run[] {
  const [first, second] = marked(text, terms);
  const at = first?.hit === false && second ? first.text.length : 0;
  const from = at <= BEFORE ? 0 : text.indexOf(" ", at - BEFORE) + 1;
  const cut = text.slice(from, from + LENGTH);
  const end = from + LENGTH >= text.length ? cut : `${cut.slice(0, Math.max(cut.lastIndexOf(" "), LENGTH / 2))} …`;
  return marked(`${from > 0 ? "… " : ""}${end}`, terms);
}
