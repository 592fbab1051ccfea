import type { VerificationResult } from "../../contract/verification.ts";
import { CONTACT, mailto } from "./contact.ts";

/** At most this many digits after the calling code identify a range, and at least so many are kept back. */
const MOST_SHOWN = 6;
const LEAST_HIDDEN = 4;

type Reported = Pick<VerificationResult, "valid" | "country_code" | "country_prefix" | "national_number">;

/** A number's range: its calling code and first digits, never the number. */
function firstDigits({ country_prefix: prefix, national_number: national }: Reported): string {
  const shown = national?.slice(0, Math.max(0, Math.min(MOST_SHOWN, national.length - LEAST_HIDDEN))) ?? "";
  return [prefix ?? "", shown].join(" ").trim();
}

function report(address: string, country: string, digits: string, field: string): string {
  const lines = [`Country: ${country}`, `First digits: ${digits}`, `Field: ${field}`, "", "It should be:", ""];
  return mailto(address, "Wrong result", [...lines, "Please leave out the whole number."].join("\r\n"));
}

/** The address of an email to report a wrong result. It contains the country, first digits, and field only. */
export function reportOf(result: Reported): string {
  const fields = "location, carrier, or line_type (keep the wrong one)";
  return report(CONTACT.support, result.country_code ?? "", firstDigits(result), result.valid ? fields : "valid");
}

/** The text of a link to `emptyReport`. */
export function reportText(field: string): string {
  return `Report a wrong ${field || "result"}`;
}

/** The same with the country and digits to fill in, and optionally without the field. */
export function emptyReport(field: string, address: string = CONTACT.support): string {
  return report(address, "", "", field);
}
