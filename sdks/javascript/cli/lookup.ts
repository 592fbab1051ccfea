import { FLAGS, hintOf, REASONS } from "../../../contract/reasons.ts";
import type { LookupResult } from "../src/index.js";
import { createClient } from "./client.ts";
import { printable } from "./failure.ts";
import { named } from "./named.ts";

function spaced(text: string | null): string | null {
  return text && text.replaceAll("_", " ");
}

/** A result as lines of a name and a text, without what is unknown. */
function readable(result: LookupResult, country: string | null): string {
  const { number, valid, reason, suggestion, countryName, countryCode, location, deliverability } = result;
  const hint = reason === null ? "" : `. ${hintOf(REASONS, reason)}`;
  const needsCountry = reason === "MISSING_COUNTRY_CODE" && country === null;
  const why = needsCountry ? `${hint} Or pass its country, such as --country DE.` : hint;
  const lines: readonly (readonly [string, string | null])[] = [
    ["Number", number],
    ["Valid", valid ? "yes" : `no${why}`],
    ["Did you mean", suggestion && suggestion.number],
    ["Numbers in it", result.candidates.join(", ")],
    ["Country", countryName && `${countryName}${countryCode === null ? "" : ` (${countryCode})`}`],
    ["Location", location === countryName ? null : location],
    ["Type", valid ? spaced(result.lineType ?? result.numberType) : null],
    ["Carrier", result.carrier && `${result.carrier} (original)`],
    ["Within the country", result.localFormat],
    ["From abroad", result.internationalFormat],
    ["Extension", result.extension],
    ["Time zones", result.timeZones.join(", ")],
    ["Text messages", valid ? deliverability.sms : null],
    ["Calls", valid ? deliverability.voice : null],
    ["Flags", deliverability.flags.map((flag) => hintOf(FLAGS, flag)).join(", ")],
    ["Sandbox", result.status],
  ];
  const known = lines.filter(([, text]) => text);
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
}

/** Looks up one number and prints it. @throws ChecklineError, InputError */
export async function lookUp(number: string, country: string | null, asJson: boolean): Promise<void> {
  const result = await createClient().lookup(number, { country });
  console.log(asJson ? JSON.stringify(named(result), null, 2) : printable(readable(result, country)));
}
