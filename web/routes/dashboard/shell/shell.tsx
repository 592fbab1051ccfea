import { useEffect, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { accountOf } from "../../../lib/session/account-of.ts";
import { forgetLeaving, leavingFor, wasCutShort } from "../../../lib/session/end-session.ts";
import { useSessionToken } from "../../../lib/session/use-session.ts";
import { AccountSession } from "./account-session.tsx";
import { Frame } from "./frame.tsx";
import { Waiting } from "./waiting.tsx";

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
    </AccountSession>
  );
}
