import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { AccountContext } from "../../../components/dashboard/account-context.ts";
import { ApiFailure } from "../../../lib/api/failure.ts";
import { createQueryClient, queries } from "../../../lib/queries.ts";
import { ownDrafts } from "../../../lib/session/draft.ts";
import { enterSession } from "../../../lib/session/end-session.ts";
import { Refused } from "./refused.tsx";
import { Waiting } from "./waiting.tsx";

function WithAccount({ children }: { children: ReactNode }) {
  const { data: account, error, isFetching, refetch } = useQuery(queries.account);
  const failure = error instanceof ApiFailure ? error : null;
  const isHere = account !== undefined;
  useEffect(() => (isHere ? enterSession() : undefined), [isHere]);
  // A 401 has dropped the token; the guard around this is about to lead away.
  if (failure?.status === 401) return <Waiting />;
  const isSuspended = failure?.code === "ACCOUNT_SUSPENDED";
  if (account !== undefined && !isSuspended) return <AccountContext value={account}>{children}</AccountContext>;
  if (error === null) return <Waiting />;
  return <Refused error={error} isSuspended={isSuspended} isRetrying={isFetching} onRetry={() => void refetch()} />;
}

/** What one account reads, from when it is here until it leaves: give it the account as its key. */
export function AccountSession({ accountKey, children }: { accountKey: string; children: ReactNode }) {
  const [client] = useState(() => {
    // Before any form within reads its draft.
    ownDrafts(accountKey);
    return createQueryClient();
  });
  useEffect(() => () => client.clear(), [client]);
  return (
    <QueryClientProvider client={client}>
      <WithAccount>{children}</WithAccount>
    </QueryClientProvider>
  );
}
