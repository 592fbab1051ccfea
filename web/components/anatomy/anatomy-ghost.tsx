import { clsx } from "clsx";
import { Anatomy } from "./anatomy.tsx";
import type { Part } from "./anatomy-of.ts";

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

/** The anatomy's empty form: holds its place until there is a number to take apart. */
export function AnatomyGhost({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={clsx("anatomy-ghost", className)}>
      <Anatomy parts={BLANKS} />
    </div>
  );
}
