import { ModeQuery } from "../keys.ts";
import { AccountExport } from "../export.ts";
import { ActivityPage, ActivityQuery } from "../activity.ts";
import { UsageQuery, UsageReport, UsageSummary } from "../reports.ts";
import { endpoints } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";

const shared = { tag: "Dashboard", credential: "session" } as const satisfies Partial<Endpoint>;

export const reports = endpoints({
  usageSummary: {
    ...shared,
    method: "get",
    path: "/api/v1/account/reports/summary",
    summary: "Totals, success, top countries and keys",
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
  activity: {
    ...shared,
    method: "get",
    path: "/api/v1/account/activity",
    summary: "The last calls of the account",
    description:
      "The last calls of 30 days, newest first, 50 a page. It is a sample: about 500 calls that succeeded and 500 that were refused, one of each a second. Calls over a rate limit are counted by minute. It never holds a number, a body or an address.",
    query: ActivityQuery,
    success: { status: 200, description: "A page of calls.", schema: ActivityPage },
    errors: ["VALIDATION_FAILED"],
  },
  exportAccount: {
    ...shared,
    method: "get",
    path: "/api/v1/account/export",
    password: "recent",
    summary: "Everything that is kept of the account, as JSON",
    description:
      "Keys and passwords are stored as hashes only, which are not in it. The document is written as it is read, and may be long: one that is cut short is not valid JSON.",
    success: { status: 200, description: "The account.", schema: AccountExport },
    errors: ["RATE_LIMITED"],
  },
});
