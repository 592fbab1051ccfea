/** A figure of the table. Each list has one value per run, in the row's unit. */
export interface Row {
  readonly measured: string;
  readonly unit: "µs" | "bytes";
  readonly ours: readonly number[];
  /** What ours is compared with, in the same turns; null if nothing does the same. */
  readonly comparedWith: string | null;
  readonly theirs: readonly number[] | null;
  /** The most that our median, or its ratio to theirs, may be; null if the row only explains others. */
  readonly ceiling: { readonly of: "ours" | "ratio"; readonly most: number } | null;
}

/** A quantile of a nonempty list, by nearest rank: 0.99 for the 99th percentile. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * part) - 1)]!;
}

/** The median of a nonempty list. */
function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Three digits: "1.38 µs", "5.8 ms", "2.43 MB". */
function formatFigure(value: number, unit: Row["unit"]): string {
  const [small, large] = unit === "µs" ? ["µs", "ms"] : ["KB", "MB"];
  const inSmall = unit === "µs" ? value : value / 1000;
  const [scaled, name] = inSmall < 1000 ? [inSmall, small] : [inSmall / 1000, large];
  return `${Number(scaled.toPrecision(3))} ${name}`;
}

/** "2.1", or "1/12.6" for less than half. */
function formatRatio(ratio: number): string {
  return String(ratio < 0.5 ? `1/${Number((1 / ratio).toFixed(1))}` : Number(ratio.toFixed(2)));
}

/** A row as cells: medians, their ratio in the median run, and the ceiling, with a mark if it's missed. */
export function cellsOf({ measured, unit, ours, comparedWith, theirs, ceiling }: Row) {
  const ratio = theirs && median(ours.map((value, run) => value / theirs[run]!));
  const isMissed = ceiling !== null && (ceiling.of === "ours" ? median(ours) : ratio!) > ceiling.most;
  const most = ceiling && (ceiling.of === "ours" ? formatFigure(ceiling.most, unit) : formatRatio(ceiling.most));
  return {
    measured,
    ours: formatFigure(median(ours), unit),
    "compared with": comparedWith ?? "",
    theirs: theirs === null ? "" : formatFigure(median(theirs), unit),
    ratio: ratio === null ? "" : formatRatio(ratio),
    ceiling: most === null ? "" : `${most}${isMissed ? ", missed" : ""}`,
  };
}
