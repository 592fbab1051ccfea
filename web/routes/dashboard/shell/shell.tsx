import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { Logo, Mark } from "../../../components/brand/logo.tsx";
import { AccountContext } from "../../../components/dashboard/account-context.ts";
import { Button, ButtonLink, Spinner } from "../../../components/ui/button.tsx";
import { CONTACT, mailto } from "../../../content/contact.ts";
import { ApiFailure, failureMessage } from "../../../lib/api/failure.ts";
import { createQueryClient, queries } from "../../../lib/queries.ts";
import { claimDrafts } from "../../../lib/session/draft.ts";
import { enterSession, forgetLeaving, leavingFor, logOut, wasCutShort } from "../../../lib/session/end-session.ts";
import { accountOf, useSessionToken } from "../../../lib/session/token.ts";
import { deleteOldCheck } from "../bulk/store.ts";
import { Frame } from "./frame.tsx";
import { PasswordDialog } from "./password-dialog.tsx";

/** While it is not known yet who is here; also what the prerendered HTML shows. */
function Waiting() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div aria-busy="true" className="flex flex-col items-center gap-6 text-center">
        <Mark className="w-10" />
        <h1 className="flex items-center gap-2.5 text-base font-normal tracking-normal text-muted">
          <Spinner />
          Checking your session
        </h1>
        <noscript>
          <p className="max-w-[26rem] text-soft">
            The dashboard needs JavaScript, which is turned off in this browser.
          </p>
        </noscript>
      </div>
    </main>
  );
}

interface RefusedProps {
  error: Error;
  isSuspended: boolean;
  isRetrying: boolean;
  onRetry: () => void;
}

/** There is a session, and still the account could not be read: it was suspended, or nobody could be asked. */
function Refused({ error, isSuspended, isRetrying, onRetry }: RefusedProps) {
  return (
    <div className="page-width flex min-h-dvh flex-col">
      <header className="flex h-16 items-center">
        <Logo />
      </header>
      <main className="flex flex-1 flex-col justify-center py-16">
        <div role="alert" className="max-w-[38rem]">
          <h1 className="text-title">
            {isSuspended ? "Your account is suspended" : "Your account could not be loaded"}
          </h1>
          <p className="mt-5 text-lead text-soft">
            {failureMessage(error, "Something went wrong. Try again in a moment.")}{" "}
            {isSuspended
              ? "Its keys do not work until it is restored. If you think this is a mistake, write to us."
              : "You are still signed in."}
          </p>
        </div>
        <div className="mt-8 flex flex-wrap gap-3">
          {isSuspended ? (
            <ButtonLink to={mailto(CONTACT.support, "Suspended account")}>Write to support</ButtonLink>
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
function AccountSession({ accountKey, children }: { accountKey: string; children: ReactNode }) {
  const [client] = useState(() => {
    // Before any form within reads its draft.
    claimDrafts(accountKey);
    return createQueryClient();
  });
  useEffect(() => () => client.clear(), [client]);
  useEffect(() => {
    // Storage may be closed; then nothing is kept in it either.
    deleteOldCheck(accountKey, Date.now()).catch(() => {});
  }, [accountKey]);
  return (
    <QueryClientProvider client={client}>
      <WithAccount>{children}</WithAccount>
    </QueryClientProvider>
  );
}

const ENDED = { notice: "Your session has ended. Log in to go on where you were.", kind: "ended" } as const;

/** To the login page, which leads back here; or to where who ended the session wanted to go. */
function LeadAway() {
  const location = useLocation();
  // Kept: another object would be another navigation.
  const [destination] = useState(leavingFor);
  const [state] = useState(() => (destination === null ? { from: location, ...(wasCutShort() && ENDED) } : null));
  return <Navigate to={destination ?? "/login"} replace state={state} />;
}

/** Everything under /dashboard: only for those who are signed in, and others come back to where they wanted to go. */
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
      <PasswordDialog />
    </AccountSession>
  );
}
