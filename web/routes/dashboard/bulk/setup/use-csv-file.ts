import { useRef, useState } from "react";
import { MAX_FILE_BYTES, readCsv } from "../read-csv.ts";
import type { CsvFile, ReadFile } from "../read-csv.ts";

async function readFile(file: File): Promise<ReadFile> {
  // Before it is read: a large one would take the page's memory.
  if (file.size > MAX_FILE_BYTES) return readCsv(new Uint8Array(MAX_FILE_BYTES + 1));
  try {
    return readCsv(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return { ok: false, message: "The file could not be read. Choose it again." };
  }
}

export interface OpenedFile {
  /** Another for each file that is opened, be it the same once more. */
  readonly id: number;
  readonly name: string;
  readonly file: CsvFile;
}

export interface CsvSource {
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
