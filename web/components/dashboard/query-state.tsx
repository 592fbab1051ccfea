import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import { useDeferredValue } from "react";
import type { ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { failureMessage } from "../../lib/api/failure.ts";
import { Button } from "../ui/button.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";

interface FailureNoticeProps {
  /** What failed: "Couldn’t load your keys". */
  title: string;
  error: unknown;
  onRetry: () => void;
  /** It is being retried. */
  busy?: boolean | undefined;
}

/** Replaces what could not be loaded: what happened, and a retry button. */
function FailureNotice({ title, error, onRetry, busy }: FailureNoticeProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-lg border border-line bg-surface p-5"
    >
      <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
        <CircleAlert aria-hidden="true" strokeWidth={1.5} className="mt-0.5 size-5 shrink-0 text-invalid" />
        <div className="min-w-0">
          <p className="font-medium text-ink">{title}</p>
          <p className="text-sm text-soft">{failureMessage(error, "Something went wrong. Try again in a moment.")}</p>
        </div>
      </div>
      <Button variant="secondary" size="sm" busy={busy} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

interface QueryStateProps<T> {
  /** What `useQuery` returned. */
  query: Pick<UseQueryResult<T>, "data" | "error" | "isFetching" | "refetch">;
  /** What is loading, to follow "Loading" and "Couldn’t load": "keys". */
  what: string;
  /** `Skeleton`s in the shape of the data. */
  skeleton: ReactNode;
  /** Shows the data. */
  children: (data: T) => ReactNode;
  className?: string | undefined;
}

/** Skeletons while loading, a readable failure with a retry, or the data. Old data survives a failed refresh. */
export function QueryState<T>({ query, what, skeleton, children, className }: QueryStateProps<T>) {
  const { data, error, isFetching } = query;
  // Deferred, so that React draws the data in small steps that a press can come between.
  const isShown = useDeferredValue(data !== undefined);
  function retry() {
    void query.refetch();
  }
  if (data === undefined || !isShown) {
    if (error === null) {
      return (
        <Loading label={`Loading ${what}`} className={className}>
          {skeleton}
        </Loading>
      );
    }
    return (
      <div className={className}>
        <FailureNotice title={`Couldn’t load ${what}`} error={error} onRetry={retry} busy={isFetching} />
      </div>
    );
  }
  return (
    <div className={className}>
      {error !== null && (
        <output className="mb-3 block text-sm text-muted">
          Not up to date: {failureMessage(error, "the last refresh failed.")}{" "}
          <button type="button" onClick={retry} aria-disabled={isFetching} className="text-link text-ink">
            Try again
          </button>
        </output>
      )}
      {children(data)}
    </div>
  );
}

/** The outline of a loading list or table. */
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
