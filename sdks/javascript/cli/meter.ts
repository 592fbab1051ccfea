import { formatCount } from "../../../contract/format.ts";
import type { Outcome } from "../../../lists/plan.ts";

const OUTCOMES = ["valid", "invalid", "not_sent", "failed"] as const satisfies readonly Outcome[];

/** Counts rows, and shows how far it is on a terminal. */
export interface Meter {
  readonly rows: number;
  /** @param outcome null if nobody knows it any more */
  count(outcome: string | null): void;
  /** From here on it measures the speed. */
  start(): void;
  /** Removes the progress from the terminal. */
  clear(): void;
  summary(): string;
}

/** A duration until the end: "40 s", "12 min". */
function left(seconds: number): string {
  return seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}

/** @param total how many rows there are, or null if nobody knows */
export function createMeter(total: number | null, terminal: NodeJS.WriteStream | null): Meter {
  const counts = new Map<string, number>();
  let rows = 0;
  let begun = { at: Date.now(), rows: 0 };
  let shownAt = 0;

  function show(): void {
    const seconds = (Date.now() - begun.at) / 1000;
    const speed = (rows - begun.rows) / Math.max(seconds, 0.001);
    const isSteady = seconds > 2 && speed > 0;
    const parts = [
      total === null ? formatCount(rows, "row") : `${formatCount(rows)} of ${formatCount(total, "row")}`,
      total === null ? "" : `${Math.floor((rows / total) * 100)}%`,
      isSteady ? `${formatCount(Math.round(speed))} per second` : "",
      isSteady && total !== null ? `${left((total - rows) / speed)} left` : "",
    ];
    terminal?.write(`\r\u001B[K${parts.filter(Boolean).join("  ")}`);
  }

  return {
    get rows() {
      return rows;
    },
    count(outcome) {
      rows += 1;
      if (outcome !== null) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (terminal === null || Date.now() - shownAt < 200) return;
      shownAt = Date.now();
      show();
    },
    start() {
      begun = { at: Date.now(), rows };
    },
    clear() {
      terminal?.write("\r\u001B[K");
    },
    summary() {
      const parts = OUTCOMES.filter((name) => counts.has(name));
      const told = parts.map((name) => `${formatCount(counts.get(name)!)} ${name.replace("_", " ")}`);
      return [formatCount(rows, "row"), told.join(", ")].filter(Boolean).join(": ");
    },
  };
}
