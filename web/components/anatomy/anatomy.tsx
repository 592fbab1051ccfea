import type { CSSProperties } from "react";
import { clsx } from "clsx";
import type { Fact, Part } from "./anatomy-of.ts";

/** Milliseconds between two typed characters, and between two facts. */
const KEYSTROKE = 42;
const STEP = 130;

/** A style whose animation starts after this many milliseconds. */
function delayed(milliseconds: number, style?: CSSProperties): CSSProperties {
  return { ...style, animationDelay: `${Math.round(milliseconds)}ms` };
}

interface Placed {
  /** Its grid row, from 4: above are the verdict without room beside, the digits, and their bars. */
  readonly row: number;
  /** The grid column of its part, and the one where all facts start. */
  readonly from: number;
  readonly to: number;
  /** Whether the part's line ends here. */
  readonly last: boolean;
  /** Milliseconds until it is drawn. */
  readonly delay: number;
}

const TONES = { known: "text-ink", unknown: "text-muted", doubt: "text-possible", wrong: "text-invalid" } as const;

/** The branch from a part's line to one of its facts, ending slightly past the start of the facts' column. */
function Branch({ row, from, to, last, delay }: Placed) {
  const reach =
    from === to ? { gridColumn: to, width: "1.5rem" } : { gridColumn: `${from} / ${to}`, marginRight: "-1.5rem" };
  return (
    <span
      aria-hidden="true"
      className={clsx("anatomy-branch animate-draw-x", last && "anatomy-branch-last")}
      style={delayed(delay, { gridRow: row, ...reach })}
    />
  );
}

/** One fact, at the end of its branch; `beside` if the verdict is right of it. */
function FactRow({
  fact: { label, value, note, tone },
  row,
  to,
  delay,
  beside = false,
}: Placed & { readonly fact: Fact; readonly beside?: boolean }) {
  return (
    <div
      className={clsx("anatomy-fact animate-appear", beside && "anatomy-beside")}
      style={delayed(delay + 120, { gridColumn: `${to} / -1`, gridRow: row })}
    >
      <dt className="label">{label}</dt>
      <dd className={clsx("font-medium", TONES[tone ?? "known"])}>
        {value}
        {note !== undefined && (
          <>
            {" "}
            <span className="anatomy-note">{note}</span>
          </>
        )}
      </dd>
    </div>
  );
}

interface PartDrawingProps {
  readonly digits: string;
  readonly wrong: boolean;
  /** Its grid column, from 1. */
  readonly column: number;
  /** The row of the part's last fact, from 0. */
  readonly lastRow: number;
  /** Milliseconds until its first character is typed, and until the whole number is. */
  readonly start: number;
  readonly typed: number;
}

/** One part of the number, the bar under it, and the line that leads down to its facts. */
function PartDrawing({ digits, wrong, column, lastRow, start, typed }: PartDrawingProps) {
  return (
    <>
      <span
        aria-hidden="true"
        className={clsx("anatomy-digits", wrong && "anatomy-wrong")}
        style={{ gridColumn: column }}
      >
        {[...digits].map((character, at) => (
          <span key={at} className="animate-type" style={delayed(start + at * KEYSTROKE)}>
            {character}
          </span>
        ))}
      </span>
      <span aria-hidden="true" className="anatomy-bar animate-draw-x" style={delayed(typed, { gridColumn: column })} />
      <span
        aria-hidden="true"
        className="anatomy-leader animate-draw-y"
        style={delayed(typed + 60, { gridColumn: column, gridRow: `3 / ${lastRow + 4}` })}
      />
    </>
  );
}

interface TickProps {
  /** A cross instead, for an invalid number. */
  readonly crossed: boolean;
  /** Milliseconds until it is drawn, once. */
  readonly delay: number;
  readonly style: CSSProperties;
}

/** The check mark after a verified number. */
function Tick({ crossed, delay, style }: TickProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      // Only an inline drawing can be animated by its stroke.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={crossed ? "Invalid" : "Valid"}
      className="anatomy-tick"
      style={style}
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
        style={{ animationDelay: `${delay}ms` }}
      />
    </svg>
  );
}

interface VerdictProps {
  readonly facts: readonly Fact[];
  /** The tick's grid column. */
  readonly column: number;
  /** Milliseconds until drawing starts. */
  readonly start: number;
}

/** What the check mark means, drawn below it like facts below their part. */
function Verdict({ facts, column, start }: VerdictProps) {
  const placed = facts.map((fact, at) => ({
    fact,
    last: at === facts.length - 1,
    row: at + 4,
    from: column,
    to: column,
    delay: start + at * STEP,
  }));
  return (
    <div className="anatomy-verdict">
      <span
        aria-hidden="true"
        className="anatomy-bar animate-draw-x"
        style={delayed(start, { gridColumn: column, borderColor: "var(--signal)" })}
      />
      <span
        aria-hidden="true"
        className="anatomy-leader animate-draw-y"
        style={delayed(start, { gridColumn: column, gridRow: `3 / ${facts.length + 3}` })}
      />
      {placed.map((place) => (
        <Branch key={place.row} {...place} />
      ))}
      <dl className="contents">
        {placed.map((place) => (
          <FactRow key={place.row} {...place} />
        ))}
      </dl>
    </div>
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
  /** What the check mark means: below it if there is room beside the facts, otherwise above the number. */
  readonly verdict?: readonly Fact[];
  readonly className?: string;
}

/**
 * The anatomy of a number: its parts set apart in monospace, a thin line from each to its facts, and a check mark.
 * Drawn once when it appears (never with reduced motion); change its `key` to redraw it. Font size follows the
 * available width.
 */
export function Anatomy({ parts, verdict, className }: AnatomyProps) {
  const rows = rowsOf(parts);
  const columns = parts.length;
  const characters = parts.reduce((sum, { digits }) => sum + digits.length, 0);
  const crossed = parts.some(({ wrong }) => wrong);
  const typed = characters * KEYSTROKE + 80;
  const drawn = typed + rows.length * STEP;
  const starts = parts.map((_, at) => parts.slice(0, at).reduce((sum, { digits }) => sum + digits.length, 0));
  const placed = rows.map(({ fact, part, last }, at) => ({
    fact,
    last,
    row: at + 4,
    from: part + 1,
    to: columns,
    delay: typed + at * STEP,
  }));
  // Parts are one character apart, and the tick takes two.
  const width = { "--characters": characters + columns + 1 } as CSSProperties;

  return (
    <div className={clsx("@container", verdict !== undefined && "anatomy-judged", className)} style={width}>
      <div
        className="grid justify-start"
        style={{ gridTemplateColumns: `repeat(${columns}, auto) minmax(var(--verdict, 0px), 1fr)` }}
      >
        <p className="sr-only">{parts.map(({ digits }) => digits).join(" ")}</p>
        {parts.map(({ digits, wrong = false }, part) => (
          <PartDrawing
            key={part}
            digits={digits}
            wrong={wrong}
            column={part + 1}
            lastRow={rows.findIndex((row) => row.part === part && row.last)}
            start={starts[part]! * KEYSTROKE}
            typed={typed}
          />
        ))}
        <Tick crossed={crossed} delay={drawn} style={{ gridColumn: columns + 1 }} />
        {placed.map((place, at) => (
          <Branch key={at} {...place} />
        ))}
        <dl className="contents">
          {placed.map((place, at) => (
            <FactRow key={at} {...place} beside={verdict !== undefined && at < verdict.length} />
          ))}
        </dl>
        {verdict !== undefined && <Verdict facts={verdict} column={columns + 1} start={drawn} />}
      </div>
    </div>
  );
}
