import { useState } from "react";
import { clsx } from "clsx";
import type { UsageReport } from "../../../../contract/reports.ts";
import { formatUtcDay } from "../../../../contract/format.ts";
import { Card, CardHeader } from "../../../components/ui/card.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { Table, Th } from "../../../components/ui/table.tsx";
import { formatSpan } from "../../../lib/figures.ts";
import { COUNTED, Counts, Head } from "./tables.tsx";
import { UsageChart } from "./usage-chart.tsx";
import type { UsageChartProps } from "./usage-chart.tsx";

/** The chart's figures, one row per day; hidden, they are for screen readers, while the chart is shown to others. */
function DaysTable({ days, isHidden }: { days: UsageReport["days"]; isHidden: boolean }) {
  const caption = `Verifications by day, ${formatSpan(days)}`;
  const content = (
    <>
      <Head of="Day (UTC)" />
      <tbody>
        {/* The newest first: today matters most. */}
        {days.toReversed().map((day) => (
          <tr key={day.date}>
            <Th scope="row" className="font-normal! whitespace-nowrap">
              <time dateTime={day.date}>{formatUtcDay(day.date)}</time>
            </Th>
            <Counts {...day} />
          </tr>
        ))}
      </tbody>
    </>
  );
  // Not a region that scrolls: keyboards would stop at it.
  if (isHidden) {
    return (
      <div className="sr-only">
        <table>
          <caption>{caption}</caption>
          {content}
        </table>
      </div>
    );
  }
  return (
    <Table hideCaption caption={caption} className={clsx(COUNTED, "max-h-118 overflow-y-auto print:max-h-none")}>
      {content}
    </Table>
  );
}

const FACES = [
  { value: "chart", label: "Chart" },
  { value: "table", label: "Table" },
] as const;

/** Verifications by day: as a chart, or as a table. */
export function ReportCard({ days, before, live }: UsageChartProps) {
  const [face, setFace] = useState<"chart" | "table">("chart");
  return (
    <Card padding="none" className="relative overflow-hidden">
      <CardHeader
        title={<h2>Verifications by day</h2>}
        description={
          <>
            {formatSpan(days)}
            <span className="max-sm:hidden">. Today is still in progress.</span>
          </>
        }
        actions={<Segmented size="sm" label="Show as" options={FACES} value={face} onChange={setFace} />}
      />
      {face === "chart" && (
        <div className="p-4 sm:p-5">
          <UsageChart days={days} before={before} live={live} />
        </div>
      )}
      <DaysTable days={days} isHidden={face === "chart"} />
    </Card>
  );
}
