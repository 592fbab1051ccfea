import { useEffect, useState } from "react";
import type { ListedKey } from "../../../../contract/keys.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { absoluteTime, relativeTime } from "../../../lib/dates.ts";

const MINUTE_MS = 60_000;

/** A time as "3 hours ago", kept true while the page is open; its title has it in full. */
function Since({ time, className }: { time: string; className?: string }) {
  const [now, setNow] = useState(Date.now);
  const at = Date.parse(time);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={time} title={absoluteTime(at)} className={className}>
      {relativeTime(at, now)}
    </time>
  );
}

interface Props {
  readonly caption: string;
  readonly keys: readonly ListedKey[];
  readonly onRevoke: (key: ListedKey) => void;
}

/** A column of its own where there is room; otherwise its text stands below the name. */
const WIDE = "hidden @2xl:table-cell";

/** How a list shows a key: its beginning and its end. */
export function hintOf({ mode, hint }: Pick<ListedKey, "mode" | "hint">): string {
  return `ch_${mode}_…${hint}`;
}

/** The active keys of a mode. */
export function KeyTable({ caption, keys, onRevoke }: Props) {
  return (
    <Card padding="none" className="@container">
      <Table caption={caption} hideCaption>
        <thead>
          <tr>
            <Th>Name</Th>
            <Th className={WIDE}>Key</Th>
            <Th className={WIDE}>Created</Th>
            <Th className={WIDE}>Last used</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Row key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

function Row({ apiKey, onRevoke }: { apiKey: ListedKey; onRevoke: () => void }) {
  const { mode, name, created_at: createdAt } = apiKey;
  return (
    <tr>
      <Th scope="row" className="py-3! align-middle">
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="wrap-anywhere">{name}</span>
          <Badge tone={mode}>{mode}</Badge>
        </span>
        <span className="mt-1 block text-sm font-normal text-muted @2xl:hidden">
          <code className="block font-mono wrap-anywhere text-soft">{hintOf(apiKey)}</code>
          <span className="block">
            Created <Since time={createdAt} />
          </span>
          <LastUsed apiKey={apiKey} prefix="Used " />
        </span>
      </Th>
      <Td className={`${WIDE} align-middle font-mono text-sm whitespace-nowrap`}>{hintOf(apiKey)}</Td>
      <Td className={`${WIDE} align-middle text-sm whitespace-nowrap`}>
        <Since time={createdAt} />
      </Td>
      <Td className={`${WIDE} align-middle text-sm whitespace-nowrap`}>
        <LastUsed apiKey={apiKey} />
      </Td>
      <Td className="w-px text-right align-middle">
        <Button variant="secondary" size="sm" aria-label={`Revoke ${name}, ${hintOf(apiKey)}`} onClick={onRevoke}>
          Revoke
        </Button>
      </Td>
    </tr>
  );
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
