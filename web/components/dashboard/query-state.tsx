import type { ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { failureMessage } from "../../lib/api/failure.ts";
import { Loading } from "../ui/skeleton.tsx";
import { FailureNotice } from "./failure-notice.tsx";

export interface QueryStateProps<T> {
  /** What `useQuery` returned. */
  query: Pick<UseQueryResult<T>, "data" | "error" | "isFetching" | "refetch">;
  /** What is read, to go after "Loading" and "Could not load": "keys". */
  what: string;
  /** `Skeleton`s in the shape of what will stand here. */
  skeleton: ReactNode;
  /** Shows the data. */
  children: (data: T) => ReactNode;
  className?: string | undefined;
}

/** Skeletons while something is read, a readable failure with a way to try again, or the data. Old data outlive a failed refresh. */
export function QueryState<T>({ query, what, skeleton, children, className }: QueryStateProps<T>) {
  const { data, error, isFetching } = query;
  function retry() {
    void query.refetch();
  }
  if (data === undefined) {
    if (error === null) {
      return (
        <Loading label={`Loading ${what}`} className={className}>
          {skeleton}
        </Loading>
      );
    }
    return (
      <div className={className}>
        <FailureNotice title={`Could not load ${what}`} error={error} onRetry={retry} busy={isFetching} />
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
