import type { ReactNode } from "react";
import { RowsSkeleton, Skeleton } from "../ui/skeleton.tsx";

const CARDS = (
  <div aria-hidden="true" className="@container mb-8">
    <div className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line @2xl:grid-cols-4">
      {["a", "b", "c", "d"].map((card) => (
        <div key={card} className="flex min-h-29 flex-col gap-4 bg-surface p-4 sm:p-5">
          <Skeleton className="w-1/3" />
          <Skeleton className="w-1/2" />
        </div>
      ))}
    </div>
  </div>
);

/** By the part of the address after /dashboard: roughly what the page is going to be. */
const SHAPES: Readonly<Record<string, ReactNode>> = {
  "": [CARDS, <RowsSkeleton key="keys" rows={4} />],
  bulk: <RowsSkeleton rows={1} className="min-h-96" />,
  activity: <RowsSkeleton rows={8} />,
  reports: [CARDS, <RowsSkeleton key="chart" rows={1} className="min-h-96" />],
  settings: [<Skeleton key="tabs" className="mb-8 h-10" />, <RowsSkeleton key="terms" rows={4} />],
};

/** A dashboard page while its session or its first data loads. */
export function PageSkeleton({ section }: { section: string }) {
  return SHAPES[section];
}
