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
  /** What will be here, without content, beside it on wide screens. */
  ghost?: ReactNode;
}

/** Days without figures, in place of a chart. */
export function GhostChart() {
  return (
    <div className="flex h-44 items-end gap-2 border-b border-edge">
      {[38, 52, 47, 61, 22, 18, 56, 64, 58, 71, 33, 25, 68, 82].map((height, at) => (
        <span key={at} className="flex-1 rounded-t-xs bg-line" style={{ height: `${height}%` }} />
      ))}
    </div>
  );
}

/** Calls without content, in place of a list. */
export function GhostRows() {
  return (
    <div className="divide-y divide-line rounded-md border border-line">
      {[60, 45, 70, 50, 62].map((width, at) => (
        <div key={at} className="flex h-10 items-center gap-4 px-4">
          <span className="h-2 w-10 rounded-full bg-line" />
          <span className="h-4 w-8 rounded-sm border border-line" />
          <span className="h-2 rounded-full bg-line" style={{ width: `${width / 2}%` }} />
        </div>
      ))}
    </div>
  );
}

/** Replaces an empty list. */
export function EmptyState({ title, children, actions, example, ghost }: EmptyStateProps) {
  return (
    <div className="grid gap-x-12 rounded-lg border border-dashed border-edge px-5 py-8 sm:px-8 xl:grid-cols-[minmax(0,1fr)_18rem]">
      <div className="min-w-0">
        <div className="text-lg font-medium text-ink">{title}</div>
        <p className="mt-1 max-w-[34rem] text-soft">{children}</p>
        {example && <div className="mt-5">{example}</div>}
        {actions && <div className="mt-5 flex flex-wrap gap-2">{actions}</div>}
      </div>
      {ghost && (
        <div aria-hidden="true" className="max-xl:hidden print:hidden">
          {ghost}
        </div>
      )}
    </div>
  );
}
