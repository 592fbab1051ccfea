import { MAX_NUMBER_LENGTH } from "../../../../contract/limits.ts";

/** Most numbers of one check. */
export const MAX_NUMBERS = 10_000;

/** A list as it was given, and what each entry asks. */
export interface NumberList {
  /** Every entry, in the order given, as an index into `distinct`. */
  readonly entries: readonly number[];
  /** Each text once, in the order in which it first appears. */
  readonly distinct: readonly string[];
  /** How many entries repeat an earlier one to the letter. */
  readonly repeated: number;
  /** Entries without a single digit, which are left out. */
  readonly withoutDigits: number;
}

const EMPTY_LIST: NumberList = { entries: [], distinct: [], repeated: 0, withoutDigits: 0 };

/** Lines, commas, semicolons, tabs; but not the semicolons within a number as RFC 3966 writes it: `tel:+1…;ext=5`. */
const SEPARATOR = /[\r\n\t,]+|;(?!\s*(?:ext|isub|phone-context)=)/i;
/** Byte order marks, zero-width characters and direction marks, which spreadsheets and chats leave around numbers. */
const INVISIBLE = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;
const QUOTES = /^["'`]+|["'`]+$/g;

/** An entry without surrounding white space, invisible characters and quotes. */
export function tidyEntry(text: string): string {
  return text.replace(INVISIBLE, "").trim().replace(QUOTES, "").trim();
}

export function hasDigit(text: string): boolean {
  return /\p{Nd}/u.test(text);
}

/** Whether an entry is longer than the API reads; it fails without being sent. */
export function isTooLong(entry: string): boolean {
  return entry.length > MAX_NUMBER_LENGTH;
}

/** A list of entries: each text is asked once, and listed as often as it was given. */
function listOf(texts: Iterable<string>): NumberList {
  const places = new Map<string, number>();
  const entries: number[] = [];
  let withoutDigits = 0;
  for (const text of texts) {
    const entry = tidyEntry(text);
    if (entry === "") continue;
    if (!hasDigit(entry)) {
      withoutDigits += 1;
      continue;
    }
    const place = places.get(entry) ?? places.size;
    places.set(entry, place);
    entries.push(place);
  }
  const distinct = [...places.keys()];
  return { entries, distinct, repeated: entries.length - distinct.length, withoutDigits };
}

/** Reads a pasted list: one number a line, or numbers between commas, semicolons or tabs. */
export function readList(text: string): NumberList {
  return text.trim() === "" ? EMPTY_LIST : listOf(text.split(SEPARATOR));
}
