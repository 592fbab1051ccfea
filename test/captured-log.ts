import { afterEach, beforeEach, vi } from "vitest";

type Method = "log" | "warn" | "error";

export interface CapturedLog {
  /** Unparsed. */
  readonly lines: readonly string[];
  parsed(): Record<string, unknown>[];
  /** Each line's event. */
  events(): string[];
}

/** Silences the console in every test of a file, and captures its output: the running test's lines. */
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
