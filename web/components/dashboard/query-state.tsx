import { useDeferredValue } from "react";
import type { ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { ApiFailure, failureMessage, Unreachable } from "../../lib/api/failure.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Loading, RowsSkeleton } from "../ui/skeleton.tsx";
import { Banner } from "./banner.tsx";

/** The id of the failed request, for a message to support. */
export function FailedRequest({ error }: { error: unknown }) {
  if (!(error instanceof ApiFailure) || error.requestId === null) return null;
  return (
    <span className="mt-1 flex items-center gap-1 text-sm text-muted">
      <span>
        Request ID <code className="font-mono text-xs wrap-anywhere">{error.requestId}</code>
      </span>
      <CopyButton text={error.requestId} label="Copy request ID" className="-my-2" />
    </span>
  );
}

interface QueryStateProps<T> {
  /** What `useQuery` returned. */
  query: Pick<UseQueryResult<T>, "data" | "error" | "isFetching" | "refetch">;
  /** What is loading, to follow "Loading" and "Couldn’t load": "keys". */
  what: string;
  /** How many rows the skeleton has. If something is below the data, they should be as high. */
  rows?: number;
  /** For the skeleton, if its rows' height isn't the data's. */
  skeletonClass?: string | undefined;
  /** Replaces the rows. */
  skeleton?: ReactNode;
  /** Shows the data. */
  children: (data: T) => ReactNode;
  className?: string | undefined;
}

/** A skeleton while loading, a readable failure with a retry, or the data. Old data survives a failed refresh. */
export function QueryState<T>({
  query,
  what,
  rows = 1,
  skeletonClass,
  skeleton,
  children,
  className,
}: QueryStateProps<T>) {
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
          {skeleton ?? <RowsSkeleton rows={rows} className={skeletonClass} />}
        </Loading>
      );
    }
    return (
      <div className={className}>
        <Banner
          role="alert"
          tone={error instanceof Unreachable ? "possible" : "invalid"}
          title={`Couldn’t load ${what}`}
          actions={
            <Button variant="secondary" size="sm" busy={isFetching} onClick={retry}>
              Try again
            </Button>
          }
        >
          {failureMessage(error, "Something went wrong. Try again in a moment.")}
          <FailedRequest error={error} />
        </Banner>
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
