import { DrizzleQueryError } from "drizzle-orm";

/**
 * Writes one line of JSON. Details are counts, names, and ids we create: never a number, key, token, password, or
 * address, and no path, query, or body, which may contain one.
 */
export function logLine(level: "info" | "warn" | "error", event: string, details: Record<string, unknown>): void {
  const line = JSON.stringify({ level, event, ...details });
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

/**
 * Logs a failure that would otherwise be logged with every request: at most one line per interval, with how many there
 * were since the last.
 */
export function createFailureLog(event: string, { now, everyMs }: { now(): number; readonly everyMs: number }) {
  let count = 0;
  let loggedAt = -Infinity;

  return function logFailure(thrown: unknown, details: Record<string, unknown> = {}): void {
    count += 1;
    if (Math.abs(now() - loggedAt) < everyMs) return;
    logLine("warn", event, { ...details, count, message: failureText(thrown) });
    count = 0;
    loggedAt = now();
  };
}

/**
 * What was thrown, without the parameters that Drizzle adds to a failed query. D1's own errors contain columns and
 * constraints, never values.
 */
export function causeOf(thrown: unknown): unknown {
  return thrown instanceof DrizzleQueryError ? thrown.cause : thrown;
}

/** The failure's own error message. */
export function failureText(thrown: unknown): string {
  const cause = causeOf(thrown);
  return cause instanceof Error ? cause.message : String(cause);
}
