import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { UsageReport } from "../../../../contract/reports.ts";
import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { RowsSkeleton, Skeleton } from "../../../components/ui/skeleton.tsx";
import { sumOf } from "../../../lib/figures.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { queries } from "../../../lib/queries.ts";
import { DownloadButton } from "./download-button.tsx";
import { EmptyReport } from "./empty-report.tsx";
import { ReportFigures } from "./figures.tsx";
import { ReportCard } from "./report-card.tsx";
import { ReportControls, useReportChoice } from "./report-controls.tsx";
import { CountriesCard, KeysCard } from "./tables.tsx";

/** As high as the figures and the chart. */
function ReportSkeleton() {
  return (
    <div className="grid gap-6 sm:gap-8">
      <Skeleton className="h-45 sm:h-32" />
      <Skeleton className="h-112" />
      <RowsSkeleton rows={5} />
    </div>
  );
}

export const meta = () =>
  accountPageMeta("Reports", "/dashboard/reports", "Your verifications by day, country, and key.");

export default function Reports() {
  const reportChoice = useReportChoice();
  const { choice, mode } = reportChoice;
  const report = useQuery({
    ...queries.usage(choice.days, mode, choice.key),
    refetchOnWindowFocus: "always",
    // Dimmed, until the chosen ones are there. An empty report would speak of the new choice.
    placeholderData: (before: UsageReport | undefined) =>
      before === undefined || sumOf(before.days).total === 0 ? undefined : before,
  });
  // Of both, to split them.
  const live = useQuery({ ...queries.usage(choice.days, "live", choice.key), enabled: mode === undefined }).data?.days;
  // The chosen days and as many before them: whole weeks, so that a day is compared with the same day of the week.
  const twice = useQuery(queries.usage(2 * choice.days, mode, choice.key)).data?.days;
  const { data: all } = useQuery(queries.summary(undefined));
  // The account has never verified anything: other options show nothing either.
  const isUnused = all?.total_verifications === 0 && (report.data === undefined || sumOf(report.data.days).total === 0);
  /** The days before a report's; undefined while they belong to another choice. */
  function beforeOf(days: UsageReport["days"]): UsageReport["days"] | undefined {
    const at = twice?.findIndex(({ date }) => date === days[0]?.date);
    return at === days.length ? twice?.slice(0, at) : undefined;
  }
  const chartOf = (days: UsageReport["days"]) => ({
    days,
    before: beforeOf(days),
    live: mode === undefined && live?.[0]?.date === days[0]?.date ? live : undefined,
  });
  return (
    <>
      <PageHeading
        actions={!isUnused && <DownloadButton choice={choice} mode={mode} disabled={report.isLoadingError} />}
      />
      {!isUnused && <ReportControls {...reportChoice} />}
      <QueryState query={report} what="the report" skeleton={<ReportSkeleton />}>
        {(data) =>
          sumOf(data.days).total === 0 ? (
            <EmptyReport {...reportChoice} isUnused={isUnused} />
          ) : (
            <div
              aria-busy={report.isPlaceholderData}
              className={clsx("grid gap-6 sm:gap-8", report.isPlaceholderData && "opacity-60")}
            >
              <ReportFigures {...chartOf(data.days)} />
              <ReportCard key={`${choice.days} ${mode} ${choice.key}`} {...chartOf(data.days)} />
              <CountriesCard countries={data.countries} />
              <KeysCard keys={data.keys} download={<DownloadButton choice={choice} mode={mode} by="key" />} />
            </div>
          )
        }
      </QueryState>
    </>
  );
}
