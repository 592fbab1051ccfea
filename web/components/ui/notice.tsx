import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import { clsx } from "clsx";
import type { ReactNode } from "react";

/** A message from the page that led here: `done` after a success. */
export function Notice({ kind, children }: { kind: "done" | "ended"; children: ReactNode }) {
  return (
    <output className="flex gap-3 rounded-md border border-line bg-surface px-4 py-3">
      {kind === "done" ? (
        <CircleCheck aria-hidden="true" className="mt-1 size-4 shrink-0" strokeWidth={1.75} />
      ) : (
        <Info aria-hidden="true" className="mt-1 size-4 shrink-0 text-muted" strokeWidth={1.75} />
      )}
      {children}
    </output>
  );
}

/**
 * Why something failed, where the eye is. Keep it on the page: a text that comes later is read out. Without one, it
 * takes no room, not even a gap.
 */
export function Failure({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div role="alert" className={clsx("empty:absolute", className)}>
      {children && (
        <p className="flex gap-3 rounded-md border border-invalid bg-invalid-wash px-4 py-3">
          <CircleAlert aria-hidden="true" className="mt-1 size-4 shrink-0 text-invalid" strokeWidth={1.75} />
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}
