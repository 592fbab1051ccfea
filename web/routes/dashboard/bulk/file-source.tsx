import { useEffect, useId, useRef, useState } from "react";
import type { DragEvent } from "react";
import { clsx } from "clsx";
import { FileUp } from "lucide-react";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { Select } from "../../../components/ui/input.tsx";
import { formatCount } from "../../../lib/format.ts";
import { cellsOf, MAX_FILE_BYTES, readCsv, withHeader } from "./read-csv.ts";
import type { CsvFile, ReadFile } from "./read-csv.ts";
import { MAX_NUMBERS } from "./read-list.ts";

function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes("Files") ?? false;
}

/** Keeps a file that misses its place from being opened by the browser, which would leave the page. */
export function useDropGuard(): void {
  useEffect(() => {
    function keep(event: globalThis.DragEvent) {
      if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
    }
    window.addEventListener("dragover", keep);
    window.addEventListener("drop", keep);
    return () => {
      window.removeEventListener("dragover", keep);
      window.removeEventListener("drop", keep);
    };
  }, []);
}

/** What makes an element take files that are dropped on it. Text that is dragged goes where it would go without. */
export function useFileDrop(onFiles: (files: FileList) => void) {
  const [over, setOver] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      // Between the elements within, it is still over.
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop(event: DragEvent) {
      setOver(false);
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      onFiles(event.dataTransfer.files);
    },
  };
  return { over, handlers };
}

async function readFile(file: File): Promise<ReadFile> {
  // Before it is read: a large one would take the page's memory.
  if (file.size > MAX_FILE_BYTES) return readCsv(new Uint8Array(MAX_FILE_BYTES + 1));
  try {
    return readCsv(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return { ok: false, message: "The file could not be read. Choose it again." };
  }
}

interface OpenedFile {
  /** Another for each file that is opened, be it the same once more. */
  readonly id: number;
  readonly name: string;
  readonly file: CsvFile;
}

interface CsvSource {
  readonly opened: OpenedFile | null;
  /** Why there is none; "" otherwise. */
  readonly error: string;
  open(files: FileList | null): void;
  close(): void;
}

/** The CSV file that was chosen or dropped last. */
export function useCsvFile(): CsvSource {
  const latest = useRef(0);
  const [error, setError] = useState("");
  const [opened, setOpened] = useState<OpenedFile | null>(null);

  async function read(file: File): Promise<void> {
    latest.current += 1;
    const id = latest.current;
    const found = await readFile(file);
    // A large file may end after a smaller one that was chosen later.
    if (id !== latest.current) return;
    setError(found.ok ? "" : `${file.name}: ${found.message}`);
    setOpened(found.ok ? { id, name: file.name, file: found.file } : null);
  }

  return {
    opened,
    error,
    open(files) {
      const [file] = files ?? [];
      if (file !== undefined) void read(file);
    },
    close: () => setOpened(null),
  };
}

const EXAMPLES = 3;

interface ColumnChoiceProps {
  name: string;
  file: CsvFile;
  onAdd: (cells: readonly string[]) => void;
  onClose: () => void;
}

/** Which column of a file has the numbers. The guess holds until another is chosen. */
function ColumnChoice({ name, file: given, onAdd, onClose }: ColumnChoiceProps) {
  const [file, setFile] = useState(given);
  const [column, setColumn] = useState(given.best);
  const cells = cellsOf(file, column);
  const tooMany = cells.length > MAX_NUMBERS;

  return (
    <section aria-label={`Numbers from ${name}`} className="grid gap-3 rounded-md border border-line bg-sunken p-4">
      <p className="text-sm text-soft">
        <span className="font-mono wrap-anywhere text-ink">{name}</span>, {formatCount(file.rows.length, "line")}
      </p>
      <Select label="Column" value={column} onChange={(event) => setColumn(Number(event.target.value))}>
        {file.columns.map((option, at) => (
          <option key={at} value={at}>
            {option.name} ({formatCount(option.numbers, "number")})
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
            These are {formatCount(cells.length, "number")}, and one check takes up to {formatCount(MAX_NUMBERS)}. Split
            the file.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" disabled={cells.length === 0 || tooMany} onClick={() => onAdd(cells)}>
          Add {formatCount(cells.length, "number")}
        </Button>
        <Button size="sm" variant="quiet" onClick={onClose}>
          Do not add
        </Button>
      </div>
    </section>
  );
}

interface FileSourceProps {
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
