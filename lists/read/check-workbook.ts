import { Unusable } from "../unusable.ts";
import { MAX_COLUMNS, MOST_SEEN, tooManyCells, tooManyColumns, tooManyRows } from "./table.ts";
import { entriesOf, unpacked } from "./zip.ts";

/**
 * The largest unpacked workbook, in bytes: the most cells at 65 bytes each. And the largest one without its sheets, which
 * is read as a whole: texts that occur once, and styles.
 */
const MAX_UNPACKED = { all: 200 * 1024 * 1024, besidesSheets: 32 * 1024 * 1024 } as const;
/** The longest tag, in characters: one with millions of attributes takes the reader minutes. */
const MOST_TAG = 16_384;
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/i;

const TAG = /<(?:[^"'>]|"[^"]*"|'[^']*')*>/y;
const ROW = /^<(?:\w+:)?row[\s/>]/;
const CELL = /^<(?:\w+:)?c[\s/>]/;
const REFERENCE = /\sr="([A-Z]{1,3})\d/;
/** What may contain anything but its end. */
const SPANS = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
] as const;

/** The number of a column, from 1, by its letters. */
function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

/** Looks at XML that comes in parts: its tags, and a sheet's rows and the cells that the reader makes for them. */
function createLook(): (part: string) => void {
  let rest = "";
  /** The end of the span that the rest begins with. */
  let end = "";
  let [rows, cells, width] = [0, 0, 0];

  function lookAt(tag: string): void {
    if (CELL.test(tag)) {
      const [, letters] = REFERENCE.exec(tag) ?? [];
      // A row has a place for every column up to its last cell.
      const column = letters === undefined ? width + 1 : columnOf(letters);
      cells += Math.max(0, column - width);
      width = Math.max(width, column);
      if (width > MAX_COLUMNS) throw tooManyColumns();
      if (cells > MOST_SEEN.cells) throw tooManyCells();
    } else if (ROW.test(tag)) {
      rows += 1;
      width = 0;
      if (rows > MOST_SEEN.rows) throw tooManyRows();
    }
  }

  return (part) => {
    const text = rest + part;
    rest = "";
    for (let at = 0; ;) {
      if (end !== "") {
        const over = text.indexOf(end, at);
        rest = over === -1 ? text.slice(Math.max(at, text.length - end.length)) : "";
        if (over === -1) return;
        at = over + end.length;
        end = "";
      }
      const open = text.indexOf("<", at);
      if (open === -1) return;
      const span = SPANS.find(([start]) => text.startsWith(start, open));
      if (span !== undefined) {
        [, end] = span;
        at = open;
        continue;
      }
      const shown = text.slice(open, open + MOST_TAG);
      TAG.lastIndex = 0;
      const [tag] = TAG.exec(shown) ?? [];
      if (tag === undefined) {
        if (shown.length === MOST_TAG) {
          throw new Unusable("The workbook has a cell that no spreadsheet writes. Save the columns you need as CSV.");
        }
        rest = text.slice(open);
        return;
      }
      lookAt(tag);
      at = open + tag.length;
    }
  };
}

/**
 * Looks at a workbook before its reader does, which has no limits of time.
 * @throws Unusable for one that would fill the memory or take minutes, Error for what isn't a zip file
 */
export async function checkWorkbook(bytes: Uint8Array): Promise<void> {
  const entries = entriesOf(bytes);
  let [all, besidesSheets] = [0, 0];
  for (const { name, size } of entries) {
    all += size;
    if (!SHEET.test(name)) besidesSheets += size;
  }
  if (all > MAX_UNPACKED.all || besidesSheets > MAX_UNPACKED.besidesSheets) {
    const limit = all > MAX_UNPACKED.all ? MAX_UNPACKED.all : MAX_UNPACKED.besidesSheets;
    const what = all > MAX_UNPACKED.all ? "workbook" : "text in the workbook";
    throw new Unusable(
      `Unpacked, the ${what} is larger than ${limit / 1024 / 1024} MB. Save the columns you need as CSV.`,
    );
  }
  for (const entry of entries) {
    if (!/\.(?:xml|rels)$/i.test(entry.name)) continue;
    const look = createLook();
    // Tags are ASCII, whatever the texts between them are.
    const decoder = new TextDecoder("latin1");
    let size = 0;
    for await (const part of unpacked(bytes, entry)) {
      size += part.length;
      if (size > entry.size) throw new Error("The entry is larger than its directory says.");
      look(decoder.decode(part, { stream: true }));
    }
  }
}
