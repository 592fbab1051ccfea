import type { ReactNode } from "react";
import { clsx } from "clsx";

/** A gray placeholder for loading content. Give it the content's height and width. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <div aria-hidden="true" className={clsx("h-4 animate-pulse rounded-sm bg-line", className)} />;
}

/** The outline of a loading card, with a few lines. Give it the card's height. */
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
