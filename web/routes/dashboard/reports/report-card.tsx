import { useState } from "react";
import { clsx } from "clsx";
import type { UsageReport } from "../../../../contract/reports.ts";
import { formatCount, formatUtcDay } from "../../../../contract/format.ts";
import { Card, CardHeader } from "../../../components/ui/card.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { formatRate, formatSpan } from "../../../lib/figures.ts";
import { UsageChart } from "./usage-chart.tsx";
import type { UsageChartProps } from "./usage-chart.tsx";

/** The cells of a row below `Head`, after the first. */
export function Counts({ total, successful }: { total: number; successful: number }) {
  return (
    <>
      <Td numeric>{formatCount(total)}</Td>
      <Td numeric>{formatCount(successful)}</Td>
      <Td numeric>{formatCount(total - successful)}</Td>
      <Td numeric>{formatRate({ total, successful })}</Td>
    </>
  );
}

/** @param of what each row counts */
export function Head({ of }: { of: string }) {
  return (
    <thead>
      <tr>
        <Th>{of}</Th>
        <Th numeric>Total</Th>
        <Th numeric>Valid</Th>
        <Th numeric>Invalid</Th>
        <Th numeric>Rate</Th>
      </tr>
    </thead>
  );
}

/**
 * The columns of counts are as wide in each table. Total less invalid is valid, the third: a phone has no room for
 * all three.
 */
export const COUNTED =
  "sm:[&_table]:table-fixed sm:[&_th]:w-[16%] sm:[&_th:first-child]:w-auto max-sm:[&_tr>:nth-child(3)]:hidden [&_td]:px-2 [&_th]:px-2 max-[22rem]:[&_table]:text-sm max-[22rem]:[&_td]:px-1 max-[22rem]:[&_th]:px-1";

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
export function ReportCard({ days, before }: UsageChartProps) {
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
          <UsageChart days={days} before={before} />
        </div>
      )}
      <DaysTable days={days} isHidden={face === "chart"} />
    </Card>
  );
}
