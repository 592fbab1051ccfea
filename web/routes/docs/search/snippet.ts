/** A run of text, and whether it is what was searched for. */
export interface Run {
  readonly text: string;
  readonly hit: boolean;
}

const BEFORE = 40;
const LENGTH = 150;

function pattern(terms: readonly string[]): RegExp | null {
  if (terms.length === 0) return null;
  const words = terms.toSorted((a, b) => b.length - a.length).map(escapeTerm);
  // Terms are stems: from the beginning of a word to the end of its form.
  return new RegExp(`(?<![\\p{L}\\p{N}])((?:${words.join("|")})(?:ing|ed|es|s|e)?)`, "giu");
}

/** Terms are letters, digits, underscores, hyphens and plus signs: see SEARCH_OPTIONS. */
function escapeTerm(term: string): string {
  return term.replaceAll("+", String.raw`\+`).replace(/i$/, "[iy]");
}

/** A text in runs, those of the terms marked. */
export function marked(text: string, terms: readonly string[]): Run[] {
  const found = pattern(terms);
  if (found === null) return [{ text, hit: false }];
  return text
    .split(found)
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter((run) => run.text !== "");
}

/** The part of a text around the first of the terms; from its beginning where none is in it. */
export function snippet(text: string, terms: readonly string[]): Run[] {
  const at = Math.max(0, pattern(terms) === null ? 0 : text.search(pattern(terms)!));
  const from = at <= BEFORE ? 0 : text.indexOf(" ", at - BEFORE) + 1;
  const cut = text.slice(from, from + LENGTH);
  const end = from + LENGTH >= text.length ? cut : `${cut.slice(0, Math.max(cut.lastIndexOf(" "), LENGTH / 2))} …`;
  return marked(`${from > 0 ? "… " : ""}${end}`, terms);
}
