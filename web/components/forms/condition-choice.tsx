import { CONDITIONS } from "../../lib/acceptance.ts";
import type { Condition } from "../../lib/acceptance.ts";
import { Select } from "../ui/input.tsx";

interface ConditionChoiceProps {
  readonly value: Condition;
  readonly onChange: (value: Condition) => void;
  readonly hint?: string;
  readonly className?: string;
}

/** Which numbers are accepted. */
export function ConditionChoice({ value, onChange, ...rest }: ConditionChoiceProps) {
  return (
    <Select {...rest} label="Accept only" value={value} onChange={(event) => onChange(event.target.value as Condition)}>
      {Object.entries(CONDITIONS).map(([name, { title }]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </Select>
  );
}
