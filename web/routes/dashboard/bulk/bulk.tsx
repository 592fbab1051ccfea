import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import { EmptyState } from "../../../components/dashboard/empty-state.tsx";
import { RowsSkeleton } from "../../../components/ui/skeleton.tsx";
import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { isActive } from "../../../../lists/run.ts";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { refreshUsageSoon } from "../../../lib/queries.ts";
import { guardLeaving, useUnloadQuestion } from "../../../lib/session/end-session.ts";
import { readToken } from "../../../lib/session/token.ts";
import { deleteCheck, discardCheck, forgetCheck, othersDone, releaseCheck, restoreCheck, useCheck } from "./check.ts";
import type { Check } from "./check.ts";
import { ProgressCard } from "./progress-card.tsx";
import { ResultsCard } from "./results-card.tsx";
import { Setup } from "./setup.tsx";
import { LIST_ID, useDropGuard } from "./source.tsx";

interface LeaveGuardProps {
  /** Whether results have not been downloaded yet. */
  active: boolean;
  /** Whether the browser keeps them, so that only logging out loses them. */
  isKept: boolean;
}

/**
 * Asks before the page's data is lost: through the browser before it unloads, with our dialog before another page opens
 * or the session ends.
 */
function LeaveGuard({ active, isKept }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // A logged-out user leaves in any case.
      active && !isKept && readToken() !== null && currentLocation.pathname !== nextLocation.pathname,
  );

  /** Ends the session once the user agrees. */
  const [logOut, setLogOut] = useState<(() => void) | null>(null);
  useEffect(() => (active ? guardLeaving((goOn) => setLogOut(() => goOn)) : undefined), [active]);

  useUnloadQuestion(active && !isKept);

  const leave = logOut === null ? "Leave" : "Log out";
  return (
    <AlertDialog
      open={blocker.state === "blocked" || logOut !== null}
      onOpenChange={(open) => {
        if (open) return;
        blocker.reset?.();
        setLogOut(null);
      }}
      title={`${leave} without the results?`}
      description="You haven’t downloaded the results. Leave now and they’re lost."
      cancel={<Button variant="secondary">Stay</Button>}
      actions={
        <Button
          variant="danger"
          onClick={() => {
            if (logOut === null) {
              blocker.proceed?.();
              discardCheck();
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

/** Deletes the check and goes back to the list. */
async function startOver(): Promise<void> {
  await deleteCheck();
  // Once the form has rendered.
  setTimeout(() => document.getElementById(LIST_ID)?.focus());
}

/** A started check: its progress and results. */
function CheckView({ check }: { check: Check }) {
  const client = useQueryClient();
  const { work, state, page } = check;
  const { phase, checked, saved, isKept } = state;
  const [isConfirming, setConfirming] = useState(false);
  const isOver = phase.name === "done" || phase.name === "canceled";
  const isUnsaved = checked > saved || !isOver;

  // The dashboard's figures, once they are final.
  const active = isActive(phase);
  useEffect(() => {
    if (!active && checked > 0) refreshUsageSoon(client);
  }, [active, checked, client]);

  // A canceled check can't be resumed. One that is done and downloaded may give way to another tab's.
  const isCanceled = phase.name === "canceled";
  const isSpent = phase.name === "done" && saved === checked;
  useEffect(() => {
    if (isCanceled && isKept) void forgetCheck();
    else if (isSpent) releaseCheck();
  }, [isCanceled, isSpent, isKept]);

  return (
    <div className="grid gap-6">
      <ProgressCard
        work={work}
        state={state}
        isAtRisk={isUnsaved && !isKept}
        onNew={() => (isUnsaved ? setConfirming(true) : void startOver())}
      />
      {(active || checked > 0) && <ResultsCard rows={work.rows} state={state} page={page} />}
      <LeaveGuard active={isUnsaved} isKept={isKept} />
      <AlertDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Start a new list?"
        description="You haven’t downloaded the results. They will be deleted."
        cancel={<Button variant="secondary">Keep the results</Button>}
        actions={
          <Button variant="danger" onClick={() => void startOver()}>
            Start a new list
          </Button>
        }
      />
    </div>
  );
}

/** Whether this tab can check a list: only one at a time has the browser's check. */
function usePlace() {
  const [place, setPlace] = useState<"unknown" | "here" | "elsewhere">("unknown");
  useEffect(() => {
    const left = new AbortController();
    async function look(): Promise<void> {
      while (!(await restoreCheck())) {
        setPlace("elsewhere");
        await othersDone(left.signal);
      }
      setPlace("here");
    }
    look().catch(() => {});
    return () => left.abort();
  }, []);
  return place;
}

export const meta = () =>
  accountPageMeta("Bulk verify", "/dashboard/bulk", "Verify a list of phone numbers and download the results.");

export default function Bulk() {
  const check = useCheck();
  const place = usePlace();
  useDropGuard();
  return (
    <>
      <PageHeading />
      {check !== null && <CheckView key={check.work.id} check={check} />}
      {check === null && place === "unknown" && <RowsSkeleton rows={8} />}
      {check === null && place === "here" && <Setup />}
      {check === null && place === "elsewhere" && (
        <output className="block">
          <EmptyState title={<h2>Open in another tab</h2>}>
            Another tab is verifying a list or has results you haven’t downloaded. Continue there, or close that tab to
            continue here.
          </EmptyState>
        </output>
      )}
    </>
  );
}
