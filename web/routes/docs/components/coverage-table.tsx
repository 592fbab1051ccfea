import { useState } from "react";
import { Field } from "../../../components/ui/input.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import type { CoverageRow } from "../../../plugins/docs/coverage.ts";

/** Whether a row has what someone typed: a part of its name, its code, or the start of its calling code. */
function matches({ code, name, prefix }: CoverageRow, typed: string): boolean {
  const text = typed.trim().toLowerCase();
  if (/^\+?\d/.test(text)) return prefix.startsWith(`+${text.replace("+", "")}`);
  return name.toLowerCase().includes(text) || code.toLowerCase() === text;
}

/** What is known of each country's numbers, with a filter. The build fills it in from the engine's data. */
export function CoverageTable({ rows, columns }: { rows: readonly CoverageRow[]; columns: readonly string[] }) {
  const [typed, setTyped] = useState("");
  const shown = rows.filter((row) => matches(row, typed));
  return (
    <>
      <Field
        label="Filter by name, code, or calling code"
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        className="mt-8 max-w-md"
      />
      <p aria-live="polite" className="mt-2! mb-4 text-sm text-muted">
        {shown.length === rows.length ? `${rows.length} countries` : `${shown.length} of ${rows.length} countries`}
      </p>
      {shown.length > 0 && (
        <Table caption="What is known by country" hideCaption flush className="doc-table min-[23rem]:overflow-x-clip!">
          <thead className="top-16 bg-paper shadow-[0_1px_0_var(--line)] min-[23rem]:sticky">
            <tr>
              <Th>Country</Th>
              {columns.map((column) => (
                <Th key={column} numeric className="whitespace-normal!">
                  {column}
                </Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ code, name, about, shares }) => (
              <tr key={code}>
                <Th scope="row" className="wrap-anywhere">
                  {name}
                  <span className="block text-sm font-normal text-muted">{about}</span>
                </Th>
                {shares.map((share, at) => (
                  <Td key={columns[at]} numeric className="font-mono tabular-nums">
                    {share}
                  </Td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}
