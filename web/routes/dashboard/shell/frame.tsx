import { onlineManager, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import type { UsageSummary } from "../../../../contract/reports.ts";
import { ModeSwitch } from "../../../components/dashboard/mode-switch.tsx";
import { PageNotices } from "../../../components/dashboard/page-heading.tsx";
import { SubscriptionWarning } from "../../../components/dashboard/subscription-warning.tsx";
import { SkipLink } from "../../../components/ui/link.tsx";
import { RowsSkeleton, Loading } from "../../../components/ui/skeleton.tsx";
import { formatCount } from "../../../../contract/format.ts";
import { countryName, formatMoment } from "../../../lib/format.ts";
import { useMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";
import { Header, SideNav, usePath } from "./navigation.tsx";
import { MeterBar } from "./usage-meter.tsx";

function Countries({ summary: { top_countries: countries, total_verifications: total } }: { summary: UsageSummary }) {
  if (countries.length === 0) return <p className="text-sm text-muted">No data yet</p>;
  return (
    <ol className="flex flex-col gap-4">
      {countries.map(({ country_code: code, count }) => (
        <li key={code}>
          <div className="flex items-baseline justify-between gap-3 text-sm">
            <span className="min-w-0 truncate text-ink">{countryName(code)}</span>
            <span className="text-sm text-muted tabular-nums">{formatCount(count)}</span>
          </div>
          {/* The share of all verifications. */}
          <MeterBar share={count / total} className="mt-1.5 h-1" />
        </li>
      ))}
    </ol>
  );
}

/** Beside the keys on wide screens: the mode, and the numbers' countries. */
function RightPanel() {
  const mode = useMode();
  const summary = useQuery(queries.summary(mode));
  return (
    <div className="flex flex-col gap-9 p-6 pt-9">
      <section aria-labelledby="panel-mode">
        <h2 id="panel-mode" className="label mb-2.5 font-normal">
          Mode
        </h2>
        <ModeSwitch className="w-full" />
      </section>
      <section aria-labelledby="panel-countries">
        <h2 id="panel-countries" className="label mb-3.5 font-normal">
          Top Countries
        </h2>
        <p className="-mt-2.5 mb-3.5 text-sm text-muted">All time</p>
        {summary.data !== undefined ? (
          <Countries summary={summary.data} />
        ) : summary.error === null ? (
          <Loading label="Loading countries">
            <RowsSkeleton rows={5} />
          </Loading>
        ) : (
          // The page says more, and offers another try.
          <p className="text-sm text-muted">Couldn’t load countries.</p>
        )}
      </section>
    </div>
  );
}

/** While the browser has no connection: what is shown stays, as of then. */
function Offline() {
  const [since, setSince] = useState(() => (onlineManager.isOnline() ? null : Date.now()));
  useEffect(() => onlineManager.subscribe((isOnline) => setSince(isOnline ? null : Date.now())), []);
  return (
    <output className="block">
      {since !== null && (
        <span
          data-offline=""
          className="flex min-h-9 items-center gap-2 border-t border-possible/45 bg-possible-wash px-5 py-1.5 text-sm text-ink lg:px-7"
        >
          <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-possible" strokeWidth={1.5} />
          <span>You’re offline. Anything shown here is from {formatMoment(since)}.</span>
        </span>
      )}
    </output>
  );
}

// The header is 4 rem high, and has a border; offline, one line more.
const HEAD = "[--head:calc(4rem+1px)] has-data-offline:[--head:calc(6.25rem+1px)]";
const COLUMN = "sticky top-(--head) h-[calc(100dvh-var(--head))] overflow-y-auto overscroll-contain";

interface ColumnsProps {
  header: ReactNode;
  /** Beside the keys on wide screens. */
  panel?: ReactNode;
  children: ReactNode;
}

/** A dashboard page's header, and below it the navigation, the page, and the panel. */
export function Columns({ header, panel, children }: ColumnsProps) {
  const hasPanel = usePath() === "/dashboard";
  return (
    <div className={clsx("min-h-dvh", HEAD)}>
      {header}
      <div
        className={clsx(
          "grid grid-cols-[minmax(0,1fr)] print:block lg:grid-cols-[15rem_minmax(0,1fr)]",
          hasPanel && "2xl:grid-cols-[15rem_minmax(0,1fr)_18rem]",
        )}
      >
        <aside aria-label="Sidebar" className="hidden border-r border-line lg:block">
          <div className={COLUMN}>
            <SideNav />
          </div>
        </aside>
        {hasPanel && (
          // Before the page in keyboard order: the mode decides what the page shows.
          <aside aria-label="At a glance" className="hidden border-l border-line 2xl:col-start-3 2xl:block">
            <div className={COLUMN}>{panel}</div>
          </aside>
        )}
        <main
          id="main"
          tabIndex={-1}
          className="min-w-0 2xl:col-start-2 2xl:row-start-1 px-5 py-8 outline-none md:px-8 lg:min-h-[calc(100dvh-var(--head))] xl:px-10"
        >
          <div className="mx-auto max-w-[70rem]">{children}</div>
        </main>
      </div>
    </div>
  );
}

/** The frame of every dashboard page. */
export function Frame({ children }: { children: ReactNode }) {
  const path = usePath();
  const notices =
    // These pages have their own.
    path !== "/dashboard" && path !== "/dashboard/settings/subscription" && <SubscriptionWarning className="mb-8" />;
  return (
    <Columns
      header={
        <>
          <SkipLink />
          <Header>
            <Offline />
          </Header>
        </>
      }
      panel={<RightPanel />}
    >
      <PageNotices value={notices}>{children}</PageNotices>
    </Columns>
  );
}
