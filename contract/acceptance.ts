import type { NumberType, RejectionReason } from "./result-values.ts";
import type { Acceptance, VerificationResult } from "./verification.ts";

export type Verdict = Pick<VerificationResult, "accepted" | "rejected_because">;

/** Whether a result meets the caller's conditions; null if there are none. */
export function acceptance(
  result: Pick<VerificationResult, "valid" | "country_code" | "number_type" | "line_type" | "allocation">,
  { expect_country, accept_types, accept_line_types, reject_unallocated = false }: Acceptance,
): Verdict | null {
  const conditions = [expect_country, accept_types, accept_line_types];
  if (conditions.every((condition) => condition === undefined) && !reject_unallocated) return null;
  if (!result.valid) return rejected("INVALID_NUMBER");
  if (expect_country !== undefined && result.country_code !== expect_country) return rejected("OTHER_COUNTRY");
  if (accept_types !== undefined && !isOneOf(result.number_type, accept_types)) return rejected("OTHER_TYPE");
  if (accept_line_types !== undefined && !isLineOf(result, accept_line_types)) {
    return rejected("LINE_TYPE_NOT_ACCEPTED");
  }
  if (reject_unallocated && result.allocation?.status === "unassigned") return rejected("NOT_ALLOCATED");
  return { accepted: true, rejected_because: null };
}

function rejected(rejected_because: RejectionReason): Verdict {
  return { accepted: false, rejected_because };
}

/** If a plan can't tell fixed lines from mobiles (+1), a number may be of the requested type, so it is accepted. */
function isOneOf(type: NumberType, accepted: readonly NumberType[]): boolean {
  if (accepted.includes(type)) return true;
  return type === "fixed_line_or_mobile" && (accepted.includes("mobile") || accepted.includes("fixed_line"));
}

/** Types whose numbers are, or may be, landlines or mobile. */
const LINES: ReadonlySet<NumberType> = new Set(["fixed_line", "mobile", "fixed_line_or_mobile", "unknown"]);

/** A number without a line type is unknown only if it could be a landline or mobile: others, such as toll-free, are neither. */
function isLineOf(
  { line_type, number_type }: Pick<VerificationResult, "line_type" | "number_type">,
  accepted: NonNullable<Acceptance["accept_line_types"]>,
): boolean {
  if (line_type !== null) return accepted.includes(line_type);
  return accepted.includes("unknown") && LINES.has(number_type);
}
