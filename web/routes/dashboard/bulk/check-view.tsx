import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { refreshUsageSoon } from "../../../lib/refresh-usage.ts";
import { discardCheck, holdCheck, isUnfinished, useSnapshot } from "./check.ts";
import type { Check } from "./check.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { ProgressCard } from "./progress-card.tsx";
import { ResultsCard } from "./results/results-card.tsx";
import { countRows, rowsOf } from "./rows.ts";
import { isActive } from "./run.ts";
import { LIST_ID } from "./setup/setup.tsx";

/** Goes back to the list. */
function beginAnew(): void {
  discardCheck();
  // Once the form is there.
  setTimeout(() => document.getElementById(LIST_ID)?.focus());
}

/** A check that has begun: how far it is, and what came of it. */
export function CheckView({ check }: { check: Check }) {
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
