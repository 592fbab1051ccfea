import Papa from "papaparse";

/** Appears in no text: used as the separator, it makes each line a cell. */
export const NO_SEPARATOR = "\u001F";
/** Excel's own line for the separator, which is not part of the table. */
export const SEPARATOR_LINE = /^sep=(.)(?:\r\n|\r|\n)/i;

const PARAMETER = /;(?=\s*(?:ext|isub|phone-context)=)/gi;
const SEMICOLON = "\u001E";

/** The text to parse: another character stands for the semicolons of RFC 3966 numbers, which don't separate cells. */
export function withoutParameters(text: string): string {
  return text.replace(PARAMETER, SEMICOLON);
}

/** A parsed text as it was written. */
export function withParameters(text: string): string {
  return text.replaceAll(SEMICOLON, ";");
}

const SEPARATORS = [",", ";", "\t", "|"] as const;
/** How much of a text is tried with each separator. */
const TRIED = { characters: 100_000, rows: 50 } as const;

/** What ends a row; a carriage return may precede it in some rows, which the parser's own guess doesn't allow. */
export function newlineIn(text: string): "\n" | "\r" {
  return text.includes("\n") ? "\n" : "\r";
}

/** The most common number of cells per row above one, and the share of the first rows that have it. */
function agreement(text: string, delimiter: string): { share: number; width: number } {
  const newline = newlineIn(text);
  const { data } = Papa.parse<string[]>(text, { delimiter, newline, preview: TRIED.rows, skipEmptyLines: "greedy" });
  const counts = new Map<number, number>();
  for (const { length } of data) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most === undefined ? { share: 0, width: 1 } : { share: most[1] / data.length, width: most[0] };
}

/** The cell separator of a text without parameters: the one most rows agree on, or `NO_SEPARATOR` if every line is one cell. */
export function separatorOf(text: string): string {
  const start = text.slice(0, TRIED.characters);
  let best = { delimiter: NO_SEPARATOR, share: 0.5, width: 0 };
  for (const delimiter of SEPARATORS) {
    const { share, width } = agreement(start, delimiter);
    if (share > best.share || (share === best.share && width > best.width)) best = { delimiter, share, width };
  }
  return best.delimiter;
}
