import { useId, useRef, useState } from "react";
import type { DragEvent } from "react";
import { clsx } from "clsx";
import { FileUp } from "lucide-react";
import { buttonClass } from "../../../../components/ui/button.tsx";
import { MAX_FILE_BYTES, readCsv } from "../read-csv.ts";
import type { CsvFile, ReadFile } from "../read-csv.ts";
import { ColumnChoice } from "./column-choice.tsx";

async function readFile(file: File): Promise<ReadFile> {
  // Before it is read: a large one would take the page's memory.
  if (file.size > MAX_FILE_BYTES) return readCsv(new Uint8Array(MAX_FILE_BYTES + 1));
  try {
    return readCsv(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return { ok: false, message: "The file could not be read. Choose it again." };
  }
}

/** A CSV file, dropped or chosen. It is read in this page; what is taken from it is added to the list. */
export function FileSource({ onAdd }: { onAdd: (cells: readonly string[]) => void }) {
  const id = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [error, setError] = useState("");
  const [opened, setOpened] = useState<{ readonly name: string; readonly file: CsvFile } | null>(null);

  async function open(files: FileList | null) {
    const [file] = files ?? [];
    if (file === undefined) return;
    const read = await readFile(file);
    // The same file may be chosen again after it was changed.
    if (chooser.current) chooser.current.value = "";
    setError(read.ok ? "" : `${file.name}: ${read.message}`);
    setOpened(read.ok ? { name: file.name, file: read.file } : null);
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void open(event.dataTransfer.files);
  }

  return (
    <div className="grid gap-3">
      <div
        data-drop
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
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
            onChange={(event) => void open(event.target.files)}
            className="sr-only"
          />
        </label>
        <span className="text-sm text-muted">or drop it here. It is read in this page.</span>
      </div>
      <div aria-live="polite">{error !== "" && <p className="text-sm text-invalid">{error}</p>}</div>
      {opened !== null && (
        <ColumnChoice
          key={`${opened.name} ${opened.file.rows.length}`}
          name={opened.name}
          file={opened.file}
          onAdd={(cells) => {
            setOpened(null);
            onAdd(cells);
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}
