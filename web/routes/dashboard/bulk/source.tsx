import { clsx } from "clsx";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import FileUp from "lucide-react/icons/file-up";
import { useEffect, useId, useRef, useState } from "react";
import type { DragEvent } from "react";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { TextArea } from "../../../components/ui/input.tsx";
import { formatCount } from "../../../../contract/format.ts";
import { MAX_BULK_ROWS } from "../../../../contract/limits.ts";

function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes("Files") ?? false;
}

/** Keeps the browser from opening a file that misses its drop zone, which would leave the page. */
export function useDropGuard(): void {
  useEffect(() => {
    function keep(event: globalThis.DragEvent) {
      if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
    }
    const left = new AbortController();
    for (const type of ["dragover", "drop"] as const) window.addEventListener(type, keep, { signal: left.signal });
    return () => left.abort();
  }, []);
}

/** Makes an element accept dropped files. Dragged text behaves as usual. */
export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      // Still over it when moving between child elements.
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop(event: DragEvent) {
      setOver(false);
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file !== undefined) onFile(file);
    },
  };
  return { over, handlers };
}

/** The id of the list's field, where a new check starts. */
export const LIST_ID = "bulk-numbers";

/** Characters. A longer text would be slow to draw and edit in a field, so it is treated as a file. */
const LARGE_PASTE = 50_000;

interface ListFieldProps {
  text: string;
  onChange: (text: string) => void;
  onFile: (file: File) => void;
  error: string | undefined;
}

/** A list that is pasted or typed: numbers, or rows copied from a spreadsheet. */
export function ListField({ text, onChange, onFile, error }: ListFieldProps) {
  return (
    <TextArea
      id={LIST_ID}
      label="Numbers"
      hint="Paste numbers, names with numbers, or spreadsheet rows."
      error={error}
      aside={
        text !== "" && (
          <button
            type="button"
            onClick={() => {
              onChange("");
              // This button disappears.
              document.getElementById(LIST_ID)?.focus();
            }}
            className="text-link"
          >
            Clear
          </button>
        )
      }
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData("text/plain");
        if (pasted.length < LARGE_PASTE) return;
        event.preventDefault();
        onFile(new File([pasted], "Pasted list"));
      }}
      rows={11}
      inputMode="text"
      wrap="off"
      placeholder={"+55 11 98765 4321\n+1 202 555 0123\n+44 20 7946 0018"}
      className="max-lg:h-36 font-mono text-sm leading-[1.7]"
    />
  );
}

interface FileChoiceProps {
  /** A file is being dragged over the drop zone. */
  over: boolean;
  /** The file that is open, if any. */
  name: string | null;
  error: string | undefined;
  onFile: (file: File) => void;
  onClose: () => void;
}

/** A file, dropped or chosen. */
export function FileChoice({ over, name, error, onFile, onClose }: FileChoiceProps) {
  const id = useId();
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div
      className={clsx(
        "flex flex-wrap items-center gap-2 rounded-md border border-dashed px-4 py-4 text-sm text-muted",
        name === null && "justify-center",
        over ? "border-ink bg-sunken" : error ? "border-invalid" : "border-edge",
      )}
    >
      {name === null ? (
        <span className="text-soft max-sm:hidden pointer-coarse:hidden">Drop a CSV, XLSX, or VCF file here, or</span>
      ) : (
        <span className="min-w-0 flex-1 font-mono wrap-anywhere text-ink max-sm:basis-full">{name}</span>
      )}
      <label
        htmlFor={id}
        className={clsx(
          buttonClass({ variant: "secondary", size: "sm" }),
          "cursor-pointer max-sm:order-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink",
        )}
      >
        <FileUp aria-hidden="true" className="size-4" strokeWidth={1.5} />
        {name === null ? "Choose a file" : "Choose another"}
        <input
          ref={chooser}
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.vcf,.xlsx,text/csv,text/vcard,text/plain,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            // The same file can be chosen again after it was changed.
            target.value = "";
            if (file !== undefined) onFile(file);
          }}
          className="sr-only"
        />
      </label>
      {name === null ? (
        <span className="max-sm:order-1">up to {formatCount(MAX_BULK_ROWS)} rows</span>
      ) : (
        <Button
          size="sm"
          variant="quiet"
          className="max-sm:order-1"
          onClick={() => {
            onClose();
            chooser.current?.focus();
          }}
        >
          Remove
        </Button>
      )}
      <div aria-live="polite" className="basis-full empty:hidden">
        {error && (
          <p id={`${id}-error`} className="flex items-start gap-2 text-sm text-invalid max-sm:mb-2 sm:mt-2">
            <CircleAlert aria-hidden="true" strokeWidth={1.5} className="mt-0.5 size-4 shrink-0" />
            {error}
          </p>
        )}
      </div>
    </div>
  );
}
