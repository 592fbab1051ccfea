import { REGISTERS } from "../../contract/registers.ts";
import type { LineType, LineTypeSource, NumberType } from "../../contract/result-values.ts";
import type { Listing } from "./allocation.ts";
import type { AssignedNumber } from "./geography.ts";

/** Only types that determine how the line is connected; anything else would be a guess. */
const LINE_TYPE_OF: Partial<Record<NumberType, LineType>> = { mobile: "mobile", fixed_line: "fixed", voip: "voip" };

/**
 * A Chilean number's, by SUBTEL's Plan Técnico Fundamental de Numeración, where libphonenumber has one type for both: mobiles
 * start with 9, and area codes with 2 to 7. A carrier's name says nothing, because Google's list has landlines' too.
 */
function chileanLineType(national: string): LineType | null {
  if (national.startsWith("9")) return "mobile";
  return /^[2-7]/.test(national) ? "fixed" : null;
}

/**
 * A number's line type and where that comes from; null for both if nothing published tells, and without a number. What the
 * numbering plan says comes first, because it holds no matter who has the number.
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
  const lineType = callingCode === "56" ? chileanLineType(e164.slice(3)) : null;
  return [lineType, lineType && "numbering_plan"];
}
