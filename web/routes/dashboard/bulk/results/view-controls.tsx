import { Field } from "../../../../components/ui/input.tsx";
import { Segmented } from "../../../../components/ui/segmented.tsx";
import { Select } from "../../../../components/ui/select.tsx";
import type { View } from "../rows.ts";

const KIND_OPTIONS = [
  { value: "all", label: "All" },
  { value: "valid", label: "Valid" },
  { value: "invalid", label: "Invalid" },
  { value: "failed", label: "Failed" },
] as const;

export interface ViewControlsProps {
  view: View;
  /** Those among the results. */
  countries: readonly { readonly code: string; readonly name: string }[];
  onChange: (view: View) => void;
}

/** Narrows the table down. */
export function ViewControls({ view, countries, onChange }: ViewControlsProps) {
  return (
    <div className="grid gap-3 p-5 sm:grid-cols-[auto_minmax(8rem,1fr)_minmax(8rem,1fr)] sm:items-center">
      <Segmented
        label="Outcome"
        options={KIND_OPTIONS}
        value={view.kind}
        onChange={(kind) => onChange({ ...view, kind })}
        className="[&_label]:px-2.5"
      />
      <Select
        label="Country"
        hideLabel
        value={view.country}
        onChange={(event) => onChange({ ...view, country: event.target.value })}
      >
        <option value="">All countries</option>
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <Field
        label="Search the results"
        hideLabel
        type="search"
        placeholder="Search"
        autoComplete="off"
        value={view.search}
        onChange={(event) => onChange({ ...view, search: event.target.value })}
      />
    </div>
  );
}
