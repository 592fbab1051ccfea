import type { Cell } from "../../../lists/cells.ts";
import type { CountryReader } from "../../../lists/columns/read-country.ts";
import { guardFormula } from "../../../contract/csv.ts";
import { formatCount } from "../../../contract/format.ts";
import { createPlan, outcomeOf } from "../../../lists/plan.ts";
import type { Entry } from "../../../lists/plan.ts";
import { concernsIn, unreadIn } from "../../../lists/concerns.ts";
import { summaryOf } from "../../../lists/summary.ts";
import { chain } from "../../../lists/read/open-rows.ts";
import type { ListRow } from "../../../lists/read/open-rows.ts";
import { createLayout } from "../../../lists/write/layout.ts";
import type { Layout } from "../../../lists/write/layout.ts";
import { appendedNames, OUR_COLUMNS } from "../../../lists/write/result-columns.ts";
import type { StreamOptions } from "../src/index.js";
import { createClient } from "./client.ts";
import { EXIT, failureOf, InputError, printable } from "./failure.ts";
import { openInput } from "./input.ts";
import type { Input } from "./input.ts";
import { createMeter } from "./meter.ts";
import { fileExists, isSameFile, openOutput, openStdout } from "./output.ts";
import type { Output } from "./output.ts";
import { progressOf } from "./resume.ts";
import { chooseColumns } from "./survey.ts";
import type { Columns, Wanted } from "./survey.ts";
import { verifyRows } from "./verify-rows.ts";

export interface VerifyOptions extends Wanted {
  /** Null for standard input. */
  readonly path: string | null;
  /** Null for standard output. */
  readonly out: string | null;
  /** For rows without one, ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly encoding: string | undefined;
  /** A workbook's sheet; null for its first. */
  readonly sheet: string | null;
  readonly resume: boolean;
  /** Whether formulas in cells stay as they are. */
  readonly raw: boolean;
  /** Which of our columns are written, in their order. */
  readonly fields: readonly string[];
  /** Which numbers are accepted, and whether only those from their row's country are. */
  readonly conditions: StreamOptions;
  readonly expectsCountry: boolean;
  readonly readCountry: CountryReader;
  readonly signal: AbortSignal;
}

/** How many numbers' results are kept, for rows that repeat one. */
const MOST_KNOWN = 10_000;

/** Prints a line for people: only to a terminal. */
type Tell = (line: string) => void;

/** A list whose columns are known, its rows below the header, and how its result is written. */
interface List {
  readonly input: Input;
  readonly columns: Columns;
  readonly layout: Layout;
  /** What the result begins with, before the first row of data. */
  readonly top: string;
}

async function openList({ raw, fields, readCountry, ...source }: VerifyOptions): Promise<List> {
  const input = await openInput(source);
  const { header, ...columns } = chooseColumns(input.survey, source, readCountry);
  const { names } = columns;
  const layout = createLayout(input, names.length, raw ? undefined : guardFormula);
  const above: ListRow[] = [];
  for (let at = 0; at <= (header ?? -1); at++) {
    const { done, value } = await input.rows.next();
    if (done === true) throw new InputError("The file changed while it was read.");
    above.push(value);
  }
  const titles = above.slice(0, -1).map(({ text }) => text + layout.lineEnd);
  const head = header === null ? layout.fields(names) : layout.own(above.at(-1)!);
  const ours = layout.fields(appendedNames(names, fields));
  const top = `${input.prefix}${titles.join("")}${head}${layout.separator}${ours}${layout.lineEnd}`;
  return { input, columns: { header, ...columns }, layout, top };
}

/** Where the rest of a list is written, and which rows that is. */
interface Rest {
  readonly output: Output;
  readonly rows: AsyncGenerator<ListRow>;
  /** Whether the output has its first lines. */
  readonly isBegun: boolean;
}

async function openRest(
  { path, out, resume }: VerifyOptions,
  { input, layout, top, columns }: List,
  done: (row: ListRow, cells: readonly string[]) => void,
): Promise<Rest> {
  if (out === null) return { output: openStdout(), rows: input.rows, isBegun: false };
  if (/\.xls[xmb]?$/i.test(out)) throw new InputError("The result is CSV, not a workbook. Name it .csv.");
  if (!(await fileExists(out))) return { output: openOutput(out, null), rows: input.rows, isBegun: false };
  if (path !== null && (await isSameFile(path, out))) {
    throw new InputError(`${out} is the list itself. Choose another --out.`);
  }
  if (!resume) throw new InputError(`${out} exists. Add --resume to continue it, or choose another --out.`);
  const { bytes, next } = await progressOf(out, top, layout, input, columns.names.length, done);
  const rows = chain(bytes === 0 || next === null ? [] : [next], input.rows);
  return { output: openOutput(out, bytes), rows, isBegun: bytes > 0 };
}

function checkWidth({ cells }: ListRow, place: number, { names }: Columns): void {
  if (cells.length <= names.length) return;
  throw new InputError(
    `Row ${formatCount(place)} has ${formatCount(cells.length, "cell")}, and those before it ${names.length} at most. Save standard input to a file, which is read to its end first.`,
  );
}

/** Rows of one result must not be accepted by different conditions. @throws InputError if only some have any */
function checkVerdict(accepted: string, { item }: Entry, { out, conditions }: VerifyOptions): void {
  const { expectCountry, acceptTypes, acceptLineTypes, rejectUnallocated } = conditions;
  const isOwn = typeof item === "object" && item.expect_country !== undefined;
  const isJudged = isOwn || Boolean(expectCountry ?? acceptTypes ?? acceptLineTypes) || rejectUnallocated === true;
  if (isJudged === (accepted !== "")) return;
  const what = isJudged ? "without conditions. Leave them out" : "with conditions. Add the same ones";
  throw new InputError(`${out} was made ${what}, or choose another --out.`);
}

/**
 * Verifies a list and writes its rows with our columns after them.
 * @returns the exit code
 * @throws what `failureOf` reads, if not even the first row was written
 */
export async function verifyList(options: VerifyOptions, tell: Tell): Promise<number> {
  const { out, signal, country, readCountry, fields, conditions, expectsCountry } = options;
  // Without a key nothing else matters.
  const client = createClient({ maxRetries: 4 });
  const list = await openList(options);
  const { columns, layout, input } = list;
  const { phone, country: countryColumn, names } = columns;
  const isTelling = process.stderr.isTTY && (out !== null || !process.stdout.isTTY);
  const total = input.isWhole ? input.survey.rows - (columns.header ?? -1) - 1 : null;
  const meter = createMeter(total, isTelling ? process.stderr : null);
  const plan = createPlan(
    {
      reading: { column: phone, countryColumn },
      country: country ?? "",
      coversUnread: false,
      readCountry,
      expectsCountry,
    },
    MOST_KNOWN,
  );
  const places = fields.map((name) => OUR_COLUMNS.indexOf(name));
  /** Our cells of numbers that the result has already, as long as the plan remembers those. */
  const written = new WeakMap<Entry, readonly Cell[]>();
  const [outcomeAt, acceptedAt] = [places.indexOf(0), places.indexOf(OUR_COLUMNS.indexOf("accepted"))];
  const { output, rows, isBegun } = await openRest(options, list, (row, cells) => {
    const content = plan.read(row.cells);
    if (typeof content !== "string" && acceptedAt !== -1 && cells[outcomeAt] !== "failed") {
      checkVerdict(cells[acceptedAt]!, content, options);
    }
    if (typeof content !== "string" && !written.has(content)) {
      const all: Cell[] = OUR_COLUMNS.map(() => null);
      for (const [at, place] of places.entries()) all[place] = cells[at] ?? null;
      written.set(content, all);
    }
    meter.count(typeof content === "string" ? outcomeOf(content) : (cells[outcomeAt] ?? null));
  });
  tell(`Numbers: “${names[phone]!}”.${countryColumn === null ? "" : ` Countries: “${names[countryColumn]!}”.`}`);
  if (process.stderr.isTTY) for (const concern of concernsOf(list, country ?? "", readCountry)) tell(concern);
  let top = isBegun ? "" : list.top;
  let read = meter.rows;
  async function* checked(): AsyncGenerator<ListRow, undefined> {
    for await (const row of rows) {
      read += 1;
      checkWidth(row, read + (columns.header ?? -1) + 1, columns);
      yield row;
    }
    return undefined;
  }
  meter.start();
  try {
    await verifyRows(checked(), {
      client,
      conditions,
      signal,
      plan,
      written,
      async write(row, cells) {
        const ours = layout.fields(places.map((place) => cells[place] ?? null));
        await output.write(`${top}${layout.own(row)}${layout.separator}${ours}${row.lineEnd || layout.lineEnd}`);
        top = "";
        meter.count(cells[0] as string | null);
      },
    });
    if (top !== "") await output.write(top);
    if (meter.rows !== read || (total !== null && read !== total)) {
      const [had, has] = [total ?? read, meter.rows].map((count) => formatCount(count, "row"));
      throw new InputError(`The list has ${had}, and ${has} were written: it changed while it was read.`);
    }
  } catch (error) {
    meter.clear();
    const { message, exit } = failureOf(error);
    const lines = [message, howToContinue(meter.rows, out, exit)].filter(Boolean);
    if (message !== "") console.error(printable(`checkline: ${lines.join("\n")}`));
    return exit;
  } finally {
    await output.end();
  }
  meter.clear();
  tell(`${meter.summary()}.${out === null ? "" : ` The result is ${out}.`}`);
  return EXIT.done;
}

/** What isn't understood in the rows that were looked at, before anything is sent. */
function concernsOf({ input: { survey }, columns }: List, country: string, readCountry: CountryReader): string[] {
  const { sample, rows } = survey;
  const reading = { header: columns.header, column: columns.phone, countryColumn: columns.country };
  const summary = summaryOf({ rows: sample, sheets: [], sheet: null, source: null }, reading, readCountry);
  const said = concernsIn(summary, country);
  if (summary.unread.rows > 0) said.unshift(unreadIn(summary.unread));
  return rows === sample.length || said.length === 0
    ? said
    : [`Of ${formatCount(sample.length, "row")} looked at:`, ...said];
}

/** What is there after a failure, and how to go on. */
function howToContinue(rows: number, out: string | null, exit: number): string {
  if (rows === 0) return "";
  if (out === null)
    return `${formatCount(rows, "row")} written. With --out, --resume can continue after an interruption.`;
  const first = exit === EXIT.input ? "Once that is fixed, run" : "To continue, run";
  return `${out} has ${formatCount(rows, "row")}. ${first} the same command with --resume: they aren’t sent again.`;
}
