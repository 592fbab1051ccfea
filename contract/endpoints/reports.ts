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
    summary: "Totals, the last 14 days, and recent calls",
    query: ModeQuery,
    rate: "calls by account",
    success: { status: 200, description: "The account's verifications at a glance.", schema: UsageSummary },
    errors: ["VALIDATION_FAILED"],
  },
  usageReport: {
    ...shared,
    method: "get",
    path: "/api/v1/account/reports/usage",
    summary: "Verifications by day",
    description:
      "With `Accept: text/csv`, returns a CSV file with the columns `date`, `total`, `successful`, and `failed`.",
    query: UsageQuery,
    rate: "calls by account",
    success: {
      status: 200,
      description: "One entry per day, with zeros for days without calls.",
      schema: UsageReport,
      alternative: { mediaType: "text/csv", example: "date,total,successful,failed\r\n2026-01-31,12,11,1\r\n" },
    },
    errors: ["VALIDATION_FAILED"],
  },
  activity: {
    ...shared,
    method: "get",
    path: "/api/v1/account/activity",
    summary: "Recent calls",
    description:
      "Calls from the last 30 days, newest first, 50 per page. This is a sample: about 500 successful and 500 rejected calls, up to one of each per second. Calls over a rate limit are counted by minute. It never includes a phone number, body, or IP address.",
    query: ActivityQuery,
    rate: "calls by account",
    success: { status: 200, description: "A page of calls.", schema: ActivityPage },
    errors: ["VALIDATION_FAILED"],
  },
  exportAccount: {
    ...shared,
    method: "get",
    path: "/api/v1/account/export",
    password: "recent",
    summary: "Export all account data as JSON",
    description:
      "Keys and passwords are stored only as hashes, which aren't included. The document is streamed and may be long. If it's cut short, it isn't valid JSON.",
    rate: "calls by account",
    success: { status: 200, description: "The account.", schema: AccountExport },
    errors: [],
  },
});
