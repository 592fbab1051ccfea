import { DrizzleQueryError } from "drizzle-orm";

type Level = "info" | "warn" | "error";

/** Writes an object as one line of JSON, as `logLine` does. */
export function writeLine(line: {
  readonly level: Level;
  readonly event: string;
  readonly [detail: string]: unknown;
}): void {
  const text = JSON.stringify(line);
  if (line.level === "error") console.error(text);
  else if (line.level === "warn") console.warn(text);
  else console.log(text);
}

/**
 * Writes one line of JSON. Details are counts, names, and ids we create: never a number, key, token, password, or
 * address, and no path, query, or body, which may contain one.
 */
export function logLine(level: Level, event: string, details: Record<string, unknown>): void {
  writeLine({ level, event, ...details });
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
