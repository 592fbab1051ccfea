import { Button, ButtonLink } from "../../../components/ui/button.tsx";
import type { ReportControlsProps } from "./report-controls.tsx";

const WITH = { test: " with a test key", live: " with a live key", both: "" } as const;

/** Nothing was verified in the period: what to do about it. */
export function EmptyReport({ choice, mode, onChoose }: ReportControlsProps) {
  return (
    <section
      aria-labelledby="empty-report"
      className="flex flex-col items-start gap-5 rounded-lg border border-dashed border-edge px-5 py-10 sm:px-10 sm:py-14"
    >
      <div className="max-w-[34rem]">
        <h2 id="empty-report" className="text-xl text-ink">
          No verifications{WITH[mode ?? "both"]} in the last {choice.days} days
        </h2>
        <p className="mt-2 text-soft">
          Generate an API key and verify a number with it. It shows here a few seconds later, and so does every call of
          your programs.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/dashboard">Go to API Keys</ButtonLink>
        {choice.days < 90 && (
          <Button variant="secondary" onClick={() => onChoose({ days: 90 })}>
            Show 90 days
          </Button>
        )}
      </div>
    </section>
  );
}
