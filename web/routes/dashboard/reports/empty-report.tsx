import { useQuery } from "@tanstack/react-query";
import { formatCount } from "../../../../contract/format.ts";
import { EmptyState, GhostChart } from "../../../components/dashboard/empty-state.tsx";
import { NoCalls, TryLink } from "../../../components/dashboard/first-call.tsx";
import { focusHeading } from "../../../components/dashboard/page-heading.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { queries } from "../../../lib/queries.ts";
import { LONGEST, weeksText } from "./report-controls.tsx";
import type { ReportChoice } from "./report-controls.tsx";

const WITH = { test: " with a test key", live: " with a live key", both: "" } as const;

/** Nothing was verified in the period: what to do next. `isUnused` if nothing ever was. */
export function EmptyReport({ choice, mode, choose, isUnused }: ReportChoice & { isUnused: boolean }) {
  const other = mode === "test" ? "live" : "test";
  const { data } = useQuery({ ...queries.summary(other), enabled: mode !== undefined && !isUnused });
  const elsewhere = mode === undefined ? 0 : (data?.total_verifications ?? 0);
  if (isUnused) return <NoCalls title="No verifications yet" effect="draws this chart" ghost={<GhostChart />} />;
  function show(change: Parameters<typeof choose>[0]) {
    choose(change);
    // The button is gone by then.
    focusHeading();
  }
  return (
    <EmptyState
      title={<h2>{`No verifications${WITH[mode ?? "both"]} in the last ${weeksText(choice.days)}`}</h2>}
      actions={
        <>
          {elsewhere > 0 && <Button onClick={() => show({ scope: other })}>Show {other}</Button>}
          {choice.days < LONGEST && (
            <Button variant="secondary" onClick={() => show({ days: LONGEST })}>
              Show {weeksText(LONGEST)}
            </Button>
          )}
          {elsewhere === 0 && <TryLink />}
        </>
      }
      ghost={<GhostChart />}
    >
      {elsewhere > 0 && `You have ${formatCount(elsewhere, `${other} verification`)}. `}
      Reports go back {weeksText(LONGEST)}.
    </EmptyState>
  );
}
