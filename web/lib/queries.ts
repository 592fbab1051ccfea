import {
  infiniteQueryOptions,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  skipToken,
} from "@tanstack/react-query";
import type { ActivityQuery } from "../../contract/activity.ts";
import { accounts } from "../../contract/endpoints/accounts.ts";
import { keys } from "../../contract/endpoints/keys.ts";
import { reports } from "../../contract/endpoints/reports.ts";
import { secondFactor } from "../../contract/endpoints/second-factor.ts";
import { sessions } from "../../contract/endpoints/sessions.ts";
import { subscriptions } from "../../contract/endpoints/subscriptions.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { call } from "./api/call.ts";
import { ApiFailure } from "./api/failure.ts";

/**
 * How often figures are refetched while the page is visible, in milliseconds. Without data they aren't: a refetch hides
 * the error while it runs.
 */
const LIVE = {
  refetchInterval: ({ state }: { readonly state: { readonly data: unknown } }) => state.data !== undefined && 30_000,
};

/** The dashboard's queries, by name. Actions invalidate what they change by the same name. */
export const queries = {
  account: queryOptions({
    queryKey: ["account"],
    // Shorter than other calls: the dashboard shows nothing until then.
    queryFn: ({ signal }) => call(accounts.me, undefined, { signal, timeout: 8_000 }),
    // One retry, and then "Try again" is offered.
    retry: (failures, error) => failures < 1 && isWorthRepeating(failures, error),
  }),
  subscription: queryOptions({
    queryKey: ["subscription"],
    queryFn: ({ signal }) => call(subscriptions.subscription, undefined, { signal }),
    ...LIVE,
  }),
  keys: queryOptions({
    queryKey: ["keys"],
    queryFn: ({ signal }) => call(keys.listApiKeys, undefined, { signal }),
    ...LIVE,
  }),
  sessions: queryOptions({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => call(sessions.listSessions, undefined, { signal }),
  }),
  secondFactor: queryOptions({
    queryKey: ["second-factor"],
    async queryFn({ signal }) {
      const [codes, { passkeys }] = await Promise.all([
        call(secondFactor.secondFactor, undefined, { signal }),
        call(secondFactor.listPasskeys, undefined, { signal }),
      ]);
      return { ...codes, passkeys };
    },
  }),
  securityEvents: queryOptions({
    queryKey: ["security-events"],
    queryFn: ({ signal }) => call(secondFactor.securityEvents, undefined, { signal }),
  }),
  summary: (mode: KeyMode | undefined) =>
    queryOptions({
      queryKey: ["usage", "summary", mode],
      queryFn: ({ signal }) => call(reports.usageSummary, { mode }, { signal }),
      ...LIVE,
    }),
  usage: (days: number, mode: KeyMode | undefined, key: string | undefined) =>
    queryOptions({
      queryKey: ["usage", "days", days, mode, key],
      queryFn: ({ signal }) => call(reports.usageReport, { days: String(days), mode, key_id: key }, { signal }),
      ...LIVE,
    }),
  /** The last call made from the dashboard. Only written, by `useVerify`. */
  lastCall: queryOptions<LastCall>({
    queryKey: ["last-call"],
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }),
  activity: (filter: ActivityQuery) =>
    infiniteQueryOptions({
      queryKey: ["activity", filter],
      queryFn: ({ signal, pageParam }) => call(reports.activity, { ...filter, before: pageParam }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
};

/** A verification with one of the account's keys, perhaps before the server has counted it. */
interface LastCall {
  readonly mode: KeyMode;
  /** The key's last four characters. */
  readonly hint: string;
  /** In milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Everything that a verification changes: `invalidateQueries({ queryKey: USAGE })`. */
const USAGE = ["usage"] as const;

/** Rejections repeat; without a response, or from an overloaded server, two more attempts are worthwhile. */
function isWorthRepeating(failures: number, error: Error): boolean {
  return failures < 2 && !(error instanceof ApiFailure && error.status < 500);
}

/** One per session: another account never sees what was fetched for this one. */
export function createQueryClient(): QueryClient {
  /** Whichever call learns that the account was suspended, the whole dashboard shows it. */
  function onError(error: Error): void {
    if (!(error instanceof ApiFailure) || error.code !== "ACCOUNT_SUSPENDED") return;
    const account = client.getQueryState(queries.account.queryKey);
    if (account?.status === "success") void client.invalidateQueries({ queryKey: queries.account.queryKey });
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Being offline is a failure to report, not something to wait for silently.
      queries: { retry: isWorthRepeating, staleTime: 10_000, networkMode: "always", refetchOnReconnect: true },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return client;
}

/** Usage goes through a queue that batches for up to a few seconds before it is counted. */
const LOOK_AGAIN_MS = [800, 2000, 3500, 5500];

let timers: ReturnType<typeof setTimeout>[] = [];

/** Refetches what a verification changes until it should be there: figures, quota, and when a key was last used. */
export function refreshUsageSoon(client: QueryClient): void {
  for (const timer of timers) clearTimeout(timer);
  timers = LOOK_AGAIN_MS.map((delay) =>
    setTimeout(() => {
      for (const queryKey of [USAGE, queries.keys.queryKey, queries.subscription.queryKey]) {
        void client.invalidateQueries({ queryKey });
      }
    }, delay),
  );
}
