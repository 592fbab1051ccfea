import { formatCount } from "../../../../contract/format.ts";
import { Figures } from "../../../components/dashboard/cells.tsx";
import {
  formatChange,
  formatFailureChange,
  formatRate,
  formatRateChange,
  formatSpan,
  sumOf,
} from "../../../lib/figures.ts";
import { weeksText } from "./report-controls.tsx";
import type { UsageChartProps } from "./usage-chart.tsx";

type Sum = ReturnType<typeof sumOf>;

const NAMES = ["Total", "Valid", "Invalid", "Valid rate"] as const;

function textsOf(sum: Sum): string[] {
  const { total, successful } = sum;
  return [...[total, successful, total - successful].map((count) => formatCount(count)), formatRate(sum)];
}

/** How each figure has changed; null without anything to compare with. */
function changesOf(sum: Sum, earlier: Sum): (string | null)[] {
  return [
    formatChange(sum.total, earlier.total),
    formatChange(sum.successful, earlier.successful),
    formatFailureChange(sum, earlier),
    formatRateChange(sum, earlier),
  ];
}

/** Both modes' shares of each figure. */
function splitOf({ total, successful }: Sum, live: Sum): string[] {
  const tests = textsOf({ total: total - live.total, successful: successful - live.successful });
  return textsOf(live).map((text, at) => `${text} live, ${tests[at]} test`);
}

/** The period in four figures: of both modes with the share of each, of one compared with as many weeks before. */
export function ReportFigures({ days, before, live }: UsageChartProps) {
  const sum = sumOf(days);
  const earlier = sumOf(before ?? []);
  const values = textsOf(sum);
  const notes = live ? splitOf(sum, sumOf(live)) : changesOf(sum, earlier);
  return (
    <section aria-label={`Figures, ${formatSpan(days)}`}>
      <Figures figures={NAMES.map((name, at) => ({ name, value: values[at], note: notes[at] }))} />
      {!live && earlier.total > 0 && (
        <p className="mt-2 text-sm text-muted">vs. the previous {weeksText(days.length)}</p>
      )}
    </section>
  );
}
