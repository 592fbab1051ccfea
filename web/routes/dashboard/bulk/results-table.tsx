import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Badge } from "../../../components/ui/badge.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import type { Kind, ShownRow } from "./view.ts";

const BADGES: Record<Kind, ReactNode> = {
  valid: <Badge tone="verified">Valid</Badge>,
  invalid: <Badge tone="invalid">Invalid</Badge>,
  not_sent: <Badge tone="possible">Skipped</Badge>,
  not_checked: (
    <span className="text-muted">
      <span aria-hidden="true">–</span>
      <span className="sr-only">Not verified</span>
    </span>
  ),
};

interface RowProps {
  row: ShownRow;
  /** Accepts the row's suggestion; null while that isn't possible. */
  onAccept: ((row: ShownRow) => void) | null;
}

/** More details: a number's line type, place, and carrier, or why there are none. */
function Detail({ row, onAccept }: RowProps) {
  const { detail, code, suggestion } = row;
  return (
    <>
      {detail}{" "}
      {suggestion !== null && onAccept !== null && (
        <button
          type="button"
          aria-label={`Accept ${suggestion} for row ${row.place}`}
          className="mr-2 text-link text-ink print:hidden"
          onClick={() => onAccept(row)}
        >
          Accept
        </button>
      )}{" "}
      {code !== null && <code className="font-mono text-xs wrap-anywhere text-muted">{code}</code>}
    </>
  );
}

/** Separate columns if there is room; otherwise their texts are below the input. */
const WIDE = "hidden @2xl:table-cell";
const WIDER = "hidden @3xl:table-cell";
/** Cells are aligned at the top, whatever they contain. */
const CELL = "py-3! align-top! text-sm";

/** What remains of a number without its spaces and punctuation. */
function digitsOf(number: string): string {
  return number.replace(/[^+\d]/g, "");
}

function ResultRow({ row, onAccept }: RowProps) {
  const { place, input, number, country, kind } = row;
  return (
    <tr>
      <Td numeric className={clsx(CELL, WIDER, "font-mono text-muted!")}>
        {place}
      </Td>
      <Th scope="row" className={clsx(CELL, "max-w-60 pl-5! font-normal! @2xl:min-w-36 @3xl:min-w-44 @3xl:pl-3!")}>
        <span data-input className="block font-mono wrap-anywhere">
          {input || <span className="font-sans text-muted">Empty</span>}
        </span>
        {number && digitsOf(number) !== digitsOf(input) && (
          <span className="mt-1 block font-mono wrap-anywhere text-soft @3xl:hidden">{number}</span>
        )}
        <span className="mt-1 block text-soft @2xl:hidden">
          {country && <span className="block">{country}</span>}
          <span className="block wrap-anywhere first-letter:uppercase">
            <Detail row={row} onAccept={onAccept} />
          </span>
        </span>
      </Th>
      <Td className={clsx(CELL, "w-px pr-5! @2xl:pr-3!")}>
        {/* As high as a line of text, unlike a badge. */}
        <span className="flex h-[1lh] items-center @max-2xl:justify-end">{BADGES[kind]}</span>
      </Td>
      <Td className={clsx(CELL, WIDER, "font-mono whitespace-nowrap")}>
        {(kind === "valid" || number !== input) && number}
      </Td>
      <Td className={clsx(CELL, WIDE, "whitespace-nowrap")}>{country}</Td>
      <Td className={clsx(CELL, WIDE, "max-w-80 min-w-44 first-letter:uppercase")}>
        <Detail row={row} onAccept={onAccept} />
      </Td>
    </tr>
  );
}

/** One page of results. */
export function ResultsTable({ rows, onAccept }: Pick<RowProps, "onAccept"> & { rows: readonly ShownRow[] }) {
  return (
    <div className="@container">
      <Table caption="Results" hideCaption className="border-t border-line [&_td]:px-3 [&_th]:px-3">
        <thead>
          <tr>
            <Th numeric className={WIDER}>
              #
            </Th>
            <Th className="pl-5! @3xl:pl-3!">Input</Th>
            <Th className="pr-5! @max-2xl:text-right @2xl:pr-3!">Outcome</Th>
            <Th className={WIDER}>Number</Th>
            <Th className={WIDE}>Country</Th>
            <Th className={WIDE}>Detail</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ResultRow key={row.place} row={row} onAccept={onAccept} />
          ))}
        </tbody>
      </Table>
    </div>
  );
}
