/** A row of the table. Times are medians in microseconds. */
export interface Row {
  readonly measured: string;
  readonly ours_us: number;
  readonly compared_with: string;
  readonly theirs_us: number;
  /** Ours to theirs: "2.1", or "1/15". */
  readonly ratio: string;
  readonly ceiling: string;
}

/** A quantile of a nonempty list, by nearest rank: 0.99 for the 99th percentile. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * part) - 1)]!;
}

/** The median of a nonempty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Two decimals. */
export function rounded(value: number): number {
  return Number(value.toFixed(2));
}

/** Formats a ratio for the table. */
export function formatRatio(ratio: number): string {
  return ratio < 0.5 ? `1/${rounded(1 / ratio)}` : String(rounded(ratio));
}
