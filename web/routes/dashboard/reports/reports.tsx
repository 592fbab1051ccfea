import { useState } from "react";
import type { ReactNode } from "react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import Download from "lucide-react/icons/download";
import { reports } from "../../../../contract/endpoints/reports.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import type { UsageReport } from "../../../../contract/reports.ts";
import { EmptyState, GhostChart } from "../../../components/dashboard/empty-state.tsx";
import { FirstCall, TryLink } from "../../../components/dashboard/first-call.tsx";
import { Figures } from "../../../components/dashboard/cells.tsx";
import { focusHeading, PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card, CardHeader } from "../../../components/ui/card.tsx";
import { RowsSkeleton, Skeleton } from "../../../components/ui/skeleton.tsx";
import { Table, Th } from "../../../components/ui/table.tsx";
import { request } from "../../../lib/api/call.ts";
import { formatChange, formatRate, formatRateChange, formatSpan, sumOf, usageFileName } from "../../../lib/figures.ts";
import { formatCount } from "../../../../contract/format.ts";
import { countryName } from "../../../lib/format.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { queries } from "../../../lib/queries.ts";
import { saveTextFile } from "../../../lib/save-file.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { COUNTED, Counts, Head, ReportCard } from "./report-card.tsx";
import { ReportControls, useReportChoice } from "./report-controls.tsx";
import type { ReportChoice } from "./report-controls.tsx";
import type { UsageChartProps } from "./usage-chart.tsx";

const SHOWN = 5;
const UNKNOWN = "ZZ";

/** The country's ISO code. */
function Code({ code }: { code: string }) {
  return (
    <span aria-hidden="true" className="w-6 shrink-0 font-mono text-xs text-muted max-sm:hidden">
      {code === UNKNOWN ? "–" : code}
    </span>
  );
}

/** Verifications by country, most first. */
function CountriesCard({ countries }: { countries: UsageReport["countries"] }) {
  const [all, setAll] = useState(false);
  // The numbers of unknown countries are no country.
  const known = countries.filter(({ country_code: code }) => code !== UNKNOWN).length;
  return (
    <Card padding="none">
      <CardHeader title={<h2>Top Countries</h2>} />
      <Table hideCaption caption="Verifications by country" className={COUNTED}>
        <Head of="Country" />
        <tbody>
          {countries.map((country, at) => (
            // On paper, all of them.
            <tr key={country.country_code} className={all || at < SHOWN ? undefined : "hidden print:table-row"}>
              <Th scope="row" className="font-normal!">
                <span className="flex items-baseline gap-2">
                  <Code code={country.country_code} />
                  {countryName(country.country_code)}
                </span>
              </Th>
              <Counts {...country} />
            </tr>
          ))}
        </tbody>
      </Table>
      {countries.length > SHOWN && (
        <div className="border-t border-line p-2 print:hidden">
          <Button variant="quiet" size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Show the first ${SHOWN}` : `Show all ${known} countries`}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** Verifications by key, most first. */
function KeysCard({ keys, download }: { keys: UsageReport["keys"]; download: ReactNode }) {
  return (
    <Card padding="none">
      <CardHeader title={<h2>Keys</h2>} description="Includes revoked keys." actions={download} />
      <Table hideCaption caption="Verifications by key" className={COUNTED}>
        <Head of="Key" />
        <tbody>
          {keys.map(({ key_id: id, name, mode, ...counts }) => (
            <tr key={`${id} ${mode}`}>
              <Th scope="row" className="font-normal!">
                <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                  {/* On a phone, wide enough for most words; only longer ones break. */}
                  <span className="max-sm:min-w-18 wrap-anywhere">{name ?? id}</span>
                  <Badge tone={mode}>{mode}</Badge>
                </span>
              </Th>
              <Counts {...counts} />
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

interface DownloadProps {
  readonly days: number;
  readonly mode: KeyMode | undefined;
  readonly keyId: string | undefined;
  readonly by?: "key";
  readonly disabled?: boolean;
}

/** Saves the API's CSV report: one line per day, or per day and key. */
function DownloadButton({ days, mode, keyId, by, disabled }: DownloadProps) {
  const download = useMutation({
    mutationFn: () =>
      request(reports.usageReport, { days: String(days), mode, key_id: keyId, by }, { accept: "text/csv" }),
    onSuccess: ({ text: csv }) => saveTextFile(usageFileName(csv, mode, by), csv, "text/csv;charset=utf-8"),
    onError: (error) => toastFailure("Couldn’t download the report", error),
  });
  return (
    <Button
      variant="secondary"
      size="sm"
      busy={download.isPending}
      disabled={disabled}
      onClick={() => download.mutate()}
    >
      <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
      {/* Beside the page's heading, a phone has room for the arrow only. */}
      {by === "key" ? "CSV by key" : <span className="max-sm:sr-only">Download CSV</span>}
    </Button>
  );
}

const WITH = { test: " with a test key", live: " with a live key", both: "" } as const;

/** Nothing was verified in the period: what to do next. */
function EmptyReport({ choice, mode, choose, isUnused }: ReportChoice & { isUnused: boolean }) {
  const other = mode === "test" ? "live" : "test";
  const { data } = useQuery({ ...queries.summary(other), enabled: mode !== undefined && !isUnused });
  const elsewhere = mode === undefined ? 0 : (data?.total_verifications ?? 0);
  function show(change: Parameters<typeof choose>[0]) {
    choose(change);
    // The button is gone by then.
    focusHeading();
  }
  return (
    <EmptyState
      title={
        <h2>
          {isUnused
            ? "No verifications yet"
            : `No verifications${WITH[mode ?? "both"]} in the last ${choice.days} days`}
        </h2>
      }
      actions={
        <>
          {elsewhere > 0 && <Button onClick={() => show({ scope: other })}>Show {other}</Button>}
          {!isUnused && choice.days < 90 && (
            <Button variant="secondary" onClick={() => show({ days: 90 })}>
              Show 90 days
            </Button>
          )}
          {elsewhere === 0 && <TryLink />}
        </>
      }
      example={isUnused && <FirstCall />}
      ghost={<GhostChart />}
    >
      {isUnused
        ? "Verify a number with an API key. Your figures appear here within seconds."
        : `${elsewhere > 0 ? `You have ${formatCount(elsewhere, `${other} verification`)}. ` : ""}Reports go back 90 days.`}
    </EmptyState>
  );
}

/** The period in four figures, each compared with the days before. */
function ReportFigures({ days, before }: UsageChartProps) {
  const sum = sumOf(days);
  const earlier = sumOf(before ?? []);
  const figures = [
    { name: "Total", value: formatCount(sum.total), note: formatChange(sum.total, earlier.total) },
    { name: "Valid", value: formatCount(sum.successful), note: formatChange(sum.successful, earlier.successful) },
    {
      name: "Invalid",
      value: formatCount(sum.total - sum.successful),
      note: formatChange(sum.total - sum.successful, earlier.total - earlier.successful),
    },
    {
      name: "Valid rate",
      value: formatRate(sum),
      note: formatRateChange(sum, earlier),
    },
  ];
  return (
    <section aria-label={`Figures, ${formatSpan(days)}`}>
      <Figures figures={figures} />
      {earlier.total > 0 && (
        <p className="mt-2 text-sm text-muted">Compared with the {formatCount(days.length, "day")} before.</p>
      )}
    </section>
  );
}

/** As high as the figures and the chart. */
function ReportSkeleton() {
  const figures = ["Total", "Valid", "Invalid", "Valid rate"].map((name) => ({
    name,
    value: <Skeleton className="my-2 w-20" />,
    note: <Skeleton className="my-0.5 w-12" />,
  }));
  return (
    <div className="grid gap-6 sm:gap-8">
      <Figures figures={figures} />
      <Card padding="none">
        <CardHeader title={<Skeleton className="my-3.5 w-44" />} />
        <div className="p-4 sm:p-5">
          <Skeleton className="h-72 sm:h-80" />
        </div>
      </Card>
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
  // The chosen days and as many before them, to compare.
  const twice = useQuery(queries.usage(2 * choice.days, mode, choice.key)).data?.days;
  const { data: all } = useQuery(queries.summary(undefined));
  // The account has never verified anything: other options show nothing either.
  const isUnused = all?.total_verifications === 0 && (report.data === undefined || sumOf(report.data.days).total === 0);
  /** The days before a report's; undefined while they belong to another choice. */
  function beforeOf(days: UsageReport["days"]): UsageReport["days"] | undefined {
    const at = twice?.findIndex(({ date }) => date === days[0]?.date);
    return at === days.length ? twice?.slice(0, at) : undefined;
  }
  return (
    <>
      <PageHeading
        actions={
          !isUnused && (
            <DownloadButton days={choice.days} mode={mode} keyId={choice.key} disabled={report.isLoadingError} />
          )
        }
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
              <ReportFigures days={data.days} before={beforeOf(data.days)} />
              <ReportCard key={`${choice.days} ${mode} ${choice.key}`} days={data.days} before={beforeOf(data.days)} />
              <CountriesCard countries={data.countries} />
              <KeysCard
                keys={data.keys}
                download={<DownloadButton days={choice.days} mode={mode} keyId={choice.key} by="key" />}
              />
            </div>
          )
        }
      </QueryState>
    </>
  );
}
