import type { Fact } from "./anatomy-of.ts";
import { Branch, FactRow } from "./fact-row.tsx";
import { delayed, STEP } from "./timing.ts";

interface Props {
  readonly facts: readonly Fact[];
  /** The tick's grid column. */
  readonly column: number;
  /** Milliseconds until the first of it is drawn. */
  readonly start: number;
}

/** What the tick stands for, drawn below it as facts are below their part. */
export function Verdict({ facts, column, start }: Props) {
  const placed = facts.map((fact, at) => ({
    fact,
    last: at === facts.length - 1,
    row: at + 3,
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
        style={delayed(start, { gridColumn: column, gridRow: `2 / ${facts.length + 2}` })}
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
