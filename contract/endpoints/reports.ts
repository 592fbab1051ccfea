import { ModeQuery } from "../keys.ts";
import { UsageQuery, UsageReport, UsageSummary } from "../reports.ts";
import { endpoints } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";

const shared = { tag: "Dashboard", credential: "session" } as const satisfies Partial<Endpoint>;

export const reports = endpoints({
  usageSummary: {
    ...shared,
    method: "get",
    path: "/api/v1/account/reports/summary",
    summary: "Totals, success and top countries",
    query: ModeQuery,
    success: { status: 200, description: "All verifications of the account.", schema: UsageSummary },
    errors: ["VALIDATION_FAILED"],
  },
  usageReport: {
    ...shared,
    method: "get",
    path: "/api/v1/account/reports/usage",
    summary: "Verifications by day",
    description:
      "With `Accept: text/csv` the days come as a CSV file with the columns `date`, `total`, `successful` and `failed`.",
    query: UsageQuery,
    success: {
      status: 200,
      description: "One entry a day, gaps filled with zeros.",
      schema: UsageReport,
      alternative: { mediaType: "text/csv", example: "date,total,successful,failed\r\n2026-01-31,12,11,1\r\n" },
    },
    errors: ["VALIDATION_FAILED"],
  },
});
