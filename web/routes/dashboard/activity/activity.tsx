import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { InfiniteData } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { ActivityPage } from "../../../../contract/activity.ts";
import { Banner } from "../../../components/dashboard/banner.tsx";
import { EmptyState, GhostRows } from "../../../components/dashboard/empty-state.tsx";
import { NoCalls } from "../../../components/dashboard/first-call.tsx";
import { focusHeading, PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { formatCount } from "../../../../contract/format.ts";
import { formatTime } from "../../../lib/format.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { queries } from "../../../lib/queries.ts";
import { useMinute } from "../../../lib/use-minute.ts";
import { CallsSummary } from "./calls-summary.tsx";
import { Calls } from "./calls.tsx";
import { Filters, FILTERS_ID } from "./filter-form.tsx";
import { EVERYTHING, noneOf, queryOf, useActivityChoice } from "./filters.ts";
import type { ActivityChoice } from "./filters.ts";
import { labelsOf } from "./key-label.ts";
import type { KeyLabel } from "./key-label.ts";

/** How often the list refreshes, in milliseconds. */
const REFRESH_MS = 5_000;

/** Calls that exceeded a rate limit are counted, not listed. */
function RateLimited({ minutes }: { minutes: ActivityPage["rate_limited"] }) {
  if (minutes.length === 0) return null;
  const all = minutes.reduce((sum, { count }) => sum + count, 0);
  const { minute } = minutes[0]!;
  return (
    <Banner
      tone="possible"
      className="mb-4"
      title={
        <>
          At least {formatCount(all, "call")} exceeded a{" "}
          <TextLink to="/docs/errors#error-rate_limited">rate limit</TextLink>
        </>
      }
    >
      {minutes.length === 1 ? "On " : `Over ${formatCount(minutes.length, "minute")}, most recently `}
      <time dateTime={minute} title={minute} className="tabular-nums">
        {formatTime(Date.parse(minute))}
      </time>
    </Banner>
  );
}

interface NothingProps {
  readonly choice: ActivityChoice;
  readonly names: ReadonlyMap<string, KeyLabel>;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function Nothing({ choice, names, isFiltered, onClear }: NothingProps) {
  if (!isFiltered) return <NoCalls title="No calls yet" effect="appears here" ghost={<GhostRows />} />;
  return (
    <EmptyState
      title={<h2>{noneOf(choice, names)}</h2>}
      actions={
        <Button variant="secondary" onClick={onClear}>
          Clear filters
        </Button>
      }
      ghost={choice.request === "" && <GhostRows />}
    >
      {choice.request === ""
        ? "Activity is sampled, so some calls may not appear."
        : "The ID is unknown, or the call is too old or wasn’t sampled."}
    </EmptyState>
  );
}

export const meta = () =>
  accountPageMeta("Activity", "/dashboard/activity", "Recent calls from your API keys, with errors.");

export default function ActivityPageView() {
  const { choice, choose } = useActivityChoice();
  const [isLive, setLive] = useState(true);
  const [isOpen, setOpen] = useState(false);
  const minute = useMinute();
  const [now, setNow] = useState(minute);
  const { data: listed } = useQuery(queries.keys);
  const names = labelsOf(listed?.keys);
  // Older pages would shift while being read. Without data, a refetch would hide the error.
  const mayMove = (data: { readonly pages: readonly unknown[] } | undefined) => isLive && data?.pages.length === 1;
  const query = useInfiniteQuery({
    ...queries.activity(queryOf(choice, now)),
    refetchInterval: ({ state: { data } }) => mayMove(data) && REFRESH_MS,
    placeholderData: (before: InfiniteData<ActivityPage, string | undefined> | undefined) => before,
  });
  // "The last hour" moves on with the list. A new query would restart at the first page.
  if (now !== minute && mayMove(query.data) && !query.isFetchingNextPage) setNow(minute);
  function chooseNow(change: Partial<ActivityChoice>): void {
    setNow(minute);
    choose(change);
  }
  const filterCount = Object.values(choice).filter((value) => value !== "").length;
  const isFiltered = filterCount > 0;
  // Deferred with the list, so that nothing moves before it is drawn.
  const first = useDeferredValue(query.data?.pages[0]);
  // Nothing was filtered out, so that there is nothing to filter.
  const isUnused = !isFiltered && first?.calls.length === 0 && first.rate_limited.length === 0;
  return (
    <>
      <PageHeading
        actions={
          <>
            {!query.isLoadingError && (
              <Button variant="secondary" size="sm" aria-pressed={isLive} onClick={() => setLive(!isLive)}>
                <span
                  aria-hidden="true"
                  className={`size-2 rounded-full border ${isLive ? "border-ink bg-ink forced-colors:bg-[ButtonText]" : "border-muted"}`}
                />
                Auto-refresh
                {/* Announced as the button's state. */}
                <span aria-hidden="true" className="font-normal text-muted">
                  {isLive ? "On" : "Off"}
                </span>
              </Button>
            )}
            {!isUnused && (
              <Button
                variant="secondary"
                size="sm"
                aria-expanded={isOpen}
                aria-controls={FILTERS_ID}
                className="sm:hidden"
                onClick={() => setOpen(!isOpen)}
              >
                Filters
                {isFiltered && <span className="font-normal text-muted">{filterCount}</span>}
              </Button>
            )}
          </>
        }
      />
      {!isUnused && <Filters isOpen={isOpen} choice={choice} names={names} onChoose={chooseNow} />}
      <QueryState query={query} what="activity" rows={8}>
        {({ pages }) => {
          const calls = pages.flatMap((page) => page.calls);
          return (
            <>
              {/* 429s: no other response or request ID selects them. */}
              {["", "4xx", "429"].includes(choice.status) && choice.request === "" && (
                <RateLimited minutes={pages[0]!.rate_limited} />
              )}
              {calls.length === 0 ? (
                <Nothing
                  choice={choice}
                  names={names}
                  isFiltered={isFiltered}
                  onClear={() => {
                    choose(EVERYTHING);
                    // The button is gone by then.
                    focusHeading();
                  }}
                />
              ) : (
                <>
                  <CallsSummary calls={calls} />
                  <Calls calls={calls} names={names} />
                </>
              )}
              {query.hasNextPage && (
                <Button
                  variant="secondary"
                  className="mt-4"
                  busy={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Show older calls
                </Button>
              )}
            </>
          );
        }}
      </QueryState>
    </>
  );
}
