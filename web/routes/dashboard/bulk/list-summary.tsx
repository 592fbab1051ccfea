import { clsx } from "clsx";
import { Fragment } from "react";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { Select } from "../../../components/ui/input.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { countryName } from "../../../lib/format.ts";
import { concernsIn, countsIn, unreadIn } from "../../../../lists/concerns.ts";
import type { ListSummary } from "../../../../lists/summary.ts";
import type { ReadingChange } from "./desk.ts";

/** Pixels that a table fades at its edge. */
const FADED = 24;

/** Scrolls a table sideways as far as needed to show a column. */
function reveal(head: HTMLElement | null): void {
  const view = head?.closest("section");
  if (head && view) view.scrollLeft = head.offsetLeft + head.offsetWidth + FADED - view.clientWidth;
}

/** The first rows, with the columns of numbers and countries highlighted. */
function Preview({ columns, preview, reading }: ListSummary) {
  const isUsed = (at: number) => at === reading.column || at === reading.countryColumn;
  return (
    <Table caption="First rows" hideCaption mono className="rounded-md border border-line bg-surface">
      <thead>
        <tr>
          {columns.map((name, at) => (
            <Th
              key={at}
              ref={at === reading.column ? reveal : undefined}
              className={clsx("max-w-48 truncate px-3! py-2! max-sm:px-2!", isUsed(at) && "text-ink!")}
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
                className={clsx("max-w-48 truncate px-3! py-2! max-sm:px-2!", isUsed(at) && "bg-sunken text-ink!")}
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
  /** Or a pasted text. */
  isFile: boolean;
  /** For all rows, or "". */
  country: string;
  coversUnread: boolean;
  onUnread: (coversUnread: boolean) => void;
  onRead: (change: ReadingChange) => void;
  onSheet: (name: string) => void;
}

/** How a list is interpreted: which column has the numbers, and what a spreadsheet did to them. */
export function ListSummaryPanel(props: ListSummaryPanelProps) {
  const { summary, isFile, country, coversUnread, onUnread, onRead, onSheet } = props;
  const { columns, others, reading, sheets, sheet, unread } = summary;
  const these = unread.rows === 1 ? "this row" : "these rows";
  const isTable = columns.length > 1 || isFile;
  const options = columns.map((column, at) => (
    <option key={at} value={at}>
      {column}
    </option>
  ));
  return (
    <section aria-label="The list" className="grid gap-3 rounded-md border border-line bg-sunken p-4">
      <output className="text-sm text-soft">
        {countsIn(summary).map((part, at) => (
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
          <div className="grid gap-3 sm:grid-cols-2">
            <Select
              label="Phone number column"
              value={reading.column}
              hint={others.length > 0 ? `Also with numbers: ${others.join(", ")}.` : undefined}
              onChange={(event) => onRead({ column: Number(event.target.value) })}
            >
              {options}
            </Select>
            <Select
              label="Country column"
              value={reading.countryColumn ?? ""}
              onChange={({ target: { value } }) => onRead({ countryColumn: value === "" ? null : Number(value) })}
            >
              <option value="">None</option>
              {options}
            </Select>
          </div>
          <Checkbox
            label={reading.header ? `Row ${reading.header + 1} is the header` : "First row is a header"}
            checked={reading.header !== null}
            onChange={(event) => onRead({ hasHeader: event.target.checked })}
          />
          <Preview {...summary} />
        </>
      )}
      {unread.rows > 0 && (
        <div className="grid gap-2 border-l-2 border-possible pl-3 text-sm text-soft">
          <p className="wrap-anywhere">
            {unreadIn(unread)}
            {country === "" && ` We verify ${these} without a country.`}
          </p>
          {country !== "" && (
            <Select
              label={`Verify ${these}`}
              value={coversUnread ? country : ""}
              onChange={(event) => onUnread(event.target.value !== "")}
            >
              <option value="">Without a country</option>
              <option value={country}>With the country for all rows ({countryName(country)})</option>
            </Select>
          )}
        </div>
      )}
      {concernsIn(summary, country).map((text) => (
        <p key={text} className="border-l-2 border-possible pl-3 text-sm text-soft">
          {text}
        </p>
      ))}
    </section>
  );
}
