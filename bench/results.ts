import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { formatUtcDay } from "../contract/format.ts";
import type { Machine } from "./machine.ts";
import { cellsOf } from "./row.ts";
import type { Row } from "./row.ts";

/** A run of all benchmarks, as in `bench/results/`. */
export interface Results {
  /** The UTC day, "2026-11-28". */
  readonly date: string;
  readonly machine: Machine;
  readonly rows: readonly Row[];
}

const ROOT = join(import.meta.dirname, "..");
const FOLDER = "bench/results";

/** The documents with figures, and which rows each has, by the start of what was measured. */
const DOCUMENTS = {
  "README.md": ["result of an E.164 number", "first result", "verify, 16 connections, CPU", "size of the worker"],
  "worker/phone/README.md": [""],
} as const;

/** The paths of the documents. */
export const DOCUMENTS_WITH_FIGURES = Object.keys(DOCUMENTS) as readonly (keyof typeof DOCUMENTS)[];

/** The latest results. */
export function latestResults(): Results {
  const file = readdirSync(join(ROOT, FOLDER)).toSorted().at(-1);
  if (file === undefined) throw new Error(`${FOLDER} has no results. Run npm run bench.`);
  return JSON.parse(readFileSync(join(ROOT, FOLDER, file), "utf8")) as Results;
}

/** A Markdown table whose columns are aligned, as the formatter wants them. The first row is its head. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const [head, ...others] = rows.map(line);
  return [head, line(widths.map((width) => "-".repeat(width))), ...others].join("\n");
}

const FIGURES = /(<!-- figures[^>]*-->\n).*?(?=\n<!-- end of figures -->)/s;

/** A document's text with the figures of results between its comments; unchanged without them. */
export function withFigures(text: string, document: keyof typeof DOCUMENTS, { date, machine, rows }: Results): string {
  const shown = DOCUMENTS[document].flatMap((start) => rows.filter(({ measured }) => measured.startsWith(start)));
  const cells = shown.map(cellsOf);
  const table = tableOf([Object.keys(cells[0]!), ...cells.map((row) => Object.values(row))]);
  const file = relative(join(document, ".."), `${FOLDER}/${date}.json`);
  const cores = `${machine.cores} ${machine.load > 1 ? "busy" : "idle"} cores of an ${machine.cpu}`;
  const source = `Medians of ${formatUtcDay(date)}, of each column by itself, on ${cores} ([raw results](${file})):`;
  return text.replace(FIGURES, (_, start: string) => `${start}\n${source}\n\n${table}\n`);
}

/** Writes results, and their figures into the documents. */
export function writeResults(results: Results): void {
  writeFileSync(join(ROOT, FOLDER, `${results.date}.json`), `${JSON.stringify(results, null, 2)}\n`);
  for (const document of DOCUMENTS_WITH_FIGURES) {
    const path = join(ROOT, document);
    writeFileSync(path, withFigures(readFileSync(path, "utf8"), document, results));
  }
}
