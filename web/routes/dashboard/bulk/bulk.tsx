import { useEffect, useMemo, useState } from "react";
import { useBlocker } from "react-router";
import { useQueryClient } from "@tanstack/react-query";
import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { refreshUsageSoon } from "../../../lib/queries.ts";
import { guardLeaving, useUnloadQuestion } from "../../../lib/session/end-session.ts";
import { readToken } from "../../../lib/session/token.ts";
import { discardCheck, holdCheck, isUnfinished, useCheck, useSnapshot } from "./check.ts";
import type { Check } from "./check.ts";
import { useDropGuard } from "./file-source.tsx";
import { ProgressCard } from "./progress-card.tsx";
import { ResultsCard } from "./results-card.tsx";
import { countRows, rowsOf } from "./rows.ts";
import { isActive } from "./run.ts";
import { LIST_ID, Setup } from "./setup.tsx";

interface LeaveGuardProps {
  /** Whether something would be lost. */
  active: boolean;
  /** Whether numbers are still to be checked, or only results to be saved. */
  unfinished: boolean;
  onLeave: () => void;
}

/** Asks before what is on the page is lost: the browser before it unloads, we before another page opens or the session ends. */
function LeaveGuard({ active, unfinished, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // A user who is signed out leaves in any case.
      active && readToken() !== null && currentLocation.pathname !== nextLocation.pathname,
  );

  /** Ends the session once the user agrees. */
  const [logOut, setLogOut] = useState<(() => void) | null>(null);
  useEffect(() => (active ? guardLeaving((goOn) => setLogOut(() => goOn)) : undefined), [active]);

  useUnloadQuestion(active);

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

/** Goes back to the list. */
function beginAnew(): void {
  discardCheck();
  // Once the form is there.
  setTimeout(() => document.getElementById(LIST_ID)?.focus());
}

/** A check that has begun: how far it is, and what came of it. */
function CheckView({ check }: { check: Check }) {
  const client = useQueryClient();
  const snapshot = useSnapshot(check.run);
  const { phase, verdicts, answered } = snapshot;
  const [saved, setSaved] = useState(0);
  const [asking, setAsking] = useState(false);
  const rows = useMemo(() => rowsOf(check.list, verdicts), [check.list, verdicts]);
  const counts = useMemo(() => countRows(rows), [rows]);
  const unfinished = isUnfinished(snapshot);
  const wouldLose = unfinished || answered > saved;

  // The figures of the dashboard, once there are no more to come.
  const active = isActive(phase);
  useEffect(() => {
    if (!active && answered > 0) refreshUsageSoon(client);
  }, [active, answered, client]);

  useEffect(holdCheck, []);

  return (
    <div className="grid gap-6">
      <ProgressCard
        check={check}
        snapshot={snapshot}
        counts={counts}
        onNew={() => (wouldLose ? setAsking(true) : beginAnew())}
      />
      <ResultsCard rows={rows} counts={counts} active={active} onSaved={() => setSaved(answered)} />
      <LeaveGuard active={wouldLose} unfinished={unfinished} onLeave={discardCheck} />
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title="Begin a new check?"
        description="The results on this page have not been downloaded, and nothing keeps them. The list stays."
        cancel={<Button variant="secondary">Keep the results</Button>}
        actions={
          <Button variant="danger" onClick={beginAnew}>
            Begin a new check
          </Button>
        }
      />
    </div>
  );
}

export const meta = () =>
  accountPageMeta(
    "Bulk check",
    "/dashboard/bulk",
    "Check a list of phone numbers in the browser, with an API key of yours.",
  );

export default function Bulk() {
  const check = useCheck();
  useDropGuard();
  return (
    <>
      <PageHeading
        title="Bulk check"
        description="Checks a list from this page, a hundred numbers a call. The numbers go to the API and nowhere else, and neither they nor the results are stored: download the results before you leave."
      />
      {check === null ? <Setup /> : <CheckView check={check} />}
    </>
  );
}
