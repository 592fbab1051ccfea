import type { RejectionReason } from "../../contract/result-values.ts";
import type { Acceptance, VerificationResult } from "../../contract/verification.ts";

/** The conditions that pages offer; the API accepts any country and any number types. */
export const CONDITIONS = {
  any: { title: "Any number", conditions: {} },
  mobile: { title: "Mobile numbers", conditions: { accept_types: ["mobile"] } },
  fixed: { title: "Landlines", conditions: { accept_types: ["fixed_line"] } },
  portugueseMobile: {
    title: "Portuguese mobile numbers",
    conditions: { expect_country: "PT", accept_types: ["mobile"] },
  },
} satisfies Record<string, { readonly title: string; readonly conditions: Acceptance }>;
export type Condition = keyof typeof CONDITIONS;

const REJECTIONS: Record<RejectionReason, string> = {
  INVALID_NUMBER: "Not accepted: invalid number.",
  OTHER_COUNTRY: "Not accepted: the number belongs to another country.",
  OTHER_TYPE: "Not accepted: the number is another type.",
};

/** Whether the number was accepted, in a sentence; null if the request had no conditions. */
export function acceptanceText({
  accepted,
  rejected_because,
}: Pick<VerificationResult, "accepted" | "rejected_because">): string | null {
  if (rejected_because !== null) return REJECTIONS[rejected_because];
  return accepted ? "Accepted." : null;
}
