import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { readToken } from "../../../lib/session/token.ts";
import { registerUnsaved } from "../../../lib/session/unsaved.ts";

export interface LeaveGuardProps {
  /** Whether something would be lost. */
  active: boolean;
  /** Whether numbers are still to be checked, or only results to be saved. */
  unfinished: boolean;
  onLeave: () => void;
}

/** Asks before what is on the page is lost: the browser before it unloads, we before another page opens or the session ends. */
export function LeaveGuard({ active, unfinished, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // Whoever is signed out is led away, asked or not.
      active && readToken() !== null && currentLocation.pathname !== nextLocation.pathname,
  );

  /** Waits for the answer to end the session. */
  const [logOut, setLogOut] = useState<(() => void) | null>(null);
  useEffect(() => (active ? registerUnsaved((goOn) => setLogOut(() => goOn)) : undefined), [active]);

  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [active]);

  const leave = logOut === null ? "Leave" : "Log out";
  return (
    <AlertDialog
      open={blocker.state === "blocked" || logOut !== null}
      onOpenChange={(open) => {
        if (open) return;
        blocker.reset?.();
        setLogOut(null);
      }}
      title={unfinished ? `Stop checking and ${leave.toLowerCase()}?` : `${leave} without the results?`}
      description={
        unfinished
          ? "The check ends, and its results are gone: nothing keeps them."
          : "The results have not been downloaded, and they are gone then: nothing keeps them."
      }
      cancel={<Button variant="secondary">Stay</Button>}
      actions={
        <Button
          variant="danger"
          onClick={() => {
            if (logOut === null) {
              blocker.proceed?.();
              onLeave();
            } else {
              setLogOut(null);
              logOut();
            }
          }}
        >
          {leave}
        </Button>
      }
    />
  );
}
