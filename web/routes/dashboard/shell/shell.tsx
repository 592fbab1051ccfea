import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import type { ReactNode } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { Logo } from "../../../components/brand/logo.tsx";
import { AccountContext } from "../../../components/dashboard/account-context.ts";
import { FailedRequest } from "../../../components/dashboard/query-state.tsx";
import { PasswordDialog } from "../../../components/forms/password-dialog.tsx";
import { Button, ButtonLink } from "../../../components/ui/button.tsx";
import { CONTACT, mailto } from "../../../content/contact.ts";
import { ApiFailure, failureMessage } from "../../../lib/api/failure.ts";
import { createQueryClient, queries } from "../../../lib/queries.ts";
import { preloadDashboard } from "../../../lib/route-code.ts";
import { claimDrafts } from "../../../lib/session/draft.ts";
import { enterSession, forgetLeaving, leavingFor, logOut, wasCutShort } from "../../../lib/session/end-session.ts";
import { accountOf, useSessionToken } from "../../../lib/session/token.ts";
import { deleteOldCheck } from "../bulk/store.ts";
import { Frame } from "./frame.tsx";
import { Waiting } from "./waiting.tsx";

interface RejectedProps {
  error: Error;
  isSuspended: boolean;
  isRetrying: boolean;
  onRetry: () => void;
}

/** There is a session, but the account could not be read: it is suspended, or the service is unreachable. */
function Rejected({ error, isSuspended, isRetrying, onRetry }: RejectedProps) {
  return (
    <div className="page-width flex min-h-dvh flex-col">
      <header className="flex h-16 items-center">
        <Logo />
      </header>
      <main className="flex flex-1 flex-col justify-center py-16">
        <div role="alert" className="max-w-[38rem]">
          <h1 className="text-title">{isSuspended ? "Your account is suspended" : "We couldn’t load your account"}</h1>
          <p className="mt-5 text-lead text-soft">
            {isSuspended
              ? "Your API keys don’t work. If you think this is a mistake, email us."
              : failureMessage(error, "Something went wrong. Try again in a moment.")}
          </p>
          {!isSuspended && <p className="mt-2 text-soft">You’re still logged in.</p>}
          {!isSuspended && <FailedRequest error={error} />}
        </div>
        <div className="mt-8 flex flex-wrap gap-3">
          {isSuspended ? (
            <ButtonLink to={mailto(CONTACT.support, "Suspended account")}>Email support</ButtonLink>
          ) : (
            <Button busy={isRetrying} onClick={onRetry}>
              Try again
            </Button>
          )}
          <Button variant="secondary" onClick={logOut}>
            Log out
          </Button>
        </div>
      </main>
    </div>
  );
}

function WithAccount({ children }: { children: ReactNode }) {
  const { data, error, isFetching, refetch } = useQuery(queries.account);
  const subscription = useQuery(queries.subscription);
  const failure = error instanceof ApiFailure ? error : null;
  const isHere = data !== undefined;
  // The header and the warning show the subscription, and what is below them would move; a failure is not waited for.
  const isComplete = subscription.isFetched || subscription.failureCount > 0;
  // Deferred, so that React draws the page in small steps that a press can come between.
  const account = useDeferredValue(isComplete ? data : undefined);
  useEffect(() => (isHere ? enterSession() : undefined), [isHere]);
  useEffect(() => {
    // Safari has no idle callback.
    if (isHere) (window.requestIdleCallback ?? setTimeout)(preloadDashboard);
  }, [isHere]);
  // A 401 has dropped the token; the guard around this is about to redirect.
  if (failure?.status === 401) return <Waiting />;
  const isSuspended = failure?.code === "ACCOUNT_SUSPENDED";
  if (account !== undefined && !isSuspended) {
    return (
      <AccountContext value={account}>
        {children}
        <PasswordDialog email={account.email} />
      </AccountContext>
    );
  }
  if (error === null) return <Waiting />;
  return <Rejected error={error} isSuspended={isSuspended} isRetrying={isFetching} onRetry={() => void refetch()} />;
}

/** One account's data while it is logged in: pass the account as its key. */
function AccountSession({ accountKey, children }: { accountKey: string; children: ReactNode }) {
  const [client] = useState(() => {
    // Before any form inside reads its draft.
    claimDrafts(accountKey);
    return createQueryClient();
  });
  useEffect(() => () => client.clear(), [client]);
  useEffect(() => {
    // If storage is blocked, nothing is in it.
    deleteOldCheck(accountKey, Date.now()).catch(() => {});
  }, [accountKey]);
  return (
    <QueryClientProvider client={client}>
      <WithAccount>{children}</WithAccount>
    </QueryClientProvider>
  );
}

const ENDED = { notice: "Your session expired. Log in to pick up where you left off.", kind: "ended" } as const;

/** Redirects to the login page, which leads back here, or to the destination set when the session ended. */
function LeadAway() {
  const location = useLocation();
  // Kept: another object would be another navigation.
  const [destination] = useState(leavingFor);
  const [state] = useState(() => (destination === null ? { from: location, ...(wasCutShort() && ENDED) } : null));
  return (
    <>
      <Navigate to={destination ?? "/login"} replace state={state} />
      <Waiting />
    </>
  );
}

/** Everything under /dashboard: requires a session, and returns here after logging in. */
export default function Shell() {
  const token = useSessionToken();
  const isSignedIn = typeof token === "string";

  useEffect(() => {
    if (isSignedIn) forgetLeaving();
  }, [isSignedIn]);

  if (token === undefined) return <Waiting />;
  if (token === null) return <LeadAway />;
  const account = accountOf(token);
  return (
    <AccountSession key={account} accountKey={account}>
      <Frame>
        <Outlet />
      </Frame>
    </AccountSession>
  );
}
