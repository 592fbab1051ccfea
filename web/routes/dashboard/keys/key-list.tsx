import { useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import ChevronDown from "lucide-react/icons/chevron-down";
import type { ListedKey } from "../../../../contract/keys.ts";
import { MAX_ACTIVE_KEYS } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { formatCount } from "../../../../contract/format.ts";
import { formatDate, formatMoment, formatTime, relativeTime } from "../../../lib/format.ts";
import { chooseMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";
import { useMinute } from "../../../lib/use-minute.ts";
import { createdFrom, keyHint } from "./key-words.ts";
import { originsInWords } from "./origins.ts";
import { ManageDialog } from "./manage-dialog.tsx";
import { Explanation } from "./obstacle.tsx";
import type { Obstacle } from "./obstacle.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import type { Target } from "./revoke-dialog.tsx";

/** A time as "3 hours ago", kept current while the page is open; in full in its title and on paper. */
function Since({ time }: { time: string }) {
  const now = useMinute();
  const at = Date.parse(time);
  return (
    <time dateTime={time} title={formatTime(at)}>
      <span className="print:hidden">{relativeTime(at, now)}</span>
      <span className="hidden print:inline">{formatDate(time)}</span>
    </time>
  );
}

interface KeyTableProps {
  readonly caption: string;
  readonly keys: readonly ListedKey[];
  readonly onRevoke: (key: ListedKey) => void;
  readonly onManage: (key: ListedKey) => void;
}

/** A separate column if there is room; otherwise its text is below the name. */
const BESIDE = "hidden @2xl:table-cell";
const BELOW = "@2xl:hidden";
/** On paper too: there, "Last used" is below the name. */
const CREATED = "hidden @3xl:table-cell print:table-cell";

/** Keys of a mode. */
function KeyTable({ caption, keys, onRevoke, onManage }: KeyTableProps) {
  return (
    <Card padding="none" className="@container">
      <Table caption={caption} hideCaption>
        {/* A lone column needs no name. */}
        <thead className="@max-2xl:hidden">
          <tr>
            <Th>Name</Th>
            {/* Of fixed widths: the columns of active and expired keys are aligned. */}
            <Th className={`${CREATED} w-36`}>Created</Th>
            <Th className={`${BESIDE} w-36`}>Last used</Th>
            <Th className="w-48 print:w-px">
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Row key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} onManage={() => onManage(key)} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

const ENDS = {
  active: { words: "Expires", badge: null },
  grace: { words: "Works until", badge: <Badge tone="possible">Rolled</Badge> },
  expired: { words: "Ended", badge: <Badge>Expired</Badge> },
};

/** What limits a key: its expiry, how much of its cap is used, and whose pages may use it. */
function Limits({ apiKey }: { apiKey: ListedKey }) {
  const { expires_at: end, monthly_cap: cap, used_this_month: used, allowed_origins: origins, state } = apiKey;
  const { words } = ENDS[state];
  const isReached = cap !== null && used !== null && used >= cap;
  return (
    <>
      {end !== null && (
        <span>
          {words}{" "}
          <time dateTime={end} title={formatTime(Date.parse(end))} className="whitespace-nowrap">
            {state === "grace" ? formatMoment(Date.parse(end)) : formatDate(end)}
          </time>
        </span>
      )}
      {cap !== null && state !== "expired" && (
        <span className="tabular-nums">
          <span className={clsx("whitespace-nowrap", isReached && "text-invalid")}>
            {used !== null && `${formatCount(used)} / `}
            {formatCount(cap)}
          </span>{" "}
          this month
          {isReached && <span className="block text-invalid">Calls fail until next month</span>}
        </span>
      )}
      {origins.length > 0 && (
        <span title={origins.join("\n")} className="wrap-anywhere">
          Pages of {originsInWords(origins)}
        </span>
      )}
    </>
  );
}

interface RowProps {
  readonly apiKey: ListedKey;
  readonly onRevoke: () => void;
  readonly onManage: () => void;
}

function Row({ apiKey, onRevoke, onManage }: RowProps) {
  const { name, state, created_at: createdAt } = apiKey;
  const isExpired = state === "expired";
  return (
    <tr className="align-middle">
      <Th scope="row" className="py-3! align-[inherit]! @2xl:min-w-44">
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="wrap-anywhere">{name}</span>
          {ENDS[state].badge}
        </span>
        <code className="mt-0.5 block font-mono text-sm font-normal whitespace-nowrap text-soft">
          {keyHint(apiKey)}
        </code>
        <span className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm font-normal text-muted empty:hidden @max-xl:flex-col">
          <span className={BELOW}>
            <LastUsed apiKey={apiKey} prefix="Used " />
          </span>
          <Limits apiKey={apiKey} />
        </span>
      </Th>
      <Td className={clsx(CREATED, "align-[inherit]! text-sm whitespace-nowrap")}>
        <span title={createdFrom(apiKey)} className="block first-letter:uppercase">
          <Since time={createdAt} />
        </span>
      </Td>
      <Td className={clsx(BESIDE, "align-[inherit]! text-sm whitespace-nowrap first-letter:uppercase")}>
        <LastUsed apiKey={apiKey} />
      </Td>
      <Td className="w-px text-right align-[inherit]! max-[22rem]:pl-0!">
        <span className="flex items-center justify-end gap-2 print:hidden">
          {!isExpired && (
            <Button variant="secondary" size="sm" aria-label={`Manage ${name}, ${keyHint(apiKey)}`} onClick={onManage}>
              Manage
            </Button>
          )}
          <Button
            variant="quiet"
            size="sm"
            // Where there is no room, it is in the dialog of the other.
            className={clsx("-mr-3 text-muted hover:text-invalid forced-colors:mr-0", !isExpired && "@max-2xl:hidden")}
            aria-label={`${isExpired ? "Remove" : "Revoke"} ${name}, ${keyHint(apiKey)}`}
            onClick={onRevoke}
          >
            {isExpired ? "Remove" : "Revoke"}
          </Button>
        </span>
      </Td>
    </tr>
  );
}

function LastUsed({ apiKey, prefix = "" }: { apiKey: ListedKey; prefix?: string }) {
  const { data: lastCall } = useQuery(queries.lastCall);
  // The server notes a call seconds later.
  const isLastCall = lastCall !== undefined && lastCall.mode === apiKey.mode && lastCall.hint === apiKey.hint;
  const counted = apiKey.last_used_at === null ? 0 : Date.parse(apiKey.last_used_at);
  const at = isLastCall ? Math.max(lastCall.at, counted) : counted;
  if (at === 0) return <span className="text-muted">Never used</span>;
  return (
    <span>
      {prefix}
      <Since time={new Date(at).toISOString()} />
    </span>
  );
}

const TITLES: Record<KeyMode, string> = { test: "Test keys", live: "Live keys" };
const OTHER: Record<KeyMode, KeyMode> = { test: "live", live: "test" };

interface KeyListProps {
  readonly mode: KeyMode;
  readonly obstacle: Obstacle;
  /** The page has another, primary button. */
  readonly isSecond: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (open: boolean) => void;
  /** The form for another key, shown while open. */
  readonly children: ReactNode;
}

/** The active keys of the selected mode, a form for another, and how many keys the other mode has. */
export function KeyList({ mode, obstacle, isSecond, isOpen, onOpen, children }: KeyListProps) {
  const id = useId();
  const why = obstacle === null ? undefined : `${id}-why`;
  const isFormShown = isOpen && obstacle === null;
  // The page has just read the list: another attempt would hide why that failed.
  const query = useQuery({ ...queries.keys, retryOnMount: false });
  const heading = useRef<HTMLHeadingElement>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const [managed, setManaged] = useState<ListedKey | null>(null);
  const all = query.data?.keys.filter((key) => key.mode === mode) ?? [];
  const count = all.filter(({ state }) => state === "active").length;
  const working = all.filter(({ state }) => state !== "expired").length;
  const title = TITLES[mode];

  return (
    <section aria-labelledby="keys-title">
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {/* Gets focus when the focused row is gone. */}
        <h2 id="keys-title" ref={heading} tabIndex={-1} className="text-base text-ink outline-none">
          {title}{" "}
          {query.data && (
            <span className="ml-1.5 text-sm font-normal tracking-normal text-muted tabular-nums">
              {count} of {MAX_ACTIVE_KEYS} active
            </span>
          )}
        </h2>
        <Button
          data-generate=""
          variant={isSecond || isFormShown ? "secondary" : "primary"}
          size="sm"
          disabled={obstacle !== null}
          aria-expanded={isFormShown}
          aria-controls={isFormShown ? id : undefined}
          aria-describedby={why}
          className="print:hidden"
          onClick={() => onOpen(!isOpen)}
        >
          {isFormShown ? "Cancel" : "Generate key"}
        </Button>
      </div>
      {obstacle !== null && (
        <p id={why} className="mb-3 text-sm text-soft">
          <Explanation obstacle={obstacle} mode={mode} />
        </p>
      )}
      {isFormShown && (
        <div id={id} className="mb-6">
          {children}
        </div>
      )}
      <QueryState query={query} what="your keys" rows={2}>
        {({ keys }) => (
          <Shown
            mode={mode}
            title={title}
            keys={keys}
            isBarred={obstacle !== null}
            onRevoke={(key) => setTarget({ mode: key.mode, key })}
            onManage={setManaged}
          />
        )}
      </QueryState>
      {/* Away from the button that generates. */}
      {working > 1 && (
        <Button
          variant="quiet"
          size="sm"
          className="mt-2 -ml-3 text-invalid! forced-colors:ml-0 print:hidden"
          onClick={() => setTarget({ mode, count: working })}
        >
          Revoke all
        </Button>
      )}
      {target && (
        <RevokeDialog target={target} onClose={() => setTarget(null)} onRevoked={() => heading.current?.focus()} />
      )}
      {managed && (
        <ManageDialog
          key={managed.id}
          apiKey={managed}
          onClose={() => setManaged(null)}
          onRevoke={() => {
            setManaged(null);
            setTarget({ mode: managed.mode, key: managed });
          }}
        />
      )}
    </section>
  );
}

interface ShownProps {
  readonly mode: KeyMode;
  readonly isBarred: boolean;
  readonly title: string;
  readonly keys: readonly ListedKey[];
  readonly onRevoke: (key: ListedKey) => void;
  readonly onManage: (key: ListedKey) => void;
}

function Shown({ mode, isBarred, title, keys, onRevoke, onManage }: ShownProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const own = keys.filter((key) => key.mode === mode);
  const working = own.filter(({ state }) => state !== "expired");
  const expired = own.filter(({ state }) => state === "expired");
  const others = keys.length - own.length;
  return (
    <>
      {working.length > 0 ? (
        <KeyTable caption={title} keys={working} onRevoke={onRevoke} onManage={onManage} />
      ) : (
        <Empty mode={mode} isBarred={isBarred} hadSome={expired.length > 0} />
      )}
      {expired.length > 0 && (
        <>
          <Button
            variant="quiet"
            size="sm"
            className="mt-2 -ml-3 text-muted hover:text-ink forced-colors:ml-0"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronDown aria-hidden="true" className={clsx("size-4", !isOpen && "-rotate-90")} strokeWidth={1.5} />
            {isOpen ? "Hide" : "Show"} {formatCount(expired.length, "expired key")}
          </Button>
          {/* On paper, all of them. */}
          <div id={id} className={clsx("mt-2", !isOpen && "hidden print:block")}>
            <KeyTable caption={`Expired ${mode} keys`} keys={expired} onRevoke={onRevoke} onManage={onManage} />
          </div>
        </>
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

function Empty({ mode, isBarred, hadSome }: { mode: KeyMode; isBarred: boolean; hadSome: boolean }) {
  if (isBarred || hadSome) {
    return (
      <p className="text-soft">
        No {hadSome && "active "}
        {mode} keys. {isBarred ? "With an active subscription, you can generate one." : "Generate one."}
      </p>
    );
  }
  return (
    <p className="text-soft">
      No {mode} keys yet.{" "}
      {mode === "test"
        ? "Generate one to get sandbox responses for testing."
        : "Generate one once your integration works with a test key."}
    </p>
  );
}
