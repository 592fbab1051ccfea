import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SECURITY_EVENTS } from "../../../../contract/security-events.ts";
import type { SecurityEvent } from "../../../../contract/security-events.ts";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { countryName, formatTime, relativeTime } from "../../../lib/format.ts";
import { queries } from "../../../lib/queries.ts";

/** How many are shown at first. */
const FEW = 6;

function placeOf({ by, browser, country_code: country }: SecurityEvent): string {
  if (by === "operator" || browser === null) return "Checkline support";
  return country === null ? browser : `${browser}, ${countryName(country)}`;
}

function Row({ event, now }: { event: SecurityEvent; now: number }) {
  const { kind, about, at } = event;
  return (
    <li className="px-5 py-3">
      <p className="wrap-anywhere text-ink">
        {SECURITY_EVENTS[kind]}
        {about !== null && <span className="text-muted"> · {about}</span>}
      </p>
      <p className="text-sm text-muted">
        <time dateTime={at} title={formatTime(Date.parse(at))} className="inline-block first-letter:uppercase">
          {relativeTime(Date.parse(at), now)}
        </time>{" "}
        · {placeOf(event)}
      </p>
    </li>
  );
}

/** The security events, newest first. */
export function SecurityEvents() {
  const query = useQuery(queries.securityEvents);
  const [all, setAll] = useState(false);
  return (
    <QueryState query={query} what="security events" rows={2}>
      {({ events }) =>
        events.length === 0 ? (
          <p className="text-soft">No security events yet.</p>
        ) : (
          <>
            <ul aria-label="Security events" className="divide-y divide-line rounded-lg border border-line bg-surface">
              {(all ? events : events.slice(0, FEW)).map((event) => (
                <Row key={event.id} event={event} now={query.dataUpdatedAt} />
              ))}
            </ul>
            {events.length > FEW && (
              <Button variant="secondary" className="mt-4" aria-expanded={all} onClick={() => setAll(!all)}>
                {all ? "Show less" : `Show all ${events.length}`}
              </Button>
            )}
          </>
        )
      }
    </QueryState>
  );
}
