import type { PhoneNumber } from "./number.ts";
import type { Mask, PlanTable } from "./plan-table.ts";

/** E.164: plus sign, calling code, and national number, without the extension: "+12025550123". */
export function formatE164({ callingCode, nationalNumber }: PhoneNumber): string {
  // Joined, because JSON.stringify is slower for text built with `+`.
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

/** Both formats. */
export function formats(
  { callingCode, nationalNumber, extension }: PhoneNumber,
  plans: PlanTable,
): { readonly national: string; readonly international: string } {
  const plan = plans.plan(Number(callingCode));
  if (plan === undefined) return { national: nationalNumber, international: `+${callingCode} ${nationalNumber}` };
  const { national, international } = plan.layout(nationalNumber)!;
  const end = extension === null ? "" : plan.extensionPrefix + extension;
  return {
    national: group(national, nationalNumber) + end,
    international: group(international, nationalNumber) + end,
  };
}

function group({ groups, after }: Mask, nationalNumber: string): string {
  let text = "";
  for (const { before, start, end } of groups) text += before + nationalNumber.slice(start, end);
  return text + after;
}
