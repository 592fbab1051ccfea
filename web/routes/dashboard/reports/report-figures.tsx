import type { UsageReport } from "../../../../contract/reports.ts";
import { formatRate } from "../../../components/dashboard/figures.ts";
import { formatCount, formatSpan, sumOf } from "./figures.ts";

/** The period in three figures. */
export function ReportFigures({ days }: { days: UsageReport["days"] }) {
  const sum = sumOf(days);
  const figures = [
    { name: "Total", value: formatCount(sum.total) },
    { name: "Successful", value: formatCount(sum.successful) },
    { name: "Success rate", value: formatRate(sum) },
  ];
  return (
    <section aria-label={`Figures, ${formatSpan(days)}`}>
      {/* The gaps between the cells are the hairlines. */}
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3">
        {figures.map(({ name, value }) => (
          <div key={name} className="min-w-0 bg-surface p-4 max-sm:first:col-span-2 sm:p-5">
            <dt className="label">{name}</dt>
            <dd className="mt-1.5 font-mono text-2xl tracking-[-0.04em] text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
