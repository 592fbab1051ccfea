import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { ListedSession } from "../../../../contract/accounts.ts";
import { sessions } from "../../../../contract/endpoints/sessions.ts";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { call } from "../../../lib/api/call.ts";
import { unlessGone } from "../../../lib/api/failure.ts";
import { countryName, formatTime, HOUR_MS, relativeTime } from "../../../lib/format.ts";
import { queries } from "../../../lib/queries.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";

/** When a session was last used, to the hour. */
function activity(usedAt: number, now: number): string {
  return now - usedAt < 2 * HOUR_MS ? "Active in the last 2 hours" : `Active ${relativeTime(usedAt, now)}`;
}

interface RowProps {
  readonly session: ListedSession;
  /** When the list was read, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Called once it has ended, with what to say. */
  readonly onEnded: (title: string) => Promise<void>;
}

function Row({ session, now, onEnded }: RowProps) {
  const { busy, run } = useAction((error) => toastFailure("Couldn’t log out the session", error));
  const {
    id,
    browser,
    country_code: country,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    is_current: here,
  } = session;
  async function end(): Promise<void> {
    await unlessGone(call(sessions.endSession, { id }));
    await onEnded("Session logged out");
  }
  const place = country === null ? "Unknown country" : countryName(country);
  return (
    <li className="flex items-center justify-between gap-4 px-5 py-3.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium text-ink">
          {browser}
          {here && <Badge>This browser</Badge>}
        </p>
        <p className="text-sm text-muted">
          {place} · {here ? "Active now" : activity(Date.parse(lastUsedAt), now)}
        </p>
        <p className="text-sm text-muted">
          Logged in <time dateTime={createdAt}>{formatTime(Date.parse(createdAt))}</time>
        </p>
      </div>
      {!here && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Log out ${browser}, ${place}`}
          busy={busy}
          onClick={() => run(end)}
        >
          Log out
        </Button>
      )}
    </li>
  );
}

/** Where the account is logged in, with a button to log out each session. */
export function Sessions() {
  const query = useQuery(queries.sessions);
  const list = useRef<HTMLUListElement>(null);
  const client = useQueryClient();
  const { busy, run } = useAction((error) => toastFailure("Couldn’t log out the other sessions", error));

  async function finish(title: string): Promise<void> {
    toast.success(title);
    await client.invalidateQueries({ queryKey: queries.sessions.queryKey });
    // The focused button is gone.
    list.current?.focus();
  }
  async function endOthers(): Promise<void> {
    await call(sessions.endOtherSessions);
    await finish("Logged out all other sessions");
  }

  return (
    <QueryState query={query} what="sessions" rows={1} skeletonClass="min-h-23.5">
      {({ sessions: active }) => (
        <>
          <ul
            ref={list}
            tabIndex={-1}
            aria-label="Active sessions"
            className="divide-y divide-line rounded-lg border border-line bg-surface outline-none"
          >
            {active.map((session) => (
              <Row key={session.id} session={session} now={query.dataUpdatedAt} onEnded={finish} />
            ))}
          </ul>
          {active.length > 1 && (
            <Button variant="secondary" size="sm" className="mt-5" busy={busy} onClick={() => run(endOthers)}>
              Log out all other sessions
            </Button>
          )}
        </>
      )}
    </QueryState>
  );
}
