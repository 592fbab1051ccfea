import { formatCount } from "../../contract/format.ts";
import type { PlanLimits } from "../../contract/plans.ts";

/** "60 requests and 1,000 numbers per minute" */
export function rateText({ requestsPerMinute, numbersPerMinute }: PlanLimits): string {
  return `${formatCount(requestsPerMinute)} requests and ${formatCount(numbersPerMinute)} numbers per minute`;
}

/** "1,000 successful live verifications", or "No monthly cap" */
export function quotaText({ quota }: PlanLimits): string {
  return quota === null ? "No monthly cap" : `${formatCount(quota)} successful live verifications`;
}
