import { delayed, KEYSTROKE } from "./timing.ts";

interface Props {
  readonly digits: string;
  /** Its grid column, from 1. */
  readonly column: number;
  /** The row of the part's last fact, from 0. */
  readonly lastRow: number;
  /** Milliseconds until its first character is typed, and until the whole number has been. */
  readonly start: number;
  readonly typed: number;
}

/** One part of the number, the bar under it, and the line that leads down to its facts. */
export function PartDrawing({ digits, column, lastRow, start, typed }: Props) {
  return (
    <>
      <span aria-hidden="true" className="anatomy-digits" style={{ gridColumn: column }}>
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
        style={delayed(typed + 60, { gridColumn: column, gridRow: `2 / ${lastRow + 3}` })}
      />
    </>
  );
}
