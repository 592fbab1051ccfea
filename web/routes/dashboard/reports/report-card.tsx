import { Component, lazy, Suspense, useState } from "react";
import type { ReactNode } from "react";
import type { UsageReport } from "../../../../contract/reports.ts";
import { Card, CardHeader } from "../../../components/ui/card.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { Loading, Skeleton } from "../../../components/ui/skeleton.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { formatRate, formatSpan, fullDay } from "../../../lib/figures.ts";
import { formatCount } from "../../../lib/format.ts";

function Rows({ days }: { days: UsageReport["days"] }) {
  // The newest first: today matters most.
  return days.toReversed().map((day) => (
    <tr key={day.date}>
      <Th scope="row" className="font-normal! whitespace-nowrap">
        <time dateTime={day.date}>{fullDay(day.date)}</time>
      </Th>
      <Td numeric>{formatCount(day.total)}</Td>
      <Td numeric>{formatCount(day.successful)}</Td>
      <Td numeric>{formatCount(day.total - day.successful)}</Td>
      <Td numeric>{formatRate(day)}</Td>
    </tr>
  ));
}

function Head() {
  return (
    <thead>
      <tr>
        <Th>Day (UTC)</Th>
        <Th numeric>Total</Th>
        <Th numeric>Successful</Th>
        <Th numeric>Failed</Th>
        <Th numeric>Rate</Th>
      </tr>
    </thead>
  );
}

/** The chart's figures, one row per day. */
function DaysTable({ days }: { days: UsageReport["days"] }) {
  return (
    <Table hideCaption caption={`Verifications by day, ${formatSpan(days)}`} className="max-h-112 overflow-y-auto">
      <Head />
      <tbody>
        <Rows days={days} />
      </tbody>
    </Table>
  );
}

/** The same for screen readers, while the chart is shown to others. */
function HiddenDaysTable({ days }: { days: UsageReport["days"] }) {
  return (
    <div className="sr-only">
      <table>
        <caption>Verifications by day, {formatSpan(days)}</caption>
        <Head />
        <tbody>
          <Rows days={days} />
        </tbody>
      </table>
    </div>
  );
}

/** The only import of recharts: loaded when a chart is shown, and by no other page. */
const UsageChart = lazy(() => import("./usage-chart.tsx"));

const FACES = [
  { value: "chart", label: "Chart" },
  { value: "table", label: "Table" },
] as const;

interface Failed {
  readonly failed: boolean;
}

/** Shows something else if the chart can't be loaded or drawn. */
class ChartBoundary extends Component<{ instead: ReactNode; children: ReactNode }, Failed> {
  override state: Failed = { failed: false };

  static getDerivedStateFromError(): Failed {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}

function ChartFace({ days }: { days: UsageReport["days"] }) {
  const waiting = (
    <Loading label="Loading the chart">
      <Skeleton className="skeleton-bars mt-8 h-64 sm:h-72 [--bars:30]" />
    </Loading>
  );
  return (
    <>
      <div className="p-4 sm:p-5">
        <Suspense fallback={waiting}>
          <UsageChart days={days} />
        </Suspense>
      </div>
      <HiddenDaysTable days={days} />
    </>
  );
}

/** Verifications by day: as a chart, or as a table. If the chart fails to load, the table is still there. */
export function ReportCard({ days }: { days: UsageReport["days"] }) {
  const [face, setFace] = useState<"chart" | "table">("chart");
  return (
    <Card padding="none" className="relative overflow-hidden">
      <CardHeader
        title={<h2>Verifications by day</h2>}
        description={`${formatSpan(days)}, UTC. Today is still in progress.`}
        actions={<Segmented size="sm" label="Show as" options={FACES} value={face} onChange={setFace} />}
      />
      {face === "table" ? (
        <DaysTable days={days} />
      ) : (
        <ChartBoundary
          instead={
            <>
              <output className="block border-b border-line px-5 py-3 text-sm text-soft">
                The chart didn’t load. Reload the page to try again.
              </output>
              <DaysTable days={days} />
            </>
          }
        >
          <ChartFace days={days} />
        </ChartBoundary>
      )}
    </Card>
  );
}
