import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "results");

/** The median of a nonempty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** A quantile of a nonempty list, by nearest rank: 0.99 for the 99th percentile. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * part) - 1)]!;
}

/** Compares contenders at a task by their nanoseconds, this project's first. */
export function timingRows(task: string, contenders: readonly { readonly name: string; readonly times: number[] }[]) {
  const ours = median(contenders[0]!.times);
  return contenders.map(({ name, times }) => {
    const middle = median(times);
    return {
      task,
      name,
      median_ns: Math.round(middle),
      // The interquartile range, relative to the median.
      spread: Number(((quantile(times, 0.75) - quantile(times, 0.25)) / middle).toFixed(2)),
      ratio_to_ours: Number((middle / ours).toFixed(1)),
    };
  });
}

/** Prints a benchmark's rows and writes them to bench/results/NAME.json. */
export async function writeResult(name: string, rows: readonly object[]): Promise<void> {
  console.table(rows);
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, `${name}.json`), `${JSON.stringify(rows, null, 2)}\n`);
}
