/** Writes one line of JSON about work that no request waits for. Details are counts and names, never an event's ids. */
export function logLine(level: "warn" | "error", event: string, details: Record<string, unknown>): void {
  const line = JSON.stringify({ level, event, ...details });
  if (level === "error") console.error(line);
  else console.warn(line);
}

/** What went wrong, in the words of whoever threw it. D1 names columns and constraints, never values. */
export function failureText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
