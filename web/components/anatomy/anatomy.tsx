import { clsx } from "clsx";
import type { CSSProperties } from "react";
import type { Fact, Part } from "./anatomy-of.ts";
import { Branch, FactRow } from "./fact-row.tsx";
import { PartDrawing } from "./part-drawing.tsx";
import { Tick } from "./tick.tsx";
import { KEYSTROKE, STEP } from "./timing.ts";
import { Verdict } from "./verdict.tsx";

interface Row {
  readonly fact: Fact;
  /** Which part it belongs to, from 0. */
  readonly part: number;
  /** Whether the part's line ends here. */
  readonly last: boolean;
}

/** Facts from top to bottom: those of the last part come first, so that no line crosses another. */
function rowsOf(parts: readonly Part[]): Row[] {
  return parts
    .flatMap(({ facts }, part) => facts.map((fact, at) => ({ fact, part, last: at === facts.length - 1 })))
    .toSorted((a, b) => b.part - a.part);
}

interface Props {
  readonly parts: readonly Part[];
  /** What the tick stands for; shown where there is room beside the facts. */
  readonly verdict?: readonly Fact[];
  readonly className?: string;
}

/**
 * The anatomy of a number: its parts set apart in monospace, a thin line from each to what it tells, and a tick. It is drawn once when it
 * appears (never with reduced motion); give it a `key` to have it drawn again. Font size comes from the width it has.
 */
export function Anatomy({ parts, verdict, className }: Props) {
  const rows = rowsOf(parts);
  const columns = parts.length;
  const characters = parts.reduce((sum, { digits }) => sum + digits.length, 0);
  const typed = characters * KEYSTROKE + 80;
  const drawn = typed + rows.length * STEP;
  const starts = parts.map((_, at) => parts.slice(0, at).reduce((sum, { digits }) => sum + digits.length, 0));
  const placed = rows.map(({ fact, part, last }, at) => ({
    fact,
    last,
    row: at + 3,
    from: part + 1,
    to: columns,
    delay: typed + at * STEP,
  }));
  // Parts stand one character apart, and the tick takes two.
  const width = { "--characters": characters + columns + 1 } as CSSProperties;

  return (
    <div className={clsx("@container", className)} style={width}>
      <div className="grid justify-start" style={{ gridTemplateColumns: `repeat(${columns}, auto) minmax(0, 1fr)` }}>
        <p className="sr-only">{parts.map(({ digits }) => digits).join(" ")}</p>
        {parts.map(({ digits }, part) => (
          <PartDrawing
            key={part}
            digits={digits}
            column={part + 1}
            lastRow={rows.findIndex((row) => row.part === part && row.last)}
            start={starts[part]! * KEYSTROKE}
            typed={typed}
          />
        ))}
        <Tick className="anatomy-tick" delay={drawn} style={{ gridColumn: columns + 1 }} />
        {placed.map((place, at) => (
          <Branch key={at} {...place} />
        ))}
        <dl className="contents">
          {placed.map((place, at) => (
            <FactRow key={at} {...place} />
          ))}
        </dl>
        {verdict !== undefined && <Verdict facts={verdict} column={columns + 1} start={drawn} />}
      </div>
    </div>
  );
}
