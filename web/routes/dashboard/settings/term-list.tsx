import type { ReactNode } from "react";

/** Names and values, a hairline between them. */
export function TermList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line rounded-lg border border-line bg-surface">{children}</dl>;
}

/** One of them. */
export function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-1 px-5 py-3.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="label leading-6">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{children}</dd>
    </div>
  );
}
