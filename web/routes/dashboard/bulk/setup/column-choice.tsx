import { useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { Checkbox } from "../../../../components/ui/checkbox.tsx";
import { Select } from "../../../../components/ui/select.tsx";
import { cellsOf, withHeader } from "../read-csv.ts";
import type { CsvFile } from "../read-csv.ts";
import { MAX_NUMBERS } from "../read-list.ts";

const EXAMPLES = 3;

export interface ColumnChoiceProps {
  name: string;
  file: CsvFile;
  onAdd: (cells: readonly string[]) => void;
  onClose: () => void;
}

function count(cells: number): string {
  return `${cells.toLocaleString("en-US")} ${cells === 1 ? "number" : "numbers"}`;
}

/** Which column of a file has the numbers. The guess stands until another is chosen. */
export function ColumnChoice({ name, file: given, onAdd, onClose }: ColumnChoiceProps) {
  const [file, setFile] = useState(given);
  const [column, setColumn] = useState(given.best);
  const cells = cellsOf(file, column);
  const tooMany = cells.length > MAX_NUMBERS;

  return (
    <section aria-label={`Numbers from ${name}`} className="grid gap-3 rounded-md border border-line bg-sunken p-4">
      <p className="text-sm text-soft">
        <span className="font-mono wrap-anywhere text-ink">{name}</span>, {file.rows.length.toLocaleString("en-US")}{" "}
        {file.rows.length === 1 ? "line" : "lines"}
      </p>
      <Select label="Column" value={column} onChange={(event) => setColumn(Number(event.target.value))}>
        {file.columns.map((option, at) => (
          <option key={at} value={at}>
            {option.name} ({count(option.numbers)})
          </option>
        ))}
      </Select>
      <Checkbox
        label="The first line names the columns"
        checked={file.hasHeader}
        onChange={(event) => setFile(withHeader(file.rows, event.target.checked))}
      />
      {cells.length > 0 && (
        <p className="text-sm text-muted">
          Begins with <span className="font-mono wrap-anywhere text-soft">{cells.slice(0, EXAMPLES).join(", ")}</span>
        </p>
      )}
      <div aria-live="polite">
        {tooMany && (
          <p className="text-sm text-invalid">
            These are {count(cells.length)}, and one check takes up to {MAX_NUMBERS.toLocaleString("en-US")}. Split the
            file.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" disabled={cells.length === 0 || tooMany} onClick={() => onAdd(cells)}>
          Add {count(cells.length)}
        </Button>
        <Button size="sm" variant="quiet" onClick={onClose}>
          Do not add
        </Button>
      </div>
    </section>
  );
}
