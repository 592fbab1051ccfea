import type { ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Failure } from "../../components/ui/notice.tsx";
import { ApiFailure, failureMessage } from "../../lib/api/failure.ts";
import { wasCalledOff } from "../../lib/session/password-prompt.ts";
import { useAction } from "../../lib/use-action.ts";
import { PageTitle } from "./views.tsx";

interface LinkActionProps {
  readonly title: string;
  /** What the button does, in sentences and lists. */
  readonly children: ReactNode;
  readonly button: string;
  /** Null in prerendered HTML, where the link's token is unknown. */
  readonly act: (() => Promise<void>) | null;
  /** Gets the error of a link that does nothing. */
  readonly onRejected: (error: ApiFailure) => void;
}

/** What an emailed link is for, and the button that does it: opening the link changes nothing. */
export function LinkAction({ title, children, button, act, onRejected }: LinkActionProps) {
  const { busy, problem, run } = useAction((error) => {
    if (error instanceof ApiFailure && (error.status === 400 || error.status === 409)) {
      onRejected(error);
      return null;
    }
    return wasCalledOff(error) ? null : failureMessage(error, "That didn’t work. Try again in a moment.");
  });
  return (
    <>
      <PageTitle title={title} />
      <div className="-mt-2 mb-6 space-y-3 text-soft">{children}</div>
      <div className="space-y-5">
        <Failure>{problem}</Failure>
        <Button size="lg" className="w-full" busy={busy} disabled={act === null} onClick={() => act && run(act)}>
          {button}
        </Button>
      </div>
    </>
  );
}
