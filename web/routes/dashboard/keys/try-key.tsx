import { useEffect, useId, useRef, useState } from "react";
import type { KeyMode } from "../../../../contract/limits.ts";
import { Button } from "../../../components/ui/button.tsx";
import { OutcomeView } from "./outcome-view.tsx";
import { FIRST_NUMBER, TryForm } from "./try-form.tsx";
import { useVerify } from "./use-verify.ts";

/** Calls the endpoint with an available key; with `auto`, once automatically, and then the form waits for a press. */
export function TryKey({ apiKey, mode, auto }: { apiKey: string; mode: KeyMode; auto: boolean }) {
  const id = useId();
  const [isOpen, setOpen] = useState(!auto);
  const { outcome, isPending, send } = useVerify();
  function verify(number: string | null) {
    if (number !== null) send({ key: apiKey }, { number, conditions: {} });
  }
  const sendFirst = useRef(() => verify(FIRST_NUMBER));
  useEffect(() => {
    if (auto) sendFirst.current();
  }, [auto]);
  useEffect(() => {
    if (auto && isOpen) document.getElementById(id)?.focus();
  }, [auto, isOpen, id]);
  if (!isOpen) {
    return (
      <>
        <OutcomeView outcome={outcome} title="Your first verified number" onTake={verify} />
        {outcome !== null && (
          <Button variant="secondary" size="sm" className="mt-4" onClick={() => setOpen(true)}>
            Try another number
          </Button>
        )}
      </>
    );
  }
  return (
    <TryForm
      id={id}
      mode={mode}
      variant="secondary"
      outcome={outcome}
      isPending={isPending}
      onSend={verify}
      className="grid gap-4 [&>:last-child]:mt-1"
    />
  );
}
