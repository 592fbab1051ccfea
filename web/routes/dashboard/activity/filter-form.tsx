import { clsx } from "clsx";
import { useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { PERIODS } from "./filters.ts";
import type { ActivityChoice } from "./filters.ts";
import { textOf, withoutHint } from "./key-label.ts";
import type { KeyLabel } from "./key-label.ts";

export const FILTERS_ID = "activity-filters";

interface FiltersProps {
  /** On a phone; wider screens always show them. */
  readonly isOpen: boolean;
  readonly choice: ActivityChoice;
  readonly names: ReadonlyMap<string, KeyLabel>;
  readonly onChoose: (change: Partial<ActivityChoice>) => void;
}

/** The form of filters. */
export function Filters({ isOpen, choice, names, onChoose }: FiltersProps) {
  const [request, setRequest] = useState(choice.request);
  // The address can change without this form: by going back, or by clearing the filters.
  const [shown, setShown] = useState(choice.request);
  if (shown !== choice.request) {
    setShown(choice.request);
    setRequest(choice.request);
  }
  const known =
    choice.key === "" || names.has(choice.key) ? names : new Map([...names, [choice.key, withoutHint(choice.key)]]);
  return (
    <form
      aria-label="Filters"
      id={FILTERS_ID}
      className={clsx(
        "mb-4 grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-[repeat(3,minmax(0,1fr))_minmax(0,1.6fr)]",
        !isOpen && "max-sm:hidden",
      )}
      onSubmit={(event) => {
        event.preventDefault();
        if (request.trim() !== choice.request) onChoose({ request: request.trim() });
      }}
    >
      <Select
        label="Key"
        className="max-sm:col-span-2"
        value={choice.key}
        onChange={(event) => onChoose({ key: event.target.value })}
      >
        <option value="">All keys</option>
        {[...known].map(([id, label]) => (
          <option key={id} value={id}>
            {textOf(label)}
          </option>
        ))}
      </Select>
      <Select label="Response" value={choice.status} onChange={(event) => onChoose({ status: event.target.value })}>
        <option value="">All</option>
        <option value="2xx">2xx success</option>
        <option value="4xx">4xx client error</option>
        <option value="402">402 out of quota</option>
        <option value="5xx">5xx server error</option>
      </Select>
      <Select label="Time" value={choice.period} onChange={(event) => onChoose({ period: event.target.value })}>
        <option value="">Last 30 days</option>
        {Object.entries(PERIODS).map(([value, { name }]) => (
          <option key={value} value={value}>{`Last ${name}`}</option>
        ))}
      </Select>
      <div className="col-span-2 flex items-end gap-2 sm:col-span-3 xl:col-span-1">
        <Field
          mono
          label="Request ID"
          placeholder="req_…"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          className="flex-1"
          value={request}
          onChange={(event) => {
            setRequest(event.target.value);
            if (event.target.value === "" && choice.request !== "") onChoose({ request: "" });
          }}
        />
        <Button type="submit" variant="secondary">
          Find
        </Button>
      </div>
    </form>
  );
}
