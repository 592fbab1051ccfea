import { clsx } from "clsx";
import { useId, useState } from "react";
import { COUNTRY_NAMES } from "../../../contract/country-names.ts";
import { ACCEPTED_LINES, ACCEPTED_TYPES, ROW_COUNTRY } from "../../lib/acceptance.ts";
import type { Condition } from "../../lib/acceptance.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Select } from "../ui/input.tsx";

const COUNTRIES = Object.entries(COUNTRY_NAMES).toSorted(([, a], [, b]) => a.localeCompare(b, "en"));

/**
 * The countries of a menu, sorted by name. Until someone reaches for it, with `reach` as its props, only the chosen one:
 * all of them in three menus would double the landing page.
 */
export function useCountries(chosen: string) {
  const [isReached, setReached] = useState(false);
  const onReach = () => setReached(true);
  const options = COUNTRIES.filter(([code]) => isReached || code === chosen).map(([code, name]) => (
    <option key={code} value={code}>
      {name}
    </option>
  ));
  return { options, reach: { onFocus: onReach, onPointerDown: onReach } };
}

function TitledOptions({ of }: { of: Readonly<Record<string, { readonly title: string }>> }) {
  return Object.entries(of).map(([name, { title }]) => (
    <option key={name} value={name}>
      {title}
    </option>
  ));
}

interface ConditionChoiceProps {
  readonly value: Condition;
  readonly onChange: (value: Condition) => void;
  /** Whether each number may have a country of its own. */
  readonly hasRows?: boolean;
  /** Whether to offer the condition that the number's range is assigned. */
  readonly hasRanges?: boolean;
  readonly hint?: string;
  readonly className?: string;
}

/** Which numbers are accepted. */
export function ConditionChoice({
  value,
  onChange,
  hasRows = false,
  hasRanges = false,
  hint,
  className,
}: ConditionChoiceProps) {
  const countries = useCountries(value.country);
  const hintId = useId();
  const described = hint === undefined ? undefined : hintId;
  return (
    <div className={clsx("grid grid-cols-1 gap-4 sm:grid-cols-2", className)}>
      <Select
        label="Accept only"
        aria-describedby={described}
        value={value.type}
        onChange={(event) => onChange({ ...value, type: event.target.value as Condition["type"] })}
      >
        <TitledOptions of={ACCEPTED_TYPES} />
      </Select>
      <Select
        label="Line type"
        aria-describedby={described}
        value={value.line}
        onChange={(event) => onChange({ ...value, line: event.target.value as Condition["line"] })}
      >
        <TitledOptions of={ACCEPTED_LINES} />
      </Select>
      <Select
        label="Country"
        className="col-span-full"
        aria-describedby={described}
        {...countries.reach}
        value={value.country}
        onChange={(event) => onChange({ ...value, country: event.target.value })}
      >
        <option value="">Any country</option>
        {hasRows && <option value={ROW_COUNTRY}>The row’s country</option>}
        {countries.options}
      </Select>
      {(hasRanges || hint !== undefined) && (
        <div className="-mt-2.5 sm:col-span-2">
          {hasRanges && (
            <Checkbox
              label="Reject numbers in unassigned ranges"
              aria-describedby={described}
              checked={value.rejectsUnassigned}
              onChange={(event) => onChange({ ...value, rejectsUnassigned: event.target.checked })}
            />
          )}
          {hint !== undefined && (
            <p id={hintId} className="text-sm text-muted">
              {hint}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
