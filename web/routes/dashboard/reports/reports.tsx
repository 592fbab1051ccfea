import { useQuery } from "@tanstack/react-query";
import { ReportCard } from "./report-card.tsx";
import { DownloadButton } from "./download-button.tsx";
import { EmptyReport } from "./empty-report.tsx";
import { CountriesCard } from "./countries-card.tsx";
import { ReportControls } from "./report-controls.tsx";
import { ReportFigures } from "./report-figures.tsx";
import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { pageMeta } from "../../../lib/page-meta.ts";
import { queries } from "../../../lib/queries.ts";
import { sumOf } from "./figures.ts";
import { useReportChoice } from "./use-report-choice.ts";

export function meta() {
  return pageMeta({
    title: "Reports · Checkline",
    description: "What your account has verified, by day and by country.",
    path: "/dashboard/reports",
    indexed: false,
  });
}

function Placeholder() {
  return (
    <div className="grid gap-8">
      <Skeleton className="h-25 rounded-lg" />
      <Skeleton className="h-96 rounded-lg" />
      <Skeleton className="h-60 rounded-lg" />
    </div>
  );
}

export default function Reports() {
  const { choice, mode, choose } = useReportChoice();
  const report = useQuery({ ...queries.usage(choice.days, mode), refetchOnWindowFocus: "always" });
  return (
    <>
      <PageHeading
        title="Reports"
        description="What your account has verified, by day and by country. Days begin at midnight UTC."
        actions={<DownloadButton days={choice.days} mode={mode} />}
      />
      <ReportControls choice={choice} mode={mode} onChoose={choose} />
      <QueryState query={report} what="the report" skeleton={<Placeholder />}>
        {(data) =>
          sumOf(data.days).total === 0 ? (
            <EmptyReport choice={choice} mode={mode} onChoose={choose} />
          ) : (
            <div className="grid gap-8">
              <ReportFigures days={data.days} />
              <ReportCard key={`${choice.days} ${mode}`} days={data.days} />
              <CountriesCard countries={data.countries} />
            </div>
          )
        }
      </QueryState>
    </>
  );
}
