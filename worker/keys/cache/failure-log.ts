import { failureText, logLine } from "../../platform/log.ts";

/** An outage fails every lookup: one line in so many milliseconds says so, with their number. */
const LOG_EVERY_MS = 10_000;

/** What failed: a read of KV, a write to it, or a query. */
export type FailingPart = "kv_read" | "kv_write" | "d1";

/** Notes failures of the key cache in the log, at most one line a part in ten seconds. */
export function createFailureLog(now: () => number) {
  const parts = new Map<FailingPart, { count: number; loggedAt: number }>();

  return function noteFailure(part: FailingPart, thrown: unknown): void {
    const seen = parts.get(part) ?? { count: 0, loggedAt: -Infinity };
    parts.set(part, seen);
    seen.count += 1;
    if (now() - seen.loggedAt < LOG_EVERY_MS) return;
    logLine("warn", "key_cache_failure", { part, count: seen.count, message: failureText(thrown) });
    seen.count = 0;
    seen.loggedAt = now();
  };
}
