import type { UsageReport } from "../../../../contract/reports.ts";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { formatRate } from "../../../components/dashboard/figures.ts";
import { formatCount, formatSpan, fullDay } from "./figures.ts";

function Rows({ days }: { days: UsageReport["days"] }) {
  // The newest first: whoever looks wants to know about today.
  return days.toReversed().map((day) => (
    <tr key={day.date}>
      <Th scope="row" className="font-mono text-sm font-normal! whitespace-nowrap">
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

/** The figures of the chart, a row a day. */
export function DaysTable({ days }: { days: UsageReport["days"] }) {
  return (
    <Table mono hideCaption caption={`Verifications by day, ${formatSpan(days)}`} className="max-h-112 overflow-y-auto">
      <Head />
      <tbody>
        <Rows days={days} />
      </tbody>
    </Table>
  );
}

/** The same for those who listen to the page, while the chart is shown to the others. */
export function HiddenDaysTable({ days }: { days: UsageReport["days"] }) {
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
