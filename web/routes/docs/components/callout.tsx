import type { ReactNode } from "react";
import { Info, TriangleAlert } from "lucide-react";
import { clsx } from "clsx";

export interface CalloutProps {
  /** warning: something breaks or leaks when it is not heeded. */
  type?: "note" | "warning";
  /** In place of "Note" or "Warning". */
  title?: string;
  children: ReactNode;
}

/** Something beside the text that must not be overlooked. */
export function Callout({ type = "note", title, children }: CalloutProps) {
  const warning = type === "warning";
  const Icon = warning ? TriangleAlert : Info;
  return (
    <div
      role="note"
      className={clsx(
        "rounded-md border px-4 py-3.5",
        warning ? "border-possible/35 bg-possible-wash" : "border-line bg-surface",
      )}
    >
      <p className={clsx("flex items-center gap-2 text-sm font-medium", warning ? "text-possible" : "text-ink")}>
        <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
        {title ?? (warning ? "Warning" : "Note")}
      </p>
      <div className="doc-flow mt-1.5">{children}</div>
    </div>
  );
}
