import type { CSSProperties } from "react";
import { clsx } from "clsx";
import { breakable } from "../ui/breakable.tsx";
import type { Fact, Part } from "./anatomy-of.ts";

const TONES = { known: "text-ink", unknown: "text-muted", doubt: "text-possible", wrong: "text-invalid" } as const;

interface Placed {
  readonly fact: Fact;
  /** Its grid row, from 3: above are the digits and their bars. */
  readonly row: number;
  /** The grid column of its part, and the one where all facts start. */
  readonly from: number;
  readonly to: number;
  /** Whether the part's line ends here. */
  readonly last: boolean;
}

/** The branch from a part's line to one of its facts, ending slightly past the start of the facts' column. */
function Branch({ fact, row, from, to, last }: Placed) {
  const reach =
    from === to
      ? { gridColumn: to, width: "var(--branch)" }
      : { gridColumn: `${from} / ${to}`, marginRight: "calc(-1 * var(--branch))" };
  return (
    <span
      aria-hidden="true"
      data-field={fact.field}
      className={clsx("anatomy-branch animate-draw-x", last && "anatomy-branch-last")}
      style={{ gridRow: row, ...reach }}
    />
  );
}

/** Where a time zone may break. */
const ZONE_BREAKS = /(?<=[/_])/;

interface FactRowProps {
  readonly fact: Fact;
  /** Whether the Tab key reaches it, to light its field. */
  readonly isStop: boolean;
  readonly className?: string;
  readonly style?: CSSProperties;
}

function FactRow({ fact: { label, value, note, tone, field }, isStop, ...look }: FactRowProps) {
  return (
    <div {...look} data-field={field} {...(isStop && { tabIndex: 0 })}>
      <dt className="label">{label}</dt>
      <dd className={clsx("justify-self-start font-medium", TONES[tone ?? "known"])}>
        {value}
        {note !== undefined && (
          <>
            {" "}
            <span className="anatomy-note">{breakable(note, ZONE_BREAKS)}</span>
          </>
        )}
      </dd>
    </div>
  );
}

interface PartDrawingProps extends Pick<Part, "digits" | "wrong"> {
  /** Its grid column, from 1. */
  readonly column: number;
  /** The row of the part's last fact, from 0. */
  readonly lastRow: number;
}

/** One part of the number, the bar under it, and the line that leads down to its facts. */
function PartDrawing({ digits, wrong, column, lastRow }: PartDrawingProps) {
  return (
    <>
      <span
        aria-hidden="true"
        className={clsx("anatomy-digits", wrong && "anatomy-wrong")}
        style={{ gridColumn: column }}
      >
        <span data-field={digits.startsWith("+") ? "country_prefix" : "national_number"}>{digits}</span>
      </span>
      <span aria-hidden="true" className="anatomy-bar animate-draw-x" style={{ gridColumn: column }} />
      <span
        aria-hidden="true"
        className="anatomy-leader animate-draw-y"
        style={{ gridColumn: column, gridRow: `2 / ${lastRow + 3}` }}
      />
    </>
  );
}

/** The check mark after a verified number, or a cross after an invalid one. */
function Tick({ crossed, column }: { crossed: boolean; column: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      // Only an inline drawing can be animated by its stroke.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={crossed ? "Invalid" : "Valid"}
      className="anatomy-tick"
      style={{ gridColumn: column }}
    >
      <path
        d={crossed ? "M5 5l14 14M19 5L5 19" : "M3 13.5l6 6.5L21.5 4"}
        pathLength="1"
        strokeDasharray="1"
        stroke={crossed ? "var(--invalid)" : "var(--signal)"}
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="animate-stroke"
      />
    </svg>
  );
}

interface Row {
  readonly fact: Fact;
  /** Which part it belongs to, from 0. */
  readonly part: number;
  /** Whether the part's line ends here. */
  readonly last: boolean;
}

/** Facts from top to bottom: those of the last part come first, so that lines don't cross. */
function rowsOf(parts: readonly Part[]): Row[] {
  return parts
    .flatMap(({ facts }, part) => facts.map((fact, at) => ({ fact, part, last: at === facts.length - 1 })))
    .toSorted((a, b) => b.part - a.part);
}

interface AnatomyProps {
  readonly parts: readonly Part[];
  /** What the mark after the number means, above it. */
  readonly verdict?: readonly Fact[];
  /** Whether the Tab key reaches each fact: beside the fields that it lights. */
  readonly hasStops?: boolean;
  readonly className?: string | undefined;
}

/**
 * The anatomy of a number: its parts set apart in monospace, a thin line from each to its facts, and a check mark. Its
 * lines are drawn when it appears (never with reduced motion); change its `key` to redraw it. Font size follows the
 * available width.
 */
export function Anatomy({ parts, verdict, hasStops = false, className }: AnatomyProps) {
  const rows = rowsOf(parts);
  const columns = parts.length;
  const characters = parts.reduce((sum, { digits }) => sum + digits.length, 0);
  const placed = rows.map(({ fact, part, last }, at) => ({ fact, last, row: at + 3, from: part + 1, to: columns }));
  // Parts are one character apart, and the tick takes two.
  const width = { "--characters": characters + columns + 1 } as CSSProperties;

  return (
    <div className={clsx("@container", className)} style={width}>
      {verdict !== undefined && (
        <dl className="anatomy-verdict">
          {verdict.map((fact) => (
            <FactRow key={fact.label} fact={fact} isStop={false} />
          ))}
        </dl>
      )}
      <div
        className="anatomy grid justify-start"
        style={{ gridTemplateColumns: `repeat(${columns}, auto) minmax(0, 1fr)` }}
      >
        <p className="sr-only">{parts.map(({ digits }) => digits).join(" ")}</p>
        {parts.map(({ digits, wrong }, part) => (
          <PartDrawing
            key={part}
            digits={digits}
            wrong={wrong}
            column={part + 1}
            lastRow={rows.findIndex((row) => row.part === part && row.last)}
          />
        ))}
        <Tick crossed={parts.some(({ wrong }) => wrong)} column={columns + 1} />
        {placed.map((place) => (
          <Branch key={place.row} {...place} />
        ))}
        <dl className="contents">
          {placed.map(({ fact, row, to }) => (
            <FactRow
              key={row}
              fact={fact}
              isStop={hasStops}
              className="anatomy-fact"
              style={{ gridColumn: `${to} / -1`, gridRow: row }}
            />
          ))}
        </dl>
      </div>
    </div>
  );
}
