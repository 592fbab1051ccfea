import { useId, useRef } from "react";
import { clsx } from "clsx";
import { FileUp } from "lucide-react";
import { buttonClass } from "../../../../components/ui/button.tsx";
import { ColumnChoice } from "./column-choice.tsx";
import type { CsvSource } from "./use-csv-file.ts";

export interface FileSourceProps {
  source: CsvSource;
  /** A file is being dragged over its place. */
  over: boolean;
  onAdd: (cells: readonly string[]) => void;
}

/** A CSV file, dropped or chosen. It is read in this page; what is taken from it is added to the list. */
export function FileSource({ source: { opened, error, open, close }, over, onAdd }: FileSourceProps) {
  const id = useId();
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div className="grid gap-3">
      <div
        className={clsx(
          "flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-dashed px-4 py-3",
          over ? "border-ink bg-sunken" : "border-edge",
        )}
      >
        <label
          htmlFor={id}
          className={clsx(
            buttonClass({ variant: "secondary", size: "sm" }),
            "cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink",
          )}
        >
          <FileUp aria-hidden="true" className="size-4" strokeWidth={1.5} />
          Choose a CSV file
          <input
            ref={chooser}
            id={id}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
            onChange={({ target }) => {
              open(target.files);
              // The same file may be chosen again after it was changed.
              target.value = "";
            }}
            className="sr-only"
          />
        </label>
        <span className="text-sm text-muted">or drop it here. It is read in this page.</span>
      </div>
      <div aria-live="polite">{error !== "" && <p className="text-sm text-invalid">{error}</p>}</div>
      {opened !== null && (
        <ColumnChoice
          key={opened.id}
          name={opened.name}
          file={opened.file}
          onAdd={(cells) => {
            close();
            onAdd(cells);
          }}
          onClose={() => {
            close();
            chooser.current?.focus();
          }}
        />
      )}
    </div>
  );
}
