import { useEffect } from "react";
import { useBlocker } from "react-router";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog, AlertDialogClose } from "../../../components/ui/dialog.tsx";
import { readToken } from "../../../lib/session/token.ts";

export interface LeaveGuardProps {
  /** Whether something would be lost. */
  active: boolean;
  /** Whether numbers are still to be checked, or only results to be saved. */
  unfinished: boolean;
  onLeave: () => void;
}

/** Asks before what is on the page is lost: the browser before it unloads, we before another page opens. */
export function LeaveGuard({ active, unfinished, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // Whoever is signed out is led away, asked or not.
      active && readToken() !== null && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [active]);

  return (
    <AlertDialog
      open={blocker.state === "blocked"}
      onOpenChange={(open) => {
        if (!open) blocker.reset?.();
      }}
      title={unfinished ? "Stop checking and leave?" : "Leave without the results?"}
      description={
        unfinished
          ? "The check ends when you leave this page, and its results are gone: nothing keeps them."
          : "The results have not been downloaded, and they are gone when you leave this page: nothing keeps them."
      }
      actions={
        <>
          <AlertDialogClose>
            <Button variant="secondary">Stay</Button>
          </AlertDialogClose>
          <Button
            variant="danger"
            onClick={() => {
              blocker.proceed?.();
              onLeave();
            }}
          >
            Leave
          </Button>
        </>
      }
    />
  );
}
