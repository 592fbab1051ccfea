import { Account, DeleteAccountRequest, SessionResponse } from "../accounts.ts";
import { CreatedKey, CreateKeyRequest, KeysResponse, ModeQuery, RevokedResponse } from "../keys.ts";
import { UsageQuery, UsageReport, UsageSummary } from "../reports.ts";
import { Subscription } from "../subscriptions.ts";
import { endpoints, READING_A_BODY } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";

const shared = { tag: "Dashboard", credential: "session" } as const satisfies Partial<Endpoint>;

export const dashboard = endpoints({
  me: {
    ...shared,
    method: "get",
    path: "/api/v1/account/me",
    summary: "The signed-in account",
    success: { status: 200, description: "The account.", schema: Account },
    errors: [],
  },
  deleteAccount: {
    ...shared,
    method: "delete",
    path: "/api/v1/account",
    summary: "Delete the account",
    description: "Erases the account, its keys and its usage for good.",
    request: { schema: DeleteAccountRequest, example: { password: "correct horse battery staple" } },
    rate: "password",
    success: { status: 204, description: "The account is gone." },
    errors: [...READING_A_BODY, "WRONG_PASSWORD", "RATE_LIMITED"],
  },
  revokeSessions: {
    ...shared,
    method: "post",
    path: "/api/v1/account/sessions/revoke",
    summary: "Sign out everywhere else",
    success: {
      status: 200,
      description: "Every other session has ended; a new token for this one.",
      schema: SessionResponse,
    },
    errors: [],
  },
  subscription: {
    ...shared,
    method: "get",
    path: "/api/v1/account/subscription",
    summary: "The subscription and what is left of its quota",
    success: { status: 200, description: "The subscription.", schema: Subscription },
    errors: [],
  },
  activateTrial: {
    ...shared,
    method: "post",
    path: "/api/v1/account/subscriptions/trial",
    summary: "Activate the free trial, once per account",
    success: { status: 201, description: "The subscription.", schema: Subscription },
    errors: ["EMAIL_NOT_VERIFIED", "TRIAL_ALREADY_USED"],
  },
  createApiKey: {
    ...shared,
    method: "post",
    path: "/api/v1/account/api-keys",
    summary: "Generate an API key",
    request: { schema: CreateKeyRequest, example: { mode: "test", name: "Staging" } },
    success: { status: 201, description: "The key, shown this once.", schema: CreatedKey },
    errors: [...READING_A_BODY, "SUBSCRIPTION_REQUIRED", "KEY_LIMIT_REACHED"],
  },
  listApiKeys: {
    ...shared,
    method: "get",
    path: "/api/v1/account/api-keys",
    summary: "List the active API keys",
    success: { status: 200, description: "Active keys, newest first.", schema: KeysResponse },
    errors: [],
  },
  revokeApiKeys: {
    ...shared,
    method: "delete",
    path: "/api/v1/account/api-keys",
    summary: "Revoke all active API keys, or those of a mode",
    query: ModeQuery,
    success: { status: 200, description: "How many keys stopped working.", schema: RevokedResponse },
    errors: ["VALIDATION_FAILED"],
  },
  revokeApiKey: {
    ...shared,
    method: "delete",
    path: "/api/v1/account/api-keys/{id}",
    summary: "Revoke one API key",
    success: { status: 200, description: "The key stopped working.", schema: RevokedResponse },
    errors: ["NOT_FOUND"],
  },
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
