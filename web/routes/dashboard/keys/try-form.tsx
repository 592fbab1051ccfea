import { useId, useState } from "react";
import type { ReactNode } from "react";
import { MAX_NUMBER_LENGTH } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../../contract/sandbox.ts";
import { Button } from "../../../components/ui/button.tsx";
import type { ButtonLook } from "../../../components/ui/button.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { OutcomeView } from "./outcome-view.tsx";
import type { Outcome } from "./use-verify.ts";

/** The option for a typed number. */
const OWN = "";

const SANDBOX_NUMBERS: readonly string[] = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].map(({ number }) => number);

/** The initial number, if no call leads here. */
export const FIRST_NUMBER: string = SANDBOX_SUCCESSES[0].number;

/** The sandbox's numbers. @param live a live key has no sandbox: only those of its successes can be sent */
function SandboxOptions({ live }: { live: boolean }) {
  return (
    <>
      <optgroup label="Successes">
        {SANDBOX_SUCCESSES.map(({ number, title }) => (
          <option key={number} value={number}>
            {title}
          </option>
        ))}
      </optgroup>
      <optgroup label={live ? "Errors, with test keys only" : "Errors"} disabled={live}>
        {SANDBOX_FAILURES.map(({ number, name }) => (
          <option key={number} value={number}>
            {name}
          </option>
        ))}
      </optgroup>
    </>
  );
}

interface TryFormProps {
  /** The number's field. */
  readonly id: string;
  /** The key's mode, if known. A live key has no sandbox. */
  readonly mode: KeyMode | null;
  /** The initial number, if a call leads here. */
  readonly first?: string | undefined;
  readonly variant?: ButtonLook["variant"];
  readonly outcome: Outcome | null;
  readonly isPending: boolean;
  /** Sends a number; null if there is none, which this form complains about. */
  readonly onSend: (number: string | null) => void;
  readonly className: string;
  /** More to send. */
  readonly children?: ReactNode;
}

/** Sends a number, picked from the sandbox's or any: the field always shows which. Below it, the response. */
export function TryForm(props: TryFormProps) {
  const { id, mode, first = FIRST_NUMBER, variant, outcome, isPending, onSend, className, children } = props;
  const sendId = useId();
  const [number, setNumber] = useState(first);
  const [error, setError] = useState<string>();

  function change(next: string) {
    setNumber(next);
    setError(undefined);
  }
  function submit(sent: string) {
    const isMissing = sent.trim() === "";
    onSend(isMissing ? null : sent);
    if (!isMissing) return;
    setError("Enter a number, or pick one");
    document.getElementById(id)?.focus();
  }
  function take(suggested: string) {
    change(suggested);
    submit(suggested);
    // The pressed button is about to disappear.
    document.getElementById(sendId)?.focus({ preventScroll: true });
  }

  return (
    <form
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        submit(number);
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="Pick a number"
          value={SANDBOX_NUMBERS.includes(number) ? number : OWN}
          onChange={(event) => change(event.target.value)}
        >
          <SandboxOptions live={mode === "live"} />
          <option value={OWN}>Another number</option>
        </Select>
        <Field
          id={id}
          mono
          error={error}
          label="Number to send"
          type="tel"
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_NUMBER_LENGTH}
          placeholder="+55 11 98765 4321"
          value={number}
          onChange={(event) => change(event.target.value)}
        />
      </div>
      {children}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button id={sendId} type="submit" variant={variant} busy={isPending} className="w-full sm:w-auto">
          Send request
        </Button>
        {mode !== null && (
          <p className="text-sm text-muted">
            {mode === "live"
              ? "This is a real lookup. A valid number counts against your quota."
              : "Test mode: free, with sandbox responses."}
          </p>
        )}
      </div>
      <OutcomeView outcome={outcome} onTake={take} />
    </form>
  );
}
