import { clsx } from "clsx";
import { Fragment } from "react";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { Select } from "../../../components/ui/input.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { formatCount } from "../../../../contract/format.ts";
import type { Reading } from "./columns.ts";
import type { Findings, ListSummary } from "./workspace.ts";

/** What a spreadsheet did to the cells, in sentences. */
function warningsOf({ scientific, dates, apostrophes, withoutPlus }: Findings, country: string): string[] {
  const rows = (count: number, one: string, many: string) => `${formatCount(count, "row")} ${count === 1 ? one : many}`;
  const said: string[] = [];
  if (scientific > 0) {
    const what = rows(scientific, "has a number", "have numbers");
    said.push(`${what} that a spreadsheet shortened, like 4.15556E+11. Digits were lost, so we skip these rows.`);
  }
  if (dates > 0) said.push(`${rows(dates, "has a date", "have dates")} instead of a number. We skip these rows.`);
  if (withoutPlus > 0 && country === "") {
    const what = rows(withoutPlus, "has a number", "have numbers");
    said.push(`${what} without a plus sign, which spreadsheets remove. Put it back, or choose a country.`);
  }
  if (apostrophes > 0) {
    said.push(`${rows(apostrophes, "begins", "begin")} with an apostrophe. We remove it.`);
  }
  return said;
}

/** How many rows and numbers a list has: "2,000 rows", "1,677 numbers to check". */
function countsOf({ rows, numbers, repeated, findings }: ListSummary): string[] {
  const parts = [formatCount(rows, "row"), `${formatCount(numbers, "number")} to check`];
  if (repeated > 0) parts.push(`${formatCount(repeated)} repeated, checked once`);
  if (findings.empty > 0) parts.push(`${formatCount(findings.empty)} empty`);
  return parts;
}

/** Scrolls a table sideways, so that a column is in its middle. */
function reveal(head: HTMLElement | null): void {
  const view = head?.closest("section");
  if (head && view) view.scrollLeft = head.offsetLeft - (view.clientWidth - head.offsetWidth) / 2;
}

/** The first rows, with the number column highlighted. */
function Preview({ columns, preview, reading }: ListSummary) {
  return (
    <Table caption="First rows" hideCaption mono className="rounded-md border border-line bg-surface">
      <thead>
        <tr>
          {columns.map((name, at) => (
            <Th
              key={at}
              ref={at === reading.column ? reveal : undefined}
              className={clsx("max-w-48 truncate px-3! py-2! max-sm:px-2!", at === reading.column && "text-ink!")}
            >
              {name}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {preview.map((row, place) => (
          <tr key={place}>
            {columns.map((_, at) => (
              <Td
                key={at}
                className={clsx(
                  "max-w-48 truncate px-3! py-2! max-sm:px-2!",
                  at === reading.column && "bg-sunken text-ink!",
                )}
              >
                {row[at]}
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

interface ListSummaryPanelProps {
  summary: ListSummary;
  country: string;
  onRead: (reading: Partial<Reading>) => void;
  onSheet: (name: string) => void;
}

/** How a list is interpreted: which column has the numbers, and what a spreadsheet did to them. */
export function ListSummaryPanel({ summary, country, onRead, onSheet }: ListSummaryPanelProps) {
  const { columns, reading, sheets, sheet, name } = summary;
  const isTable = columns.length > 1 || name !== null;
  return (
    <section aria-label="The list" className="grid gap-3 rounded-md border border-line bg-sunken p-4">
      <output className="text-sm text-soft">
        {countsOf(summary).map((part, at) => (
          <Fragment key={part}>
            {at > 0 && " · "}
            <span className="whitespace-nowrap">{part}</span>
          </Fragment>
        ))}
      </output>
      {isTable && (
        <>
          {sheets.length > 1 && (
            <Select label="Sheet" value={sheet ?? ""} onChange={(event) => onSheet(event.target.value)}>
              {sheets.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </Select>
          )}
          <Select
            label="Phone number column"
            value={reading.column}
            onChange={(event) => onRead({ column: Number(event.target.value) })}
          >
            {columns.map((column, at) => (
              <option key={at} value={at}>
                {column}
              </option>
            ))}
          </Select>
          <Checkbox
            label="First row is a header"
            checked={reading.hasHeader}
            onChange={(event) => onRead({ hasHeader: event.target.checked })}
          />
          <Preview {...summary} />
        </>
      )}
      {warningsOf(summary.findings, country).map((text) => (
        <p key={text} className="border-l-2 border-possible pl-3 text-sm text-soft">
          {text}
        </p>
      ))}
    </section>
  );
}
