import Papa from "papaparse";
import type { Row } from "./rows.ts";

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

/** The cells of a line by the names of their columns. */
function cellsOf({ input, verdict }: Row): Record<string, string | boolean | null | undefined> {
  const result = verdict === null || verdict.kind === "failed" ? null : verdict.result;
  const failure = verdict?.kind === "failed" ? verdict : null;
  return {
    input,
    outcome: verdict?.kind ?? "not_checked",
    number: result?.number,
    international_format: result?.international_format,
    local_format: result?.local_format,
    valid: result?.valid,
    possible: result?.possible,
    reason: result?.reason,
    country_code: result?.country_code,
    country_name: result?.country_name,
    country_prefix: result?.country_prefix,
    location: result?.location,
    time_zones: result?.time_zones.join(" "),
    line_type: result?.line_type,
    number_type: result?.number_type,
    extension: result?.extension,
    carrier: result?.carrier,
    carrier_source: result?.carrier_source,
    number_portability: result?.number_portability,
    sms: result?.deliverability.sms,
    voice: result?.deliverability.voice,
    flags: result?.deliverability.flags.join(" "),
    reachability: result?.reachability,
    sandbox_status: result && "status" in result ? String(result.status) : null,
    error_code: failure?.code,
    error: failure?.message,
  };
}

/** Rows as CSV (RFC 4180, CRLF) with a byte order mark, by which Excel knows UTF-8. One line each, in their order. */
export function resultCsv(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const cells = Object.entries(cellsOf(row));
    return Object.fromEntries(cells.map(([name, cell]) => [name, typeof cell === "string" ? guardCell(cell) : cell]));
  });
  return `\uFEFF${Papa.unparse(lines)}\r\n`;
}
