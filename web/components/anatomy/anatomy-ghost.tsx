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
  /** Struck through: what was asked for leads nowhere. */
  readonly struck?: boolean;
  readonly className?: string;
}

/** The anatomy's empty form: holds its place until there is a number, or says that there is none. */
export function AnatomyGhost({ parts = BLANKS, struck = false, className }: AnatomyGhostProps) {
  return (
    <div aria-hidden="true" className={clsx("anatomy-ghost", struck && "anatomy-struck", className)}>
      <Anatomy parts={parts} />
    </div>
  );
}
