import { NATIONAL_ONLY_FORMATS } from "./national-only-formats.ts";
import type { PhoneNumber } from "./number.ts";
import { formattingOf, type RawFormat } from "./plan-metadata.ts";

/** How national numbers of one shape are grouped: a template with $1 for the pattern's groups. */
interface Grouping {
  readonly leadingDigits: RegExp | null;
  readonly pattern: RegExp;
  readonly template: string;
}

interface Style {
  readonly national: readonly Grouping[];
  readonly international: readonly Grouping[];
  readonly extensionPrefix: string;
}

const styles = new Map<string, Style>();

/** E.164: plus sign, calling code and national number, without the extension: "+12025550123". */
export function formatE164(number: PhoneNumber): string {
  return `+${number.callingCode}${number.nationalNumber}`;
}

/**
 * For callers abroad, groups separated by spaces as ITU-T E.123 has it: "+1 202 555 0123 ext. 5". Groups and digits are those of
 * libphonenumber's INTERNATIONAL format, which writes some countries with hyphens; so is the extension. A number that fits no
 * format of its calling code stays ungrouped.
 */
export function formatInternational(number: PhoneNumber): string {
  const style = styleOf(number.callingCode);
  const grouped = group(style.international, number.nationalNumber).replace(/\D+/g, " ").trim();
  return `+${number.callingCode} ${grouped}${extensionOf(number, style)}`;
}

/**
 * For callers inside the country, to the letter of libphonenumber's NATIONAL format: "(202) 555-0123 ext. 5". Regions that share
 * a calling code share their formats. A number that fits no format stays ungrouped.
 */
export function formatNational(number: PhoneNumber): string {
  const style = styleOf(number.callingCode);
  return `${group(style.national, number.nationalNumber)}${extensionOf(number, style)}`;
}

function extensionOf(number: PhoneNumber, style: Style): string {
  return number.extension === null ? "" : style.extensionPrefix + number.extension;
}

function group(groupings: readonly Grouping[], nationalNumber: string): string {
  for (const { leadingDigits, pattern, template } of groupings) {
    if (leadingDigits !== null && !leadingDigits.test(nationalNumber)) continue;
    if (pattern.test(nationalNumber)) return nationalNumber.replace(pattern, template);
  }
  return nationalNumber;
}

function styleOf(callingCode: string): Style {
  const known = styles.get(callingCode);
  if (known !== undefined) return known;
  const { id, formats, extensionPrefix } = formattingOf(callingCode);
  const national = formats.map(([pattern, format, leadingDigits, rule]) =>
    grouping(pattern, withPrefix(format, rule || ""), lastOf(leadingDigits)),
  );
  // Ascending places, so each is inserted where the full list has it.
  for (const [index, leadingDigits, pattern, format, rule = ""] of NATIONAL_ONLY_FORMATS[id] ?? []) {
    national.splice(index, 0, grouping(pattern, withPrefix(format, rule), leadingDigits));
  }
  const international = formats.map(([pattern, format, leadingDigits, , , internationalFormat]) =>
    grouping(pattern, internationalFormat || format, lastOf(leadingDigits)),
  );
  const style = { national, international, extensionPrefix };
  styles.set(callingCode, style);
  return style;
}

function grouping(pattern: string, template: string, leadingDigits: string): Grouping {
  return {
    leadingDigits: leadingDigits === "" ? null : new RegExp(`^(?:${leadingDigits})`),
    pattern: new RegExp(`^(?:${pattern})$`),
    template,
  };
}

/** Puts a national prefix rule such as "(0$1)" in place of the template's first group; $1 in a rule means that group. */
function withPrefix(template: string, rule: string): string {
  return rule === "" ? template : template.replace(/(\$\d)/, rule);
}

/** Each pattern is more exact than the one before it; only the last decides. */
function lastOf(leadingDigits: RawFormat[2]): string {
  return leadingDigits ? (leadingDigits.at(-1) ?? "") : "";
}
