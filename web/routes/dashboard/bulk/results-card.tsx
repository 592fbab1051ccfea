import { useMemo, useState } from "react";
import { Download } from "lucide-react";
import { Button } from "../../../components/ui/button.tsx";
import { Card, CardHeader } from "../../../components/ui/card.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { formatCount } from "../../../lib/format.ts";
import { saveTextFile } from "../../../lib/save-file.ts";
import { resultCsv } from "./result-csv.ts";
import { ResultsTable } from "./results-table.tsx";
import { countriesIn, selectRows } from "./rows.ts";
import type { Counts, Row, View } from "./rows.ts";

const KIND_OPTIONS = [
  { value: "all", label: "All" },
  { value: "valid", label: "Valid" },
  { value: "invalid", label: "Invalid" },
  { value: "failed", label: "Failed" },
] as const;

interface ViewControlsProps {
  view: View;
  /** Those among the results. */
  countries: readonly { readonly code: string; readonly name: string }[];
  onChange: (view: View) => void;
}

/** Narrows the table down. */
function ViewControls({ view, countries, onChange }: ViewControlsProps) {
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

interface PagerProps {
  /** From 0. */
  page: number;
  pages: number;
  size: number;
  total: number;
  onChange: (page: number) => void;
}

/** Which rows are shown of how many, and the way to the others. */
function Pager({ page, pages, size, total, onChange }: PagerProps) {
  if (total === 0) return null;
  const first = page * size + 1;
  const last = Math.min(total, first + size - 1);
  return (
    <nav
      aria-label="Pages of results"
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3"
    >
      <output className="label">
        {formatCount(first)}–{formatCount(last)} of {formatCount(total)}
      </output>
      {pages > 1 && (
        <div className="flex gap-2">
          <Button variant="secondary" size="sm" disabled={page === 0} onClick={() => onChange(page - 1)}>
            Previous
          </Button>
          <Button variant="secondary" size="sm" disabled={page === pages - 1} onClick={() => onChange(page + 1)}>
            Next
          </Button>
        </div>
      )}
    </nav>
  );
}

/** Rows of one page of the table: a table of thousands would be slow to draw and to read. */
const PAGE_SIZE = 50;

interface ResultsCardProps {
  rows: readonly Row[];
  counts: Counts;
  /** More is to come. */
  active: boolean;
  /** All results have been handed to the browser as a file. */
  onSaved: () => void;
}

function save(name: string, rows: readonly Row[]): void {
  const day = new Date().toISOString().slice(0, 10);
  saveTextFile(`checkline-${name}-${day}.csv`, resultCsv(rows), "text/csv;charset=utf-8");
}

/** The results: narrowed down, page by page, and as a file. */
export function ResultsCard({ rows, counts, active, onSaved }: ResultsCardProps) {
  const [view, setView] = useState<View>({ kind: "all", country: "", search: "" });
  const [page, setPage] = useState(0);
  const shown = useMemo(() => selectRows(rows, view), [rows, view]);
  const countries = useMemo(() => countriesIn(rows), [rows]);
  const pages = Math.max(1, Math.ceil(shown.length / PAGE_SIZE));
  const at = Math.min(page, pages - 1);
  const narrowed = shown.length < rows.length;

  return (
    <Card padding="none">
      <CardHeader
        title={<h2>Results</h2>}
        description="The file has every field, in the order of the list. In Excel, import it as text to keep the plus signs."
        actions={
          <>
            {narrowed && shown.length > 0 && (
              <Button variant="quiet" size="sm" onClick={() => save("bulk-selection", shown)}>
                Download these {formatCount(shown.length)}
              </Button>
            )}
            <Button
              variant="secondary"
              size="sm"
              disabled={counts.open === counts.all}
              onClick={() => {
                save("bulk", rows);
                onSaved();
              }}
            >
              <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
              Download CSV
            </Button>
          </>
        }
      />
      <ViewControls
        view={view}
        countries={countries}
        onChange={(next) => {
          setView(next);
          setPage(0);
        }}
      />
      {shown.length === 0 ? (
        <p className="border-t border-line px-5 py-10 text-center text-soft">
          {active ? "Nothing of this kind so far." : "Nothing of this kind."}{" "}
          <button
            type="button"
            className="text-link text-ink"
            onClick={() => setView({ kind: "all", country: "", search: "" })}
          >
            Show all
          </button>
        </p>
      ) : (
        <ResultsTable rows={shown.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE)} />
      )}
      <Pager page={at} pages={pages} size={PAGE_SIZE} total={shown.length} onChange={setPage} />
    </Card>
  );
}
