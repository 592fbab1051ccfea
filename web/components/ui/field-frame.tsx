import { useId } from "react";
import type { ReactNode } from "react";
import { clsx } from "clsx";

/** What every form control has around it. */
export interface FieldTexts {
  label: ReactNode;
  /** Shows no label; it stays the accessible name. */
  hideLabel?: boolean | undefined;
  /** Help below the control. */
  hint?: ReactNode;
  /** What is wrong with the value, shown in place of the hint and read out when it appears. */
  error?: ReactNode;
  /** Beside the label, at the end of its line: "Optional", a link. */
  aside?: ReactNode;
}

/** The ids that tie a control to its label, hint and error, and the attributes that do it. */
export function useFieldIds(given: string | undefined, { hint, error }: Pick<FieldTexts, "hint" | "error">) {
  const made = useId();
  const id = given ?? made;
  const note = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return { id, control: { id, "aria-describedby": note, "aria-invalid": error ? true : undefined } };
}

export const CONTROL = clsx(
  "block min-h-11 w-full rounded-md border border-edge bg-surface px-3 py-2 text-base text-ink",
  // iOS zooms into anything smaller than 16 px.
  "pointer-coarse:text-[1rem]",
  "transition-colors duration-(--duration-quick) placeholder:text-muted hover:border-muted aria-invalid:border-invalid",
  "focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-45 [&[readonly]]:bg-sunken",
);

/** Label, control, and below them the error or the hint. */
export function FieldFrame({
  id,
  label,
  hideLabel,
  hint,
  error,
  aside,
  className,
  children,
}: FieldTexts & { id: string; className?: string | undefined; children: ReactNode }) {
  return (
    <div className={clsx("min-w-0", className)}>
      <div className={clsx("flex items-baseline justify-between gap-4", hideLabel && !aside ? "sr-only" : "mb-1.5")}>
        <label htmlFor={id} className={clsx("text-sm font-medium text-ink", hideLabel && "sr-only")}>
          {label}
        </label>
        {aside && <div className="shrink-0 text-sm text-muted">{aside}</div>}
      </div>
      {children}
      {hint && !error && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
      {/* Always there, so that an error that comes later is announced. */}
      <div aria-live="polite">
        {error && (
          <p id={`${id}-error`} className="mt-1.5 text-sm text-invalid">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}
