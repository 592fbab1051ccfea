import type { PhoneNumber } from "./number.ts";
import type { Mask, PlanTable } from "./plan-table.ts";

/** E.164: plus sign, calling code and national number, without the extension: "+12025550123". */
export function formatE164(number: PhoneNumber): string {
  return [`+${number.callingCode}`, number.nationalNumber].join("");
}

/**
 * For callers abroad, groups separated by spaces as ITU-T E.123 has it: "+1 202 555 0123 ext. 5". Groups and digits are those of
 * libphonenumber's INTERNATIONAL format, which writes some countries with hyphens; so is the extension. A number that fits no
 * format of its calling code stays ungrouped.
 */
export function formatInternational(number: PhoneNumber, plans: PlanTable): string {
  return formats(number, plans).international;
}

/**
 * For callers inside the country, to the letter of libphonenumber's NATIONAL format: "(202) 555-0123 ext. 5". Regions that share
 * a calling code share their formats. A number that fits no format stays ungrouped.
 */
export function formatNational(number: PhoneNumber, plans: PlanTable): string {
  return formats(number, plans).national;
}

/** Both forms at once. */
export function formats(
  { callingCode, nationalNumber, extension }: PhoneNumber,
  plans: PlanTable,
): { readonly national: string; readonly international: string } {
  const plan = plans.plan(Number(callingCode));
  if (plan === undefined) return { national: nationalNumber, international: `+${callingCode} ${nationalNumber}` };
  const { national, international } = plan.layout(nationalNumber)!;
  const end = extension === null ? "" : plan.extensionPrefix + extension;
  return {
    national: group("", national, nationalNumber, end),
    international: group(`+${callingCode} `, international, nationalNumber, end),
  };
}

/**
 * A formatted number between these texts. Joined, because text built with `+` isn't flat, and JSON.stringify takes twice
 * as long for a value that contains any.
 */
function group(first: string, { groups, after }: Mask, nationalNumber: string, last: string): string {
  const parts = [first];
  if (groups.length === 0) parts.push(nationalNumber);
  for (const { before, start, end } of groups) parts.push(before + nationalNumber.slice(start, end));
  parts.push(after + last);
  return parts.join("");
}
