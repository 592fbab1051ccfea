import { useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { ListedKey } from "../../../../contract/keys.ts";
import { MAX_ACTIVE_KEYS } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { EmptyState } from "../../../components/dashboard/empty-state.tsx";
import { QueryState, RowsSkeleton } from "../../../components/dashboard/query-state.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { formatCount } from "../../../lib/format-count.ts";
import { formatDate, formatTime, relativeTime } from "../../../lib/format.ts";
import { chooseMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";
import { useMinute } from "../../../lib/use-minute.ts";
import { ManageDialog } from "./manage-dialog.tsx";
import { keyHint, RevokeDialog } from "./revoke-dialog.tsx";
import type { Target } from "./revoke-dialog.tsx";

/** A time as "3 hours ago", kept current while the page is open; its title has it in full. */
function Since({ time }: { time: string }) {
  const now = useMinute();
  const at = Date.parse(time);
  return (
    <time dateTime={time} title={formatTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}

interface KeyTableProps {
  readonly caption: string;
  readonly keys: readonly ListedKey[];
  readonly onRevoke: (key: ListedKey) => void;
  readonly onManage: (key: ListedKey) => void;
}

/** Separate columns if there is room; otherwise their texts are below the name. */
const WIDE = "hidden @2xl:table-cell";
const WIDER = "hidden @3xl:table-cell";

/** The active keys of a mode. */
function KeyTable({ caption, keys, onRevoke, onManage }: KeyTableProps) {
  const hasLimits = keys.some((key) => key.expires_at !== null || key.monthly_cap !== null);
  return (
    <Card padding="none" className="@container">
      <Table caption={caption} hideCaption>
        {/* A lone column needs no name. */}
        <thead className="@max-2xl:hidden">
          <tr>
            <Th>Name</Th>
            {hasLimits && <Th className={WIDE}>Limits</Th>}
            <Th className={WIDER}>Created</Th>
            <Th className={WIDE}>Last used</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Row
              key={key.id}
              apiKey={key}
              hasLimits={hasLimits}
              onRevoke={() => onRevoke(key)}
              onManage={() => onManage(key)}
            />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

/** What limits a key: its expiry, and how much of its cap is used. */
function Limits({ apiKey }: { apiKey: ListedKey }) {
  const { expires_at: end, monthly_cap: cap, used_this_month: used, state } = apiKey;
  if (end === null && cap === null) return null;
  const isReached = cap !== null && used !== null && used >= cap;
  return (
    <span className="flex flex-wrap gap-x-4 text-sm font-normal text-muted @2xl:flex-col">
      {end !== null && (
        <span className={clsx(state === "expired" && "text-invalid", state !== "grace" && "whitespace-nowrap")}>
          {state === "expired" ? "Expired" : state === "grace" ? "Rolled, works until" : "Expires"}{" "}
          <time dateTime={end} title={formatTime(Date.parse(end))}>
            {state === "grace" ? formatTime(Date.parse(end)) : formatDate(end)}
          </time>
        </span>
      )}
      {cap !== null && (
        <span className={isReached ? "text-invalid" : undefined}>
          {used === null ? "Cap:" : `${formatCount(used)} of`} {formatCount(cap)} this month
          {isReached && <span className="block">Calls return 402</span>}
        </span>
      )}
    </span>
  );
}

interface RowProps {
  readonly apiKey: ListedKey;
  /** Whether any key in the list has an expiry or a cap. */
  readonly hasLimits: boolean;
  readonly onRevoke: () => void;
  readonly onManage: () => void;
}

function Row({ apiKey, hasLimits, onRevoke, onManage }: RowProps) {
  const { name, created_at: createdAt } = apiKey;
  return (
    <tr>
      <Th scope="row" className="py-3! align-middle @2xl:min-w-44">
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="wrap-anywhere">{name}</span>
          {apiKey.state !== "active" && (
            <Badge tone={apiKey.state === "expired" ? "invalid" : "possible"}>
              {apiKey.state === "expired" ? "Expired" : "Rolled"}
            </Badge>
          )}
        </span>
        <code className="mt-0.5 block font-mono text-sm font-normal whitespace-nowrap text-soft">
          {keyHint(apiKey)}
        </code>
        <span className="mt-1 block text-sm font-normal text-muted @2xl:hidden">
          <Limits apiKey={apiKey} />
          <span className="block">
            Created <Since time={createdAt} />
            {apiKey.created_from !== null && ` from ${browserOf(apiKey)}`}
          </span>
          <LastUsed apiKey={apiKey} prefix="Used " />
        </span>
      </Th>
      {hasLimits && (
        <Td className={`${WIDE} align-middle`}>
          <Limits apiKey={apiKey} />
        </Td>
      )}
      <Td className={`${WIDER} align-middle text-sm whitespace-nowrap`}>
        <span className="block first-letter:uppercase">
          <Since time={createdAt} />
        </span>
        {browserOf(apiKey) !== null && <span className="block text-muted">from {browserOf(apiKey)}</span>}
      </Td>
      <Td className={`${WIDE} align-middle text-sm whitespace-nowrap first-letter:uppercase`}>
        <LastUsed apiKey={apiKey} />
      </Td>
      <Td className="w-px text-right align-middle">
        <span className="flex items-center justify-end gap-2 max-sm:flex-col max-sm:items-stretch print:hidden">
          {apiKey.state !== "expired" && (
            <Button variant="secondary" size="sm" aria-label={`Manage ${name}, ${keyHint(apiKey)}`} onClick={onManage}>
              Manage
            </Button>
          )}
          <Button
            variant="quiet"
            size="sm"
            className="text-muted hover:text-invalid"
            aria-label={`Revoke ${name}, ${keyHint(apiKey)}`}
            onClick={onRevoke}
          >
            Revoke
          </Button>
        </span>
      </Td>
    </tr>
  );
}

/** The browser it was generated in, to go after "from". */
function browserOf({ created_from: browser }: ListedKey): string | null {
  return browser === "Unknown browser" ? "an unknown browser" : browser;
}

function LastUsed({ apiKey, prefix = "" }: { apiKey: ListedKey; prefix?: string }) {
  if (apiKey.last_used_at === null) return <span className="text-muted">Never used</span>;
  return (
    <>
      {prefix}
      <Since time={apiKey.last_used_at} />
    </>
  );
}

const TITLES: Record<KeyMode, string> = { test: "Test keys", live: "Live keys" };
const OTHER: Record<KeyMode, KeyMode> = { test: "live", live: "test" };

/** The active keys of the selected mode, and how many the other mode has. */
export function KeyList({ mode }: { mode: KeyMode }) {
  const query = useQuery(queries.keys);
  const heading = useRef<HTMLHeadingElement>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const [managed, setManaged] = useState<ListedKey | null>(null);
  const all = query.data?.keys.filter((key) => key.mode === mode) ?? [];
  const count = all.filter(({ state }) => state === "active").length;
  const title = TITLES[mode];

  return (
    <section aria-labelledby="keys-title">
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {/* Gets focus when the focused row is gone. */}
        <h2 id="keys-title" ref={heading} tabIndex={-1} className="text-base text-ink outline-none">
          {title}
          {query.data && (
            <span className="ml-2.5 text-sm font-normal tracking-normal text-muted tabular-nums">
              {count} of {MAX_ACTIVE_KEYS} active
            </span>
          )}
        </h2>
        {all.length > 0 && (
          <Button
            variant="quiet"
            size="sm"
            className="-mr-3 text-invalid! forced-colors:mr-0"
            onClick={() => setTarget({ mode, count: all.length })}
          >
            Revoke all
          </Button>
        )}
      </div>
      <QueryState query={query} what="keys" skeleton={<RowsSkeleton rows={2} />}>
        {({ keys }) => (
          <Shown
            mode={mode}
            title={title}
            keys={keys}
            onRevoke={(key) => setTarget({ mode: key.mode, key })}
            onManage={setManaged}
          />
        )}
      </QueryState>
      {target && (
        <RevokeDialog target={target} onClose={() => setTarget(null)} onRevoked={() => heading.current?.focus()} />
      )}
      {managed && <ManageDialog key={managed.id} apiKey={managed} onClose={() => setManaged(null)} />}
    </section>
  );
}

interface ShownProps {
  readonly mode: KeyMode;
  readonly title: string;
  readonly keys: readonly ListedKey[];
  readonly onRevoke: (key: ListedKey) => void;
  readonly onManage: (key: ListedKey) => void;
}

function Shown({ mode, title, keys, onRevoke, onManage }: ShownProps) {
  const shown = keys.filter((key) => key.mode === mode);
  const others = keys.length - shown.length;
  return (
    <>
      {shown.length > 0 ? (
        <KeyTable caption={title} keys={shown} onRevoke={onRevoke} onManage={onManage} />
      ) : (
        <Empty mode={mode} />
      )}
      {others > 0 && (
        <p className="mt-3 text-sm text-muted">
          {`You also have ${others} ${OTHER[mode]} ${others === 1 ? "key" : "keys"}. `}
          <button type="button" className="text-link text-ink" onClick={() => chooseMode(OTHER[mode])}>
            Show {OTHER[mode]} keys
          </button>
        </p>
      )}
    </>
  );
}

function Empty({ mode }: { mode: KeyMode }) {
  return (
    <EmptyState title={<h3>No {mode} keys yet</h3>}>
      {mode === "test"
        ? "Generate one below to get sandbox responses for testing."
        : "Generate one below once your integration works with a test key."}
    </EmptyState>
  );
}
