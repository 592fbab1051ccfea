import type { UsageEvent } from "../worker/usage/event.ts";

/** The noon of a new year's second day in UTC, so that the days before lie in two years. */
export const NOON = Date.UTC(2026, 0, 2, 12);

let made = 0;

/** An event of its own id, to be changed as a test needs it. */
export function usageEvent(changes: Partial<UsageEvent> = {}): UsageEvent {
  made += 1;
  const id = `evt_${made}`;
  return {
    id,
    user_id: "usr_1",
    key_id: "key_1",
    mode: "live",
    at: NOON,
    country_code: "BR",
    outcome: "success",
    ...changes,
  };
}
