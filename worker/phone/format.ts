import type { PhoneNumber } from "./number.ts";
import type { Mask, PlanTable } from "./plan-table.ts";

/** E.164: plus sign, calling code, and national number, without the extension: "+12025550123". */
export function formatE164({ callingCode, nationalNumber }: PhoneNumber): string {
  return `+${callingCode}${nationalNumber}`;
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
  const uri = fill(layout?.rfc3966, nationalNumber) ?? `+${callingCode}-${nationalNumber}`;
  return {
    national: (fill(layout?.national, nationalNumber) ?? nationalNumber) + end,
    international: (fill(layout?.international, nationalNumber) ?? `+${callingCode} ${nationalNumber}`) + end,
    rfc3966: `tel:${uri}${extension === null ? "" : `;ext=${extension}`}`,
  };
}

function fill(mask: Mask | null | undefined, nationalNumber: string): string | null {
  if (!mask) return null;
  let text = "";
  for (const part of mask) text += typeof part === "string" ? part : nationalNumber.slice(part[0], part[1]);
  return text;
}
