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
