import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import type { ReactNode } from "react";

/** A message from the page that led here: `done` after a success. */
export function Notice({ kind, children }: { kind: "done" | "ended"; children: ReactNode }) {
  return (
    <output className="flex gap-3 rounded-md border border-line bg-surface px-4 py-3">
      {kind === "done" ? (
        <CircleCheck aria-hidden="true" className="mt-1 size-4 shrink-0 text-signal" strokeWidth={1.75} />
      ) : (
        <Info aria-hidden="true" className="mt-1 size-4 shrink-0 text-muted" strokeWidth={1.75} />
      )}
      {children}
    </output>
  );
}
