import { useState } from "react";
import type { ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { useAction } from "../../../lib/use-action.ts";

interface FactorRowProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly action: ReactNode;
  /** A list of what belongs to it. */
  readonly below?: ReactNode;
  /** In such a list. */
  readonly isNested?: boolean;
}

/** A second factor: what it is, and what can be done with it. */
export function FactorRow({ title, children, action, below, isNested = false }: FactorRowProps) {
  return (
    <li className={isNested ? "py-3 last:pb-0" : "px-5 py-3.5"}>
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium wrap-break-word text-ink">{title}</p>
          <div className="text-sm text-muted">{children}</div>
        </div>
        {action}
      </div>
      {below}
    </li>
  );
}

interface ConfirmButtonProps {
  /** The accessible name. */
  readonly label: string;
  /** What the button says, and the one that confirms. */
  readonly verb: string;
  readonly question: string;
  /** What happens then. */
  readonly text: string;
  readonly failure: string;
  readonly work: () => Promise<void>;
}

/** A button that asks before it works. */
export function ConfirmButton({ label, verb, question, text, failure, work }: ConfirmButtonProps) {
  const { busy, run } = useAction((error) => toastFailure(failure, error));
  const [isAsking, setAsking] = useState(false);

  function answerYes(): void {
    // Before the password prompt, which may come next.
    setAsking(false);
    run(work);
  }

  return (
    <>
      <Button variant="secondary" size="sm" aria-label={label} busy={busy} onClick={() => setAsking(true)}>
        {verb}
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={question}
        description={text}
        cancel={<Button variant="secondary">Cancel</Button>}
        actions={
          <Button variant="danger" onClick={answerYes}>
            {verb}
          </Button>
        }
      />
    </>
  );
}
