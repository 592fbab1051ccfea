#!/usr/bin/env node
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { createCountryReader } from "../../../lists/columns/read-country.ts";
import type { CountryReader } from "../../../lists/columns/read-country.ts";
import { LINE_TYPES, NUMBER_TYPES } from "../../../contract/result-values.ts";
import { OUR_COLUMNS } from "../../../lists/write/result-columns.ts";
import { EXIT, failureOf, InputError, Interruption, printable } from "./failure.ts";
import { lookUp } from "./lookup.ts";
import { verifyList } from "./verify.ts";

const HELP = `Usage:
  checkline verify [FILE] [--out FILE]   Verifies a list (CSV, XLSX, VCF, or text), and adds columns with the results
  checkline lookup NUMBER                Prints what is known about a number

Without FILE or with -, verify reads standard input. Without --out, it writes to standard output.

verify:
  --out FILE               Writes the result there
  --resume                 Continues an interrupted result: its rows aren't sent again
  --phone-column NAME      The column with the numbers: its header, or its position from 1
  --country-column NAME    The column with each row's country
  --country CODE           The country of national numbers in rows without one, such as DE
  --expect-country CODE    Accepts numbers of this country only, or with "row", of their row's. The verdict is in the
                           columns accepted and rejected_because
  --accept-types LIST      Accepts these types only, such as mobile,fixed_line
  --accept-line-types LIST Accepts these line types only, such as mobile,unknown
  --reject-unallocated     Accepts no numbers in ranges that nobody has
  --fields LIST            The columns to add, such as number,reason,note; all by default
  --raw                    Keeps cells that a spreadsheet would run as formulas; by default they get an apostrophe
  --sheet NAME             A workbook's sheet; the first by default
  --encoding NAME          Such as windows-1252; UTF-8 by default

lookup:
  --country CODE           The country of a national number
  --json                   Prints the result as JSON

The API key is read from CHECKLINE_API_KEY, and the service's address from CHECKLINE_BASE_URL.

Exit codes:
  0    Done. An invalid number is a result
  1    Wrong usage, input, or key; the message says what to change
  2    Stopped by the quota, a rate limit, the connection, or the service; continue later with --resume
  130  Interrupted
`;

const OPTIONS = {
  out: { type: "string" },
  resume: { type: "boolean", default: false },
  "phone-column": { type: "string" },
  "country-column": { type: "string" },
  country: { type: "string" },
  "expect-country": { type: "string" },
  "accept-types": { type: "string" },
  "accept-line-types": { type: "string" },
  "reject-unallocated": { type: "boolean", default: false },
  fields: { type: "string" },
  raw: { type: "boolean", default: false },
  sheet: { type: "string" },
  encoding: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", default: false },
} as const;

/** The options of each command; the others are wrong there. */
const COMMANDS = {
  verify: [
    "out",
    "resume",
    "phone-column",
    "country-column",
    "country",
    "expect-country",
    "accept-types",
    "accept-line-types",
    "reject-unallocated",
    "fields",
    "raw",
    "sheet",
    "encoding",
  ],
  lookup: ["country", "json"],
} as const satisfies Record<string, readonly string[]>;

function wrong(message: string): InputError {
  return new InputError(`${message} See checkline --help.`);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw wrong((error as Error).message.split(". ")[0]!.replace(/\.?$/, "."));
  }
}

type Values = ReturnType<typeof parsed>["values"];

function checkOptions(command: keyof typeof COMMANDS, values: Values): void {
  const known: readonly string[] = COMMANDS[command];
  const other = Object.entries(values).find(([name, value]) => value !== false && !known.includes(name));
  if (other !== undefined) throw wrong(`${command} has no option --${other[0]}.`);
}

function countryOf(text: string | undefined, readCountry: CountryReader): string | null {
  if (text === undefined) return null;
  const country = readCountry(text);
  if (country === null) throw new InputError(`“${text}” isn’t a country. Use its code, such as DE.`);
  return country;
}

/** The items of an option's list. @throws InputError for one that isn't known, or is there twice */
function listOf<Item extends string>(option: string, text: string | undefined, known: readonly Item[]): Item[] | null {
  if (text === undefined) return null;
  const items = text.split(",").map((item) => item.trim());
  const other = items.find((item) => !known.includes(item as Item));
  if (other !== undefined) throw new InputError(`--${option} has no “${other}”. It takes: ${known.join(", ")}.`);
  const twice = items.find((item, at) => items.indexOf(item) !== at);
  if (twice !== undefined) throw new InputError(`--${option} has “${twice}” twice.`);
  return items as Item[];
}

/** Aborted by Ctrl+C and by a request to end. A second one ends the program at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => controller.abort(new Interruption()));
  }
  return controller.signal;
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args);
  const [command, operand, ...more] = positionals;
  if (values.help || command === "help") {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  if (values.version) {
    const { version } = createRequire(import.meta.url)("../package.json") as { version: string };
    console.log(version);
    return EXIT.done;
  }
  if (command === undefined) throw wrong("Missing command: verify or lookup.");
  if (command !== "verify" && command !== "lookup") {
    const meant = Object.keys(COMMANDS).find((name) => name[0] === command[0]?.toLowerCase());
    throw wrong(`There is no command “${command}”.${meant === undefined ? "" : ` Did you mean ${meant}?`}`);
  }
  checkOptions(command, values);
  if (more.length > 0)
    throw wrong(`${command} takes one ${command === "verify" ? "file" : "number"}; use quotes around spaces.`);
  const readCountry = createCountryReader([Intl.DateTimeFormat().resolvedOptions().locale]);
  const country = countryOf(values.country, readCountry);
  if (command === "lookup") {
    if (operand === undefined) throw wrong("Missing number.");
    await lookUp(operand, country, values.json);
    return EXIT.done;
  }
  const path = operand === undefined || operand === "-" ? null : operand;
  if (path === null && operand === undefined && process.stdin.isTTY) throw wrong("Missing file.");
  const out = values.out ?? null;
  if (values.resume && out === null) throw wrong("--resume continues the file of --out.");
  const expectsCountry = values["expect-country"] === "row";
  const expectCountry = expectsCountry ? null : countryOf(values["expect-country"], readCountry);
  const conditions = {
    expectCountry,
    acceptTypes: listOf("accept-types", values["accept-types"], NUMBER_TYPES),
    acceptLineTypes: listOf("accept-line-types", values["accept-line-types"], [...LINE_TYPES, "unknown"]),
    rejectUnallocated: values["reject-unallocated"],
  };
  const fields = listOf("fields", values.fields, OUR_COLUMNS) ?? OUR_COLUMNS;
  const { "phone-column": phoneColumn, "country-column": countryColumn, encoding, resume, raw, sheet = null } = values;
  const signal = interruption();
  const wanted = { phoneColumn, countryColumn, country, readCountry };
  const options = { path, out, encoding, sheet, resume, raw, fields, conditions, expectsCountry, signal, ...wanted };
  return verifyList(options, (line) => process.stderr.isTTY && console.error(printable(line)));
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const { message, exit } = failureOf(error);
  if (message !== "") console.error(printable(`checkline: ${message}`));
  process.exitCode = exit;
}
