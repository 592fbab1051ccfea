import { Checkline } from "../src/index.js";
import type { CountryReader } from "../../../lists/columns/read-country.ts";
import { formatCount } from "../../../contract/format.ts";
import { layoutOf, questionOf } from "./append.ts";
import type { Layout, Outcome } from "./append.ts";
import { EXIT, failureOf, InputError } from "./failure.ts";
import { openFile, openStream } from "./input.ts";
import type { Input } from "./input.ts";
import { createMeter } from "./meter.ts";
import { fileExists, isSameFile, openOutput, openStdout } from "./output.ts";
import type { Output } from "./output.ts";
import { chain } from "./read-rows.ts";
import type { Row } from "./read-rows.ts";
import { progressOf } from "./resume.ts";
import { chooseColumns } from "./survey.ts";
import type { Columns, Wanted } from "./survey.ts";
import { createSent, verifyRows } from "./verify-rows.ts";

export interface VerifyOptions extends Wanted {
  /** Null for standard input. */
  readonly path: string | null;
  /** Null for standard output. */
  readonly out: string | null;
  /** For rows without one, ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly encoding: string | undefined;
  readonly resume: boolean;
  readonly readCountry: CountryReader;
  readonly signal: AbortSignal;
}

/** Prints a line for people: only to a terminal. */
type Tell = (line: string) => void;

/** A list whose columns are known, and its rows below the header. */
interface List {
  readonly input: Input;
  readonly columns: Columns;
  readonly layout: Layout;
}

async function openList({ path, encoding, signal, readCountry, ...wanted }: VerifyOptions): Promise<List> {
  const input =
    path === null ? await openStream(process.stdin, encoding, signal) : await openFile(path, encoding, signal);
  const columns = chooseColumns(input.survey, wanted, readCountry);
  const top: Row[] = [];
  for (let at = 0; at <= (columns.header ?? -1); at++) {
    const { done, value } = await input.rows.next();
    if (done === true) throw new InputError("The file changed while it was read.");
    top.push(value);
  }
  return { input, columns, layout: layoutOf(input.file, columns, top) };
}

/** Where the rest of a list is written, and which rows that is. */
interface Rest {
  readonly output: Output;
  readonly rows: AsyncIterable<Row>;
  /** Whether the output has its first lines. */
  readonly isBegun: boolean;
}

async function openRest(
  { path, out, resume }: VerifyOptions,
  { input, layout, columns }: List,
  done: (row: Row, cells: readonly string[]) => void,
): Promise<Rest> {
  if (out === null) return { output: openStdout(), rows: input.rows, isBegun: false };
  if (!(await fileExists(out))) return { output: openOutput(out, null), rows: input.rows, isBegun: false };
  if (path !== null && (await isSameFile(path, out))) {
    throw new InputError(`${out} is the list itself. Choose another --out.`);
  }
  if (!resume) throw new InputError(`${out} exists. Add --resume to continue it, or choose another --out.`);
  const { bytes, next } = await progressOf(out, layout, input.file, input.rows, columns.names.length, done);
  const rows = bytes === 0 ? input.rows : chain(next === null ? [] : [next], input.rows);
  return { output: openOutput(out, bytes), rows, isBegun: bytes > 0 };
}

function checkWidth({ cells, place }: Row, { names }: Columns): void {
  if (cells.length <= names.length) return;
  throw new InputError(
    `Row ${formatCount(place)} has ${formatCount(cells.length, "cell")}, and those before it ${names.length} at most. Save standard input to a file, which is read to its end first.`,
  );
}

/**
 * Verifies a list and writes its rows with our columns after them.
 * @returns the exit code
 * @throws what `failureOf` reads, if not even the first row was written
 */
export async function verifyList(options: VerifyOptions, tell: Tell): Promise<number> {
  const { out, signal, country, readCountry } = options;
  // Without a key nothing else matters.
  const client = new Checkline({ maxRetries: 4 });
  const list = await openList(options);
  const { columns, layout, input } = list;
  const terminal = process.stderr.isTTY && (out !== null || !process.stdout.isTTY) ? process.stderr : null;
  const total = input.isWhole ? input.survey.rows - (columns.header ?? -1) - 1 : null;
  const meter = createMeter(total, terminal);
  const sent = createSent();
  const { output, rows, isBegun } = await openRest(options, list, (row, cells) => {
    const question = questionOf(row, columns, country, readCountry);
    const outcome = cells[0] as Outcome;
    meter.count(outcome);
    if ("number" in question && sent.find(question) === undefined) sent.add(question, { appended: { outcome, cells } });
  });
  const [phone, named] = [columns.phone, columns.country].map((at) => (at === null ? null : columns.names[at]!));
  tell(`Numbers: “${phone}”.${named === null ? "" : ` Countries: “${named}”.`}`);
  let top = isBegun ? "" : layout.top;
  meter.start();
  try {
    await verifyRows(rows, {
      client,
      signal,
      sent,
      questionOf(row) {
        checkWidth(row, columns);
        return questionOf(row, columns, country, readCountry);
      },
      async write(row, appended) {
        await output.write(top + layout.line(row, appended));
        top = "";
        meter.count(appended.outcome);
      },
    });
    if (top !== "") await output.write(top);
  } catch (error) {
    meter.clear();
    const { message, exit } = failureOf(signal.aborted ? signal.reason : error);
    const lines = [message, howToContinue(meter.rows, out, exit)].filter(Boolean);
    if (message !== "") console.error(`checkline: ${lines.join("\n")}`);
    return exit;
  } finally {
    await output.end();
  }
  meter.clear();
  tell(`${meter.summary()}.${out === null ? "" : ` The result is ${out}.`}`);
  return EXIT.done;
}

/** What is there after a failure, and how to go on. */
function howToContinue(rows: number, out: string | null, exit: number): string {
  if (rows === 0) return "";
  if (out === null)
    return `${formatCount(rows, "row")} written. With --out, --resume can continue after an interruption.`;
  const first = exit === EXIT.input ? "Once that is fixed, run" : "To continue, run";
  return `${out} has ${formatCount(rows, "row")}. ${first} the same command with --resume: they aren’t sent again.`;
}
