import { clsx } from "clsx";
import type { Part } from "./anatomy-of.ts";
import { Anatomy } from "./anatomy.tsx";

const BLANKS: readonly Part[] = [
  { digits: "+··", facts: [{ label: "Country", value: "–" }] },
  { digits: "··", facts: [{ label: "Area", value: "–" }] },
  {
    digits: "····· ····",
    facts: [
      { label: "Carrier", value: "–" },
      { label: "Line type", value: "–" },
    ],
  },
];

interface AnatomyGhostProps {
  readonly parts?: readonly Part[];
  /** Struck through: there is no such thing. */
  readonly struck?: boolean;
  readonly className?: string;
}

/** The anatomy's placeholder: reserves space until there is a number, or shows that there is none. */
export function AnatomyGhost({ parts = BLANKS, struck = false, className }: AnatomyGhostProps) {
  return (
    <div aria-hidden="true" className={clsx("anatomy-ghost", struck && "anatomy-struck", className)}>
      <Anatomy parts={parts} />
    </div>
  );
}
