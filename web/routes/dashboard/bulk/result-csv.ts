import type { Row } from "./rows.ts";
import type { Verdict } from "./run.ts";

/** A plus sign, digits and spaces: can be no formula, whatever a spreadsheet makes of it. */
const PLAIN_NUMBER = /^\+\d[\d ]*$/;
/** What spreadsheets take for the beginning of a formula (OWASP, CSV injection), full-width forms included. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * A cell that no spreadsheet calculates: whatever could begin a formula gets an apostrophe before it. Numbers in E.164 or
 * international format stay as they are, so that programs can read them.
 */
export function guardCell(text: string): string {
  return FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

function writeCell(value: string | boolean | null): string {
  if (value === null) return "";
  const text = guardCell(String(value));
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Cells = readonly (readonly [name: string, read: (row: Row) => string | boolean | null])[];

function resultOf({ verdict }: Row) {
  return verdict === null || verdict.kind === "failed" ? null : verdict.result;
}

function failureOf({ verdict }: Row): Extract<Verdict, { kind: "failed" }> | null {
  return verdict?.kind === "failed" ? verdict : null;
}

const COLUMNS: Cells = [
  ["input", (row) => row.input],
  ["outcome", (row) => row.verdict?.kind ?? "not_checked"],
  ["number", (row) => resultOf(row)?.number ?? null],
  ["international_format", (row) => resultOf(row)?.international_format ?? null],
  ["local_format", (row) => resultOf(row)?.local_format ?? null],
  ["valid", (row) => resultOf(row)?.valid ?? null],
  ["possible", (row) => resultOf(row)?.possible ?? null],
  ["reason", (row) => resultOf(row)?.reason ?? null],
  ["country_code", (row) => resultOf(row)?.country_code ?? null],
  ["country_name", (row) => resultOf(row)?.country_name ?? null],
  ["country_prefix", (row) => resultOf(row)?.country_prefix ?? null],
  ["location", (row) => resultOf(row)?.location ?? null],
  ["time_zones", (row) => resultOf(row)?.time_zones.join(" ") ?? null],
  ["line_type", (row) => resultOf(row)?.line_type ?? null],
  ["number_type", (row) => resultOf(row)?.number_type ?? null],
  ["extension", (row) => resultOf(row)?.extension ?? null],
  ["carrier", (row) => resultOf(row)?.carrier ?? null],
  ["carrier_source", (row) => resultOf(row)?.carrier_source ?? null],
  ["number_portability", (row) => resultOf(row)?.number_portability ?? null],
  ["sms", (row) => resultOf(row)?.deliverability.sms ?? null],
  ["voice", (row) => resultOf(row)?.deliverability.voice ?? null],
  ["flags", (row) => resultOf(row)?.deliverability.flags.join(" ") ?? null],
  ["reachability", (row) => resultOf(row)?.reachability ?? null],
  ["sandbox_status", (row) => statusOf(row)],
  ["error_code", (row) => failureOf(row)?.code ?? null],
  ["error", (row) => failureOf(row)?.message ?? null],
];

function statusOf(row: Row): string | null {
  const result = resultOf(row);
  if (result === null || !("status" in result)) return null;
  return typeof result.status === "string" ? result.status : null;
}

/** Rows as CSV (RFC 4180, CRLF) with a byte order mark, by which Excel knows UTF-8. One line each, in their order. */
export function resultCsv(rows: readonly Row[]): string {
  const head = COLUMNS.map(([name]) => name).join(",");
  const lines = rows.map((row) => COLUMNS.map(([, read]) => writeCell(read(row))).join(","));
  return `\uFEFF${[head, ...lines].join("\r\n")}\r\n`;
}
