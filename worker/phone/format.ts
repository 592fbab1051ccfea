import { MAX_NATIONAL_LENGTH, type PhoneNumber } from "./number.ts";
import type { Mask, PlanTable } from "./plan-table.ts";

// `join` and `fromCharCode` return flat text; `+` doesn't, and JSON.stringify would take longer (docs/engine.md).

/** E.164: plus sign, calling code, and national number, without the extension: "+12025550123". */
export function formatE164({ callingCode, nationalNumber }: PhoneNumber): string {
  return ["+", callingCode, nationalNumber].join("");
}

/**
 * The international format of ITU-T E.123, with groups separated by spaces: "+1 202 555 0123 ext. 5". Groups, digits, and
 * extension match libphonenumber's INTERNATIONAL format, which uses hyphens in some countries. A number that fits no
 * format of its calling code isn't grouped.
 */
export function formatInternational(number: PhoneNumber, plans: PlanTable): string {
  return formats(number, plans).international;
}

/**
 * The national format, identical to libphonenumber's NATIONAL: "(202) 555-0123 ext. 5". Regions that share a calling code
 * share formats. A number that fits no format isn't grouped.
 */
export function formatNational(number: PhoneNumber, plans: PlanTable): string {
  return formats(number, plans).national;
}

/** A number as people write it, and as a URI. */
interface Formats {
  readonly national: string;
  readonly international: string;
  /** Identical to libphonenumber's RFC3966: "tel:+1-202-555-0123;ext=5". */
  readonly rfc3966: string;
}

/** All three. */
export function formats({ callingCode, nationalNumber, extension }: PhoneNumber, plans: PlanTable): Formats {
  const plan = plans.plan(Number(callingCode));
  const layout = plan?.layout(nationalNumber);
  const end = plan && extension !== null ? plan.extensionPrefix + extension : "";
  const international = fill(layout?.international, nationalNumber) ?? ["+", callingCode, " ", nationalNumber].join("");
  return {
    national: (fill(layout?.national, nationalNumber) ?? nationalNumber) + end,
    international: international + end,
    rfc3966: `tel:${international.replaceAll(" ", "-")}${extension === null ? "" : `;ext=${extension}`}`,
  };
}

/** Character codes of the text being written, reused by length: new arrays would take longer. */
const codesByLength: number[][] = [];

function fill(mask: Mask | null | undefined, nationalNumber: string): string | null {
  if (!mask) return null;
  const { length } = mask;
  const codes = (codesByLength[length] ??= Array.from({ length }, () => 0));
  for (let at = 0; at < length; at++) {
    const code = mask.charCodeAt(at);
    codes[at] = code < MAX_NATIONAL_LENGTH ? nationalNumber.charCodeAt(code) : code;
  }
  return String.fromCharCode(...codes);
}
