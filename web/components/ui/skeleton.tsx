import type { ReactNode } from "react";
import { clsx } from "clsx";

/** A grey place for something on its way. Give it the height and width of what will stand there. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <div aria-hidden="true" className={clsx("h-4 animate-pulse rounded-sm bg-line", className)} />;
}

/** The outline of a card on its way, with a few lines within. Give it the height of the card. */
export function CardSkeleton({ className }: { className?: string | undefined }) {
  return (
    <div
      aria-hidden="true"
      className={clsx("grid content-start gap-4 rounded-lg border border-line bg-surface p-5", className)}
    >
      <Skeleton className="w-1/4" />
      <Skeleton className="w-3/5" />
      <Skeleton className="w-2/5" />
    </div>
  );
}

/** The outline of a list or table on its way. */
export function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-hidden="true" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex min-h-15 items-center justify-between gap-6 px-5 py-3">
          <Skeleton className="w-2/5" />
          <Skeleton className="w-1/6 max-sm:hidden" />
          <Skeleton className="w-1/6" />
        </div>
      ))}
    </div>
  );
}

/** A bar a day on its way. Give it the height of the chart, and as `bg-size` the share of a bar. */
export function BarsSkeleton({ className }: { className: string }) {
  return (
    <div
      aria-hidden="true"
      className={clsx("animate-pulse bg-[linear-gradient(90deg,var(--line)_60%,transparent_0)]", className)}
    />
  );
}

export interface LoadingProps {
  /** Read out while the skeletons stand: "Loading keys". */
  label: string;
  className?: string | undefined;
  /** `Skeleton`s. */
  children: ReactNode;
}

/** Says that something loads, to eyes by skeletons and to ears in words. */
export function Loading({ label, className, children }: LoadingProps) {
  return (
    <div aria-busy="true" className={className}>
      <output className="sr-only">{label}</output>
      {children}
    </div>
  );
}
