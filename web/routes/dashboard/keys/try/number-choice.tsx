import type { KeyMode } from "../../../../../contract/limits.ts";
import { MAX_NUMBER_LENGTH } from "../../../../../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../../../contract/sandbox.ts";
import { Field } from "../../../../components/ui/input.tsx";
import { Select } from "../../../../components/ui/select.tsx";

/** What is chosen while the number is one that somebody typed. */
const OWN = "";

const SANDBOX_NUMBERS: readonly string[] = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].map(({ number }) => number);

/** What the panel begins with. */
export const FIRST_NUMBER: string = SANDBOX_SUCCESSES[0].number;

export interface NumberChoiceProps {
  /** The mode of the key, where the key tells. A live key knows no sandbox. */
  mode: KeyMode | null;
  number: string;
  onChange: (number: string) => void;
}

/** A number of the sandbox to pick, or any number to type. The field always shows what will be sent. */
export function NumberChoice({ mode, number, onChange }: NumberChoiceProps) {
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
        <option value={OWN}>A number of your own</option>
      </Select>
      <Field
        mono
        label="Number to send"
        type="tel"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_NUMBER_LENGTH}
        placeholder="+55 11 98765 4321"
        value={number}
        onChange={(event) => onChange(event.target.value)}
        hint={live ? "Looked up for real; a valid one counts against your quota." : undefined}
      />
    </div>
  );
}
