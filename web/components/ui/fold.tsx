import type { ReactNode } from "react";
import { Cross } from "./cross.tsx";

/** A bar between hairlines that opens what is below it, with and without a script. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group border-y border-line">
      <summary className="flex min-h-12 items-center justify-between text-base font-medium text-ink">
        {title}
        <Cross />
      </summary>
      {children}
    </details>
  );
}
