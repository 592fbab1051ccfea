import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { InfiniteData } from "@tanstack/react-query";
import { memo, useState } from "react";
import type { ActivityCall, ActivityPage } from "../../../../contract/activity.ts";
import { DASHBOARD_KEY_ID } from "../../../../contract/keys.ts";
import { SANDBOX_FAILURES } from "../../../../contract/sandbox.ts";
import { clsx } from "clsx";
import { Banner } from "../../../components/dashboard/banner.tsx";
import { EmptyState } from "../../../components/dashboard/empty-state.tsx";
import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { QueryState, RowsSkeleton } from "../../../components/dashboard/query-state.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, ButtonLink } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { formatCount } from "../../../lib/format-count.ts";
import { countryName, formatDate, formatTime } from "../../../lib/format.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { queries } from "../../../lib/queries.ts";
import { useMinute } from "../../../lib/use-minute.ts";
import { EVERYTHING, queryOf, useActivityChoice } from "./filters.ts";
import type { ActivityChoice } from "./filters.ts";

/** How often the list refreshes, in milliseconds. */
const REFRESH_MS = 5_000;
const FIRST_FILTER = "activity-key";

/** In the reader's time zone: a time's title has it in UTC. */
const TIME = new Intl.DateTimeFormat("en-US", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

const OPERATIONS: Readonly<Record<string, string>> = {
  verify: "Verify",
  verifyAlias: "Verify",
  verifyBatch: "Batch",
  verifyStream: "Stream",
  mcp: "MCP",
  verifyFromDashboard: "Bulk check",
  quota: "Quota",
};

/** Where the documentation explains an error. */
function docsOf(code: string): string {
  if (SANDBOX_FAILURES.some(({ name }) => name === code)) return "/docs/sandbox";
  return `/docs/api-reference#error-${code.toLowerCase()}`;
}

function What({ call }: { call: ActivityCall }) {
  const about = call.numbers === 1 ? call.country && countryName(call.country) : formatCount(call.numbers, "number");
  return (
    <>
      {OPERATIONS[call.operation] ?? call.operation}
      {call.numbers > 0 && about && <span className="text-muted">, {about}</span>}
    </>
  );
}

function StatusBadge({ call: { status } }: { call: ActivityCall }) {
  return <Badge tone={status >= 400 ? "invalid" : "neutral"}>{status}</Badge>;
}

/** The code of an error, which leads to its explanation. */
function ErrorCode({ call: { code }, className }: { call: ActivityCall; className?: string }) {
  if (code === null) return null;
  return (
    <TextLink to={docsOf(code)} className={clsx("font-mono text-xs", className)}>
      {code}
    </TextLink>
  );
}

function RequestId({ id }: { id: string }) {
  return (
    <span className="flex items-center gap-1">
      <code title={id} className="font-mono text-xs whitespace-nowrap">
        {`…${id.slice(-8)}`}
      </code>
      <CopyButton text={id} label={`Copy request ID ${id}`} className="-my-2" />
    </span>
  );
}

const CELL = "py-2! align-middle! text-sm whitespace-nowrap";
/** A separate column if there is room; otherwise below the time, … */
const HEAD = "hidden px-3! @2xl:table-cell";
const WIDE = `${HEAD} ${CELL}`;
/** … or below the call. */
const WIDER_HEAD = "hidden px-3! @4xl:table-cell";
const WIDER = `${WIDER_HEAD} ${CELL}`;

/** A key's name in lists. */
interface KeyLabel {
  readonly name: string;
  /** Its last characters; null for a revoked key and the dashboard's own. */
  readonly hint: string | null;
}

function withoutHint(name: string): KeyLabel {
  return { name, hint: null };
}

function textOf({ name, hint }: KeyLabel): string {
  return hint === null ? name : `${name} (…${hint})`;
}

/** Drawn once, although the list is read again every few seconds. */
const CallRow = memo(function CallRow({ call, apiKey }: { call: ActivityCall; apiKey: KeyLabel }) {
  const { at, request_id: id, duration_ms: took, data_center: place } = call;
  const duration = `${formatCount(took)} ms`;
  return (
    <tr data-call="">
      <Th scope="row" className="py-3! align-middle! font-normal! @2xl:py-2! @2xl:pr-3!">
        <span className="flex items-center justify-between gap-3">
          <time dateTime={at} title={at} className="text-sm whitespace-nowrap text-soft tabular-nums">
            {TIME.format(Date.parse(at))}
          </time>
          <span className="@2xl:hidden">
            <StatusBadge call={call} />
          </span>
        </span>
        <span className="mt-1 flex flex-wrap items-baseline gap-x-2 text-sm text-soft @2xl:hidden">
          <span>
            <What call={call} />
          </span>
          <ErrorCode call={call} className="wrap-anywhere" />
        </span>
        <span className="mt-0.5 flex items-center justify-between gap-3 text-sm text-muted @2xl:hidden">
          <span className="wrap-anywhere">
            {[apiKey.name, duration, place].filter((part) => part !== null).join(" · ")}
          </span>
          <RequestId id={id} />
        </span>
      </Th>
      <Td className={`${WIDE} w-px`}>
        <span className="flex items-center gap-x-2.5">
          <StatusBadge call={call} />
          <ErrorCode call={call} className="@max-4xl:hidden" />
        </span>
      </Td>
      <Td className={`${WIDE} @max-4xl:w-full @max-4xl:max-w-0`}>
        <span className="block truncate">
          <What call={call} />
          <ErrorCode call={call} className="ml-2.5 @4xl:hidden" />
        </span>
        <span className="block truncate text-muted @4xl:hidden">
          {apiKey.name} · {duration}
        </span>
      </Td>
      <Td title={textOf(apiKey)} className={`${WIDER} w-full max-w-0 truncate text-muted!`}>
        {textOf(apiKey)}
      </Td>
      <Td className={`${WIDER} tabular-nums`}>
        {duration}
        {place !== null && <span className="text-muted"> · {place}</span>}
      </Td>
      <Td className={WIDE}>
        <RequestId id={id} />
      </Td>
    </tr>
  );
});

/** The calls of each day, in the reader's time zone. */
function byDay(calls: readonly ActivityCall[]): ReadonlyMap<string, readonly ActivityCall[]> {
  return Map.groupBy(calls, ({ at }) => formatDate(at));
}

function Calls({ calls, names }: { calls: readonly ActivityCall[]; names: ReadonlyMap<string, KeyLabel> }) {
  return (
    <Card padding="none" className="@container">
      <Table hideCaption caption="Calls, newest first">
        {/* A lone column needs no name. */}
        <thead className="@max-2xl:hidden">
          <tr>
            <Th>Time</Th>
            <Th className={HEAD}>Response</Th>
            <Th className={HEAD}>Call</Th>
            <Th className={WIDER_HEAD}>Key</Th>
            <Th className={WIDER_HEAD}>Duration</Th>
            <Th className={HEAD}>Request</Th>
          </tr>
        </thead>
        {[...byDay(calls)].map(([day, ofDay]) => (
          <tbody key={day} className="not-last:[&_tr:last-child]:border-b!">
            <tr className="bg-sunken">
              <Th scope="rowgroup" colSpan={6} className="py-1.5! text-muted!">
                {day}
              </Th>
            </tr>
            {ofDay.map((call) => (
              <CallRow key={call.request_id} call={call} apiKey={names.get(call.key_id) ?? withoutHint(call.key_id)} />
            ))}
          </tbody>
        ))}
      </Table>
    </Card>
  );
}

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
          <TextLink to="/docs/api-reference#error-rate_limited">rate limit</TextLink>
        </>
      }
    >
      {minutes.length === 1 ? "On " : `In ${formatCount(minutes.length, "minute")}, last on `}
      <time dateTime={minute} title={minute} className="tabular-nums">
        {formatTime(Date.parse(minute))}
      </time>
    </Banner>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <EmptyState
      title={<h2>{isFiltered ? "No matching calls" : "No calls yet"}</h2>}
      actions={
        isFiltered ? (
          <Button variant="secondary" onClick={onClear}>
            Clear filters
          </Button>
        ) : (
          <ButtonLink to="/dashboard" variant="secondary">
            Go to API Keys
          </ButtonLink>
        )
      }
    >
      {isFiltered
        ? "Activity is sampled, so some calls may not appear."
        : "Calls you make with an API key show up here within seconds."}
    </EmptyState>
  );
}

interface FiltersProps {
  readonly choice: ActivityChoice;
  readonly names: ReadonlyMap<string, KeyLabel>;
  readonly onChoose: (change: Partial<ActivityChoice>) => void;
}

function Filters({ choice, names, onChoose }: FiltersProps) {
  const [request, setRequest] = useState(choice.request);
  // The address can change without this form: by going back, or by clearing the filters.
  const [shown, setShown] = useState(choice.request);
  if (shown !== choice.request) {
    setShown(choice.request);
    setRequest(choice.request);
  }
  const known =
    choice.key === "" || names.has(choice.key) ? names : new Map([...names, [choice.key, withoutHint(choice.key)]]);
  return (
    <form
      aria-label="Filters"
      className="mb-4 grid grid-cols-2 gap-3 print:hidden sm:grid-cols-3 xl:grid-cols-[repeat(3,minmax(0,1fr))_minmax(0,1.6fr)]"
      onSubmit={(event) => {
        event.preventDefault();
        if (request.trim() !== choice.request) onChoose({ request: request.trim() });
      }}
    >
      <Select
        id={FIRST_FILTER}
        label="Key"
        className="max-sm:col-span-2"
        value={choice.key}
        onChange={(event) => onChoose({ key: event.target.value })}
      >
        <option value="">All keys</option>
        {[...known].map(([id, label]) => (
          <option key={id} value={id}>
            {textOf(label)}
          </option>
        ))}
      </Select>
      <Select label="Response" value={choice.status} onChange={(event) => onChoose({ status: event.target.value })}>
        <option value="">All</option>
        <option value="2xx">2xx success</option>
        <option value="4xx">4xx client error</option>
        <option value="402">402 out of quota</option>
        <option value="5xx">5xx server error</option>
      </Select>
      <Select label="Time" value={choice.period} onChange={(event) => onChoose({ period: event.target.value })}>
        <option value="">Last 30 days</option>
        <option value="7d">Last 7 days</option>
        <option value="24h">Last 24 hours</option>
        <option value="1h">Last hour</option>
      </Select>
      <div className="col-span-2 flex items-end gap-2 sm:col-span-3 xl:col-span-1">
        <Field
          mono
          label="Request ID"
          placeholder="req_…"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          className="flex-1"
          value={request}
          onChange={(event) => {
            setRequest(event.target.value);
            if (event.target.value === "" && choice.request !== "") onChoose({ request: "" });
          }}
        />
        <Button type="submit" variant="secondary">
          Find
        </Button>
      </div>
    </form>
  );
}

export const meta = () =>
  accountPageMeta("Activity", "/dashboard/activity", "Recent calls from your API keys, with errors.");

export default function ActivityPageView() {
  const { choice, choose } = useActivityChoice();
  const [isLive, setLive] = useState(true);
  const minute = useMinute();
  const [now, setNow] = useState(minute);
  const { data: listed } = useQuery(queries.keys);
  const names = new Map<string, KeyLabel>([
    ...(listed?.keys.map((key) => [key.id, key] as const) ?? []),
    [DASHBOARD_KEY_ID, withoutHint("Dashboard")],
  ]);
  // Older pages would shift while being read.
  const mayMove = (data: { readonly pages: readonly unknown[] } | undefined) =>
    isLive && (data?.pages.length ?? 1) === 1;
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
  const isFiltered = Object.values(choice).some((value) => value !== "");
  const first = query.data?.pages[0];
  // Nothing was filtered out, so that there is nothing to filter.
  const isUnused = !isFiltered && first?.calls.length === 0 && first.rate_limited.length === 0;
  return (
    <>
      <PageHeading
        actions={
          <Button variant="secondary" size="sm" aria-pressed={isLive} onClick={() => setLive(!isLive)}>
            <span
              aria-hidden="true"
              className={`size-2 rounded-full border ${isLive ? "border-ink bg-ink" : "border-muted"}`}
            />
            Auto-refresh
            {/* Announced as the button's state. */}
            <span aria-hidden="true" className="font-normal text-muted">
              {isLive ? "On" : "Off"}
            </span>
          </Button>
        }
      />
      {!isUnused && <Filters choice={choice} names={names} onChoose={chooseNow} />}
      <QueryState query={query} what="activity" skeleton={<RowsSkeleton rows={6} />}>
        {({ pages }) => {
          const calls = pages.flatMap((page) => page.calls);
          return (
            <>
              <RateLimited minutes={pages[0]!.rate_limited} />
              {calls.length === 0 ? (
                <Nothing
                  isFiltered={isFiltered}
                  onClear={() => {
                    choose(EVERYTHING);
                    // The button is gone by then.
                    document.getElementById(FIRST_FILTER)?.focus();
                  }}
                />
              ) : (
                <Calls calls={calls} names={names} />
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
