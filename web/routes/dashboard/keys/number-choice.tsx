import { useId, useState } from "react";
import { MAX_NUMBER_LENGTH } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../../contract/sandbox.ts";
import { Field, Select } from "../../../components/ui/input.tsx";

/** The option for a typed number. */
const OWN = "";

const SANDBOX_NUMBERS: readonly string[] = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].map(({ number }) => number);

/** The initial number, if no call leads here. */
export const FIRST_NUMBER: string = SANDBOX_SUCCESSES[0].number;

interface NumberToSend {
  /** The field's. */
  readonly id: string;
  readonly number: string;
  readonly error: string | undefined;
  readonly onChange: (number: string) => void;
}

/** The number to send. `isMissing` complains, and leads to its field, if there is none. */
export function useNumber(first: string): { choice: NumberToSend; isMissing: (sent: string) => boolean } {
  const id = useId();
  const [number, setNumber] = useState(first);
  const [error, setError] = useState<string>();
  function onChange(next: string) {
    setNumber(next);
    setError(undefined);
  }
  function isMissing(sent: string) {
    if (sent.trim() !== "") return false;
    setError("Enter a number, or pick one");
    document.getElementById(id)?.focus();
    return true;
  }
  return { choice: { id, number, error, onChange }, isMissing };
}

interface NumberChoiceProps extends NumberToSend {
  /** The key's mode, if known. A live key has no sandbox. */
  readonly mode: KeyMode | null;
}

/** Pick a sandbox number or type any. The field always shows what is sent. */
export function NumberChoice({ mode, id, number, error, onChange }: NumberChoiceProps) {
  const live = mode === "live";
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Pick a number"
        value={SANDBOX_NUMBERS.includes(number) ? number : OWN}
        onChange={(event) => onChange(event.target.value)}
      >
        <optgroup label="Successes">
          {SANDBOX_SUCCESSES.map(({ number: value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </optgroup>
        <optgroup label={live ? "Errors, with test keys only" : "Errors"} disabled={live}>
          {SANDBOX_FAILURES.map(({ number: value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </optgroup>
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
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** Beside the button: what a call costs. */
export function ModeNote({ mode }: { mode: KeyMode | null }) {
  if (mode === null) return null;
  return (
    <p className="text-sm text-muted">
      {mode === "live"
        ? "This is a real lookup. A valid number counts against your quota."
        : "Test mode: free, with sandbox responses."}
    </p>
  );
}
