import { afterEach, beforeEach, vi } from "vitest";

type Method = "log" | "warn" | "error";

export interface CapturedLog {
  /** As they were written. */
  readonly lines: readonly string[];
  parsed(): Record<string, unknown>[];
  /** What each line says has happened. */
  events(): string[];
}

/** Keeps the console quiet in every test of a file, and what was written to it: the lines of the running test. */
export function captureLog(...methods: readonly Method[]): CapturedLog {
  let lines: string[] = [];
  beforeEach(() => {
    lines = [];
    for (const method of methods) {
      vi.spyOn(console, method).mockImplementation((line: unknown) => void lines.push(String(line)));
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return {
    get lines() {
      return lines;
    },
    parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    events: () => lines.map((line) => (JSON.parse(line) as { event: string }).event),
  };
}
