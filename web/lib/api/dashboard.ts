import * as v from "valibot";
import { CreatedKey, KeysResponse, RevokedResponse } from "../../../contract/keys.ts";
import type { KeyMode } from "../../../contract/limits.ts";
import { UsageReport, UsageSummary } from "../../../contract/reports.ts";
import { Subscription } from "../../../contract/subscriptions.ts";
import { request } from "./request.ts";

/** What a signed-in account manages: subscription, keys, reports. */

export function readSubscription(signal: AbortSignal) {
  return request({ method: "GET", path: "/account/subscription", answer: Subscription, session: true, signal });
}

export function activateTrial() {
  return request({ method: "POST", path: "/account/subscriptions/trial", answer: Subscription, session: true });
}

export function listKeys(signal: AbortSignal) {
  return request({ method: "GET", path: "/account/api-keys", answer: KeysResponse, session: true, signal });
}

export function createKey(body: { mode: KeyMode; name?: string }) {
  return request({ method: "POST", path: "/account/api-keys", body, answer: CreatedKey, session: true });
}

export function revokeKey(id: string) {
  const path = `/account/api-keys/${encodeURIComponent(id)}`;
  return request({ method: "DELETE", path, answer: RevokedResponse, session: true });
}

/** Revokes every active key of a mode. */
export function revokeKeys(mode: KeyMode) {
  return request({
    method: "DELETE",
    path: "/account/api-keys",
    query: { mode },
    answer: RevokedResponse,
    session: true,
  });
}

/** Totals of a mode, or of both together. */
export function readSummary(mode: KeyMode | undefined, signal: AbortSignal) {
  const path = "/account/reports/summary";
  return request({ method: "GET", path, query: { mode }, answer: UsageSummary, session: true, signal });
}

export function readUsage({ days, mode }: { days: number; mode: KeyMode | undefined }, signal: AbortSignal) {
  const query = { days: String(days), mode };
  return request({ method: "GET", path: "/account/reports/usage", query, answer: UsageReport, session: true, signal });
}

/** The days of the same report as a CSV file. */
export function readUsageCsv({ days, mode }: { days: number; mode: KeyMode | undefined }) {
  const query = { days: String(days), mode };
  const path = "/account/reports/usage";
  return request({ method: "GET", path, query, answer: v.string(), accept: "text/csv", session: true });
}
