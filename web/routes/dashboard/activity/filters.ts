import { useSearchParams } from "react-router";
import type { ActivityQuery } from "../../../../contract/activity.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/format.ts";

/** The periods, by their value in the page's address: "the last 7 days". */
export const PERIODS: Readonly<Record<string, { readonly name: string; readonly ms: number }>> = {
  "7d": { name: "7 days", ms: 7 * DAY_MS },
  "24h": { name: "24 hours", ms: DAY_MS },
  "1h": { name: "hour", ms: HOUR_MS },
};

/**
 * The filters in the page's address. Empty for none. A request id is searched for everywhere, without other filters.
 */
export interface ActivityChoice {
  readonly key: string;
  readonly status: string;
  readonly period: string;
  readonly request: string;
}

export const EVERYTHING: ActivityChoice = { key: "", status: "", period: "", request: "" };

const ID = /^\w{1,40}$/;

export function readChoice(query: URLSearchParams): ActivityChoice {
  const read = (name: keyof ActivityChoice, valid: RegExp) => valid.exec(query.get(name) ?? "")?.[0] ?? "";
  const request = read("request", ID);
  if (request !== "") return { ...EVERYTHING, request };
  const period = query.get("period") ?? "";
  return {
    key: read("key", ID),
    status: read("status", /^([245]xx|\d{3})$/),
    period: Object.hasOwn(PERIODS, period) ? period : "",
    request,
  };
}

/** That nothing matches, by what is chosen: "No 402 responses in the last 30 days". */
export function noneOf(
  { key, status, period, request }: ActivityChoice,
  names: ReadonlyMap<string, { readonly name: string }>,
): string {
  if (request !== "") return "No call with this request ID";
  const what = status === "" ? "calls" : `${status} responses`;
  const of = key === "" ? "" : ` with ${names.get(key)?.name ?? key}`;
  return `No ${what}${of} in the last ${PERIODS[period]?.name ?? "30 days"}`;
}

/** The filters as an API query. A period starts on the minute, so that the query stays the same for that long. */
export function queryOf({ key, status, period, request }: ActivityChoice, now: number): ActivityQuery {
  const ms = PERIODS[period]?.ms;
  const from = ms === undefined ? undefined : new Date(now - (now % MINUTE_MS) - ms).toISOString();
  return {
    ...(key !== "" && { key_id: key }),
    ...(status !== "" && { status }),
    ...(from !== undefined && { from }),
    ...(request !== "" && { request_id: request }),
  };
}

/** The filters are in the address, so that reloading, going back, and links work. */
export function useActivityChoice() {
  const [query, setQuery] = useSearchParams();
  return {
    choice: readChoice(query),
    choose(change: Partial<ActivityChoice>): void {
      const next = new URLSearchParams(query);
      for (const name of change.request === undefined ? ["request"] : ["key", "status", "period"]) next.delete(name);
      for (const [name, value] of Object.entries(change)) {
        if (value === "") next.delete(name);
        else next.set(name, value);
      }
      if (next.toString() !== query.toString()) setQuery(next, { preventScrollReset: true });
    },
  };
}
