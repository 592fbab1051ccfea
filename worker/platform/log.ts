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
