import type { ReactNode } from "react";

interface EmptyStateProps {
  /** A heading element of the right level: `<h2>No calls yet</h2>`. */
  title: ReactNode;
  /** What to do about it. */
  children: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
  /** An example of what to do. */
  example?: ReactNode;
}

/** Replaces an empty list. */
export function EmptyState({ title, children, actions, example }: EmptyStateProps) {
  return (
    <div className="rounded-lg border border-dashed border-edge px-5 py-8 sm:px-8">
      <div className="text-lg font-medium text-ink">{title}</div>
      <p className="mt-1 max-w-[34rem] text-soft">{children}</p>
      {example && <div className="mt-5 max-w-[44rem]">{example}</div>}
      {actions && <div className="mt-5 flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
