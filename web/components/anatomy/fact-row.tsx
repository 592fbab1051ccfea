import { clsx } from "clsx";
import type { Fact } from "./anatomy-of.ts";
import { delayed } from "./timing.ts";

export interface Placed {
  /** Its grid row, from 1. */
  readonly row: number;
  /** The grid column of the part that tells it, and the one where all facts begin. */
  readonly from: number;
  readonly to: number;
  /** Whether the part's line ends here. */
  readonly last: boolean;
  /** Milliseconds until it is drawn. */
  readonly delay: number;
}

const TONES = { known: "text-ink", unknown: "text-muted", doubt: "text-possible" } as const;

/** The branch from a part's line to one of its facts. It runs to where the facts' column begins, and a little further. */
export function Branch({ row, from, to, last, delay }: Placed) {
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

/** One fact, at the end of its branch. */
export function FactRow({ fact: { label, value, note, tone }, row, to, delay }: Placed & { fact: Fact }) {
  return (
    <div
      className="anatomy-fact animate-appear"
      style={delayed(delay + 120, { gridColumn: `${to} / -1`, gridRow: row })}
    >
      <dt className="label">{label}</dt>
      <dd className={clsx("font-medium", TONES[tone ?? "known"])}>
        {value}
        {note !== undefined && <span className="anatomy-note">{note}</span>}
      </dd>
    </div>
  );
}
