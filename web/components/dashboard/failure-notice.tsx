import { CircleAlert } from "lucide-react";
import { failureMessage } from "../../lib/api/failure.ts";
import { Button } from "../ui/button.tsx";

export interface FailureNoticeProps {
  /** What did not work: "Could not load keys". */
  title: string;
  error: unknown;
  onRetry: () => void;
  /** It is being tried again. */
  busy?: boolean | undefined;
}

/** Stands in the place of what could not be loaded: what happened, and a way to try again. */
export function FailureNotice({ title, error, onRetry, busy }: FailureNoticeProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-lg border border-line bg-surface p-5"
    >
      <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
        <CircleAlert aria-hidden="true" strokeWidth={1.5} className="mt-0.5 size-5 shrink-0 text-invalid" />
        <div className="min-w-0">
          <p className="font-medium text-ink">{title}</p>
          <p className="text-sm text-soft">{failureMessage(error, "Something went wrong. Try again in a moment.")}</p>
        </div>
      </div>
      <Button variant="secondary" size="sm" busy={busy} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
