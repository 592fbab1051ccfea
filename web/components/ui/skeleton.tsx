import type { ReactNode } from "react";
import { clsx } from "clsx";

/** A gray placeholder for loading content. Give it the content's height and width. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <div aria-hidden="true" className={clsx("h-4 animate-pulse rounded-sm bg-line", className)} />;
}

/** A loading part of the dashboard, whatever it will show: rows of 60 pixels, or higher ones to fill its class's height. */
export function RowsSkeleton({ rows, className }: { rows: number; className?: string | undefined }) {
  return (
    <div
      aria-hidden="true"
      className={clsx("grid auto-rows-fr divide-y divide-line rounded-lg border border-line bg-surface", className)}
    >
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

export interface LoadingProps {
  /** Announced while the skeletons are shown: "Loading keys". */
  label: string;
  className?: string | undefined;
  /** `Skeleton`s. */
  children: ReactNode;
}

/** Indicates loading, visually with skeletons and to screen readers in words. */
export function Loading({ label, className, children }: LoadingProps) {
  return (
    <div aria-busy="true" className={className}>
      <output className="sr-only">{label}</output>
      {children}
    </div>
  );
}
