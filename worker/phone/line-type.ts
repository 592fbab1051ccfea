import { REGISTERS } from "../../contract/registers.ts";
import type { LineType, LineTypeSource, NumberType } from "../../contract/result-values.ts";
import type { Listing } from "./allocation.ts";
import type { AssignedNumber } from "./geography.ts";

/** Only types that determine how the line is connected; anything else would be a guess. */
const LINE_TYPE_OF: Partial<Record<NumberType, LineType>> = { mobile: "mobile", fixed_line: "fixed", voip: "voip" };

/**
 * Line types of ranges that libphonenumber has for both landlines and mobiles, by calling code and first digits. Each is
 * a regulator's own rule: a carrier's name says nothing, because Google's list has the names of landlines' ranges too.
 */
const PLANNED: Readonly<Record<string, readonly (readonly [RegExp, LineType])[]>> = {
  // SUBTEL, Plan Técnico Fundamental de Numeración: 9 is the area code of mobiles, and landlines have their area's.
  "56": [
    [/^9/, "mobile"],
    [/^(?:2|3[2-5]|4[1-35]|5[1-3578]|6[13-57]|7[1-35])/, "fixed"],
  ],
};

/**
 * A number's line type and where that comes from; null for both if nothing published tells, and without a number. What the
 * numbering plan says comes first: nearly everywhere, it outlives porting.
 */
export function lineTypeOf(
  number: AssignedNumber | null,
  listing: Listing | null,
): [LineType | null, LineTypeSource | null] {
  if (number === null) return [null, null];
  const { callingCode, e164, type } = number;
  const planned = LINE_TYPE_OF[type];
  if (planned !== undefined) return [planned, "numbering_plan"];
  if (type !== "fixed_line_or_mobile") return [null, null];
  if (listing !== null)
    return [listing.holding.line_type, listing.holding.line_type && REGISTERS[listing.country].lineTypes];
  const national = e164.slice(1 + callingCode.length);
  const lineType = PLANNED[callingCode]?.find(([digits]) => digits.test(national))?.[1] ?? null;
  return [lineType, lineType && "numbering_plan"];
}
