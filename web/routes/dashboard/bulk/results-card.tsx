import { useQuery } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import { useDeferredValue, useEffect, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Card, CardHeader } from "../../../components/ui/card.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { formatCount } from "../../../../contract/format.ts";
import type { Counts } from "../../../../lists/sheet.ts";
import { queries } from "../../../lib/queries.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { isActive } from "../../../../lists/run.ts";
import { failureText } from "../../../../lists/unusable.ts";
import { look, takeSuggestions } from "./check.ts";
import type { Offered, State } from "./desk.ts";
import { desk } from "./desk-client.ts";
import { ResultsTable } from "./results-table.tsx";
import { EVERYTHING, PAGE_SIZE } from "./view.ts";
import type { Page, ShownRow, View } from "./view.ts";
import type { Format } from "../../../../lists/write/write-table.ts";

const KINDS = [
  { value: "all", label: "All" },
  { value: "valid", label: "Valid" },
  { value: "invalid", label: "Invalid" },
  { value: "not_sent", label: "Skipped" },
  { value: "not_checked", label: "Not verified" },
] as const;

interface ViewControlsProps {
  view: View;
  counts: Counts;
  page: Page | null;
  onChange: (view: View) => void;
}

/** Filters the table. */
function ViewControls({ view, counts, page, onChange }: ViewControlsProps) {
  const rows = Object.values(counts).reduce((sum, count) => sum + count);
  const kinds = KINDS.filter(({ value }) => value === "all" || value === view.kind || counts[value] > 0);
  const { suggestions = 0, repeats = 0, countries = [] } = page ?? {};
  return (
    <div className="grid grid-cols-[10fr_11fr] gap-3 p-5 print:hidden sm:grid-cols-2 lg:grid-cols-4">
      <Segmented
        label="Outcome"
        options={kinds.map((kind) => ({
          ...kind,
          count: formatCount(kind.value === "all" ? rows : counts[kind.value]),
        }))}
        value={view.kind}
        onChange={(kind) => onChange({ ...view, kind })}
        className="col-span-full flex-wrap justify-self-start max-sm:justify-self-stretch max-sm:[&_label]:px-2 max-sm:[&_label]:text-sm"
      />
      <Select
        label="Rows shown"
        hideLabel
        value={view.only}
        onChange={(event) => onChange({ ...view, only: event.target.value as View["only"] })}
      >
        <option value="">All rows</option>
        <option value="suggestion">With a suggestion ({formatCount(suggestions)})</option>
        <option value="repeated">In several rows ({formatCount(repeats)})</option>
      </Select>
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
        className="col-span-2"
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

/** Which rows of how many are shown, with navigation. */
function Pager({ at, total, onChange }: Pick<Page, "at" | "total"> & { onChange: (at: number) => void }) {
  const pages = Math.ceil(total / PAGE_SIZE);
  const first = at * PAGE_SIZE + 1;
  const last = Math.min(total, first + PAGE_SIZE - 1);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
      <output className="label">
        {pages === 1
          ? formatCount(total, "row")
          : `${formatCount(first)}–${formatCount(last)} of ${formatCount(total)}`}
      </output>
      {pages > 1 && (
        <nav aria-label="Pages of results" className="flex gap-2">
          <Button variant="secondary" size="sm" disabled={at === 0} onClick={() => onChange(at - 1)}>
            Previous
          </Button>
          <Button variant="secondary" size="sm" disabled={at === pages - 1} onClick={() => onChange(at + 1)}>
            Next
          </Button>
        </nav>
      )}
    </div>
  );
}

const FORMATS: Readonly<Record<Format, { label: string; about: string }>> = {
  xlsx: {
    label: "Excel workbook (.xlsx)",
    about:
      "Your original columns plus the results, for Excel, Google Sheets, and LibreOffice. Numbers are stored as text, so plus signs and leading zeros are kept.",
  },
  csv: {
    label: "CSV for spreadsheets",
    about:
      "Your original columns plus the results. Cells a spreadsheet would calculate or shorten, such as +5511987654321, get an apostrophe.",
  },
  raw: {
    label: "CSV for programs",
    about:
      "Your rows as they are, in UTF-8, plus the results. Don’t open it in a spreadsheet, which drops plus signs and can run formulas.",
  },
};

function toastUnwritten(error: unknown): undefined {
  toast.error("Couldn’t write the file", failureText(error));
}

interface DownloadsProps {
  /** Rows in all. */
  rows: number;
  /** The table's view, and its row count; null for everything. */
  selection: { readonly view: View; readonly total: number } | null;
  /** Rows without a result. */
  unchecked: number;
  format: Format;
  onFormat: (format: Format) => void;
}

/** The results as a file. */
function Downloads({ rows, selection, unchecked, format, onFormat }: DownloadsProps) {
  const all = useAction(toastUnwritten);
  const some = useAction(toastUnwritten);
  /** Writes a view's rows, or all, and makes the browser save them. */
  async function save(view: View | null) {
    const file = await desk.file(format, view);
    const day = new Date().toISOString().slice(0, 10);
    saveFile(`checkline-bulk${view ? "-selection" : ""}-${day}.${format === "xlsx" ? "xlsx" : "csv"}`, file);
    if (view === null) await desk.noteSaved();
  }
  return (
    <>
      <Select
        label="Format"
        hideLabel
        value={format}
        onChange={(event) => onFormat(event.target.value as Format)}
        className="w-56 max-sm:w-full print:hidden"
      >
        {Object.entries(FORMATS).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Button
        variant={unchecked > 0 ? "secondary" : "primary"}
        busy={all.busy}
        onClick={() => all.run(() => save(null))}
        className="max-sm:w-full"
      >
        <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
        Download {formatCount(rows, "row")}
      </Button>
      {selection !== null && selection.total > 0 && (
        <Button
          variant="secondary"
          busy={some.busy}
          onClick={() => some.run(() => save(selection.view))}
          className="max-sm:w-full"
        >
          Download these {formatCount(selection.total)}
        </Button>
      )}
    </>
  );
}

/** The row whose suggestion may be accepted; null for all. And what that does. */
interface Accepting extends Offered {
  row: ShownRow | null;
}

/** Asks before suggestions are looked up: each may count. */
function AcceptDialog({ row, rows, numbers, onClose }: Accepting & { onClose: () => void }) {
  const left = useQuery(queries.subscription).data?.quota.remaining ?? null;
  const what = row === null ? formatCount(rows, "suggestion") : row.suggestion;
  async function accept(): Promise<void> {
    onClose();
    try {
      await takeSuggestions(row?.place ?? null);
    } catch (error) {
      toast.error("Couldn’t accept it", failureText(error));
    }
  }
  const one = numbers === 1;
  const cost =
    numbers === 0
      ? "This list has it already, so nothing is looked up."
      : `This looks up ${formatCount(numbers, "number")}. ${one ? "It counts" : "Each counts"} as a verification if it’s valid.`;
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Accept ${what}?`}
      description={[
        row !== null && rows > 1 && `It replaces the number in ${formatCount(rows, "row")}.`,
        cost,
        numbers > 0 && left !== null && `You have ${formatCount(left)} left.`,
      ]
        .filter(Boolean)
        .join(" ")}
      cancel={<Button variant="secondary">Cancel</Button>}
      actions={<Button onClick={() => void accept()}>Accept</Button>}
    />
  );
}

interface ResultsCardProps {
  rows: number;
  state: State;
  /** What is shown; null before there is something. */
  page: Page | null;
}

/** The results: filtered, paginated, and as a file. */
export function ResultsCard({ rows, state, page: data }: ResultsCardProps) {
  const [view, setView] = useState<View>(EVERYTHING);
  const [page, setPage] = useState(0);
  // Opens correctly in spreadsheets of every language, while a CSV file's separator depends on the language.
  const [format, setFormat] = useState<Format>("xlsx");
  const chosen = useDeferredValue(view);
  useEffect(() => look(chosen, page), [chosen, page]);
  const { checked } = state;
  // More results will follow.
  const active = isActive(state.phase);
  const isDone = state.phase.name === "done";
  const [offered, setOffered] = useState<Accepting | null>(null);
  async function offer(row: ShownRow | null): Promise<void> {
    const found = await desk.offer(row?.place ?? null).catch(() => null);
    if (found !== null) setOffered({ row, ...found });
  }
  const unchecked = state.counts.not_checked;
  const total = data?.total ?? 0;

  return (
    <Card padding="none">
      <CardHeader
        title={<h2>Results</h2>}
        description={
          checked > 0 && (
            <>
              <span className="print:hidden">{FORMATS[format].about}</span>
              {unchecked > 0 && ` Not verified: ${formatCount(unchecked, "row")}.`}
            </>
          )
        }
        className="max-lg:*:basis-full print:border-b-0"
        actions={
          checked > 0 && (
            <Downloads
              rows={rows}
              selection={
                data !== null && total < rows && !(active && data.view.kind === "all")
                  ? { view: data.view, total }
                  : null
              }
              unchecked={unchecked}
              format={format}
              onFormat={setFormat}
            />
          )
        }
      />
      <ViewControls
        view={view}
        counts={state.counts}
        page={data}
        onChange={(next) => {
          setView(next);
          setPage(0);
        }}
      />
      {data !== null && total === 0 && (
        <p className="border-t border-line px-5 py-10 text-center text-soft">
          {active ? "None so far." : "No matching rows."}{" "}
          {!(active && data.view.kind === "all") && (
            <button type="button" className="text-link text-ink" onClick={() => setView(EVERYTHING)}>
              Show all
            </button>
          )}
        </p>
      )}
      {isDone && data !== null && data.suggestions > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line px-5 py-3 text-sm text-soft print:hidden">
          {formatCount(data.suggestions, "row")} {data.suggestions === 1 ? "has" : "have"} a suggestion: the number that
          was probably meant.
          <Button variant="secondary" size="sm" onClick={() => void offer(null)}>
            Accept {data.suggestions === 1 ? "it" : "all"}
          </Button>
        </div>
      )}
      {data !== null && total > 0 && (
        <>
          <ResultsTable rows={data.rows} onAccept={isDone ? offer : null} />
          <Pager at={Math.min(page, Math.ceil(total / PAGE_SIZE) - 1)} total={total} onChange={setPage} />
        </>
      )}
      {offered !== null && <AcceptDialog {...offered} onClose={() => setOffered(null)} />}
    </Card>
  );
}
