import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { formatCount } from "../../../../contract/format.ts";
import type { ListedKey } from "../../../../contract/keys.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { sumOf } from "../../../lib/figures.ts";
import { formatDate, formatMoment, formatTime, relativeTime } from "../../../lib/format.ts";
import { queries } from "../../../lib/queries.ts";
import { useMinute } from "../../../lib/use-minute.ts";
import { createdFrom, keyHint } from "./key-words.ts";
import { originsInWords } from "./key-limits.ts";

/** A time as "3 hours ago", kept current while the page is open; in full in its title. */
function Since({ time }: { time: string }) {
  const now = useMinute();
  const at = Date.parse(time);
  return (
    <time dateTime={time} title={formatTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}

/** What is done with a key of the list. */
export interface KeyActions {
  readonly onRevoke: (key: ListedKey) => void;
  readonly onManage: (key: ListedKey) => void;
}

interface KeyTableProps extends KeyActions {
  readonly caption: string;
  readonly keys: readonly ListedKey[];
}

/** A separate column if there is room; otherwise its text is below the name. */
const BESIDE = "hidden @2xl:table-cell";
const BELOW = "@2xl:hidden";
const CREATED = "hidden @3xl:table-cell";

/** Keys of a mode. */
export function KeyTable({ caption, keys, ...actions }: KeyTableProps) {
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
            <Th className="w-48">
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Row key={key.id} apiKey={key} {...actions} />
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

function Row({ apiKey, onRevoke, onManage }: KeyActions & { readonly apiKey: ListedKey }) {
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
      <Td className="w-px text-right align-[inherit]!">
        <span className="flex items-center justify-end gap-2">
          {!isExpired && (
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Manage ${name}, ${keyHint(apiKey)}`}
              onClick={() => onManage(apiKey)}
            >
              Manage
            </Button>
          )}
          <Button
            variant="quiet"
            size="sm"
            // Where there is no room, it is in the dialog of the other.
            className={clsx("-mr-3 text-muted hover:text-invalid", !isExpired && "@max-2xl:hidden")}
            aria-label={`${isExpired ? "Remove" : "Revoke"} ${name}, ${keyHint(apiKey)}`}
            onClick={() => onRevoke(apiKey)}
          >
            {isExpired ? "Remove" : "Revoke"}
          </Button>
        </span>
      </Td>
    </tr>
  );
}

/** When it was last used. */
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

/** Whether something still uses a key, which is about to stop working: its last use, and today's numbers. */
export function KeyUse({ apiKey }: { apiKey: ListedKey }) {
  const { data } = useQuery(queries.usage(1, apiKey.mode, apiKey.id));
  return (
    <span className="block text-sm text-muted">
      <LastUsed apiKey={apiKey} prefix="Used " />
      {data && `, ${formatCount(sumOf(data.days).total, "number")} today (UTC)`}
    </span>
  );
}
