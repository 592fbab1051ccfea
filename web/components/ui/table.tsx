import type { ComponentProps, ReactNode } from "react";
import { useId } from "react";
import { clsx } from "clsx";
import { focusWhileScrolling } from "../../lib/focus-while-scrolling.ts";

export interface TableProps {
  /** The table's content. The accessible name of the table and its scrolling region. */
  caption: ReactNode;
  /** Shows no caption; it stays the name. */
  hideCaption?: boolean | undefined;
  /** Monospaced cells, for numbers, keys, and times. Head cells are unaffected. */
  mono?: boolean | undefined;
  /** The outer cells are at the region's edges, for a table without a frame. */
  flush?: boolean | undefined;
  /** Of the region. */
  className?: string | undefined;
  /** `<thead>` and `<tbody>` with `<tr>`s of `Th` and `Td`. */
  children: ReactNode;
}

/** A table that scrolls sideways within its own keyboard-accessible region. The page never gets wider. */
export function Table({ caption, hideCaption, mono, flush, className, children }: TableProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      ref={focusWhileScrolling}
      className={clsx("fade-end relative min-w-0 overflow-x-auto focus-visible:-outline-offset-2", className)}
    >
      <table
        className={clsx(
          "w-full border-collapse text-left text-base [&_tbody_tr:last-child]:border-b-0 [&_tr]:border-b [&_tr]:border-line",
          flush
            ? "[&_td:first-child,&_th:first-child]:pl-0 [&_td:last-child,&_th:last-child]:pr-0"
            : "[&_td:first-child,&_th:first-child]:pl-5 [&_td:last-child,&_th:last-child]:pr-5",
          mono && "[&_td]:font-mono [&_td]:text-sm",
        )}
      >
        <caption
          id={id}
          className={hideCaption ? "sr-only" : clsx("py-3 text-left text-sm text-muted", !flush && "px-5")}
        >
          {caption}
        </caption>
        {children}
      </table>
    </section>
  );
}

interface Cell {
  /** Digits: right-aligned. */
  numeric?: boolean | undefined;
}

/** A head cell, of a column unless `scope="row"`. */
export function Th({ numeric, scope = "col", className, ...rest }: ComponentProps<"th"> & Cell) {
  return (
    <th
      {...rest}
      scope={scope}
      className={clsx(
        "px-4 py-2.5 align-baseline",
        scope === "row" ? "font-medium text-ink" : "label font-normal whitespace-nowrap",
        numeric && "text-right",
        className,
      )}
    />
  );
}

/** A cell. */
export function Td({ numeric, className, ...rest }: ComponentProps<"td"> & Cell) {
  return (
    <td {...rest} className={clsx("px-4 py-3 align-baseline text-soft", numeric && "text-right text-sm", className)} />
  );
}
