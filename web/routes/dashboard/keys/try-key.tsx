import { useEffect, useId, useRef, useState } from "react";
import type { KeyMode } from "../../../../contract/limits.ts";
import { Button } from "../../../components/ui/button.tsx";
import { FIRST_NUMBER, ModeNote, NumberChoice, useNumber } from "./number-choice.tsx";
import { OutcomeView } from "./outcome-view.tsx";
import { useVerify } from "./use-verify.ts";

/** Calls the endpoint with an available key; with `auto`, once automatically, and then the form waits for a press. */
export function TryKey({ apiKey, mode, auto = false }: { apiKey: string; mode: KeyMode; auto?: boolean }) {
  const sendId = useId();
  const { choice, isMissing } = useNumber(FIRST_NUMBER);
  const [isOpen, setOpen] = useState(!auto);
  const { outcome, isPending, send } = useVerify();
  function submit(number: string) {
    if (!isMissing(number)) send({ key: apiKey }, { number, conditions: {} });
  }
  function take(number: string) {
    choice.onChange(number);
    submit(number);
    // The pressed button is about to disappear.
    document.getElementById(sendId)?.focus({ preventScroll: true });
  }
  const sendFirst = useRef(() => send({ key: apiKey }, { number: FIRST_NUMBER, conditions: {} }));
  useEffect(() => {
    if (auto) sendFirst.current();
  }, [auto]);
  useEffect(() => {
    if (auto && isOpen) document.getElementById(choice.id)?.focus();
  }, [auto, isOpen, choice.id]);
  if (!isOpen) {
    return (
      <>
        <OutcomeView outcome={outcome} title="Your first verified number" onTake={take} />
        {outcome !== null && (
          <Button variant="secondary" size="sm" className="mt-4" onClick={() => setOpen(true)}>
            Try another number
          </Button>
        )}
      </>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(choice.number);
      }}
    >
      <NumberChoice mode={mode} {...choice} />
      <div className="mt-4 mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button id={sendId} type="submit" variant="secondary" busy={isPending} className="w-full sm:w-auto">
          Send request
        </Button>
        <ModeNote mode={mode} />
      </div>
      <OutcomeView outcome={outcome} onTake={take} />
    </form>
  );
}
