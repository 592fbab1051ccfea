import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { Logo } from "../../../components/brand/logo.tsx";
import {
  ControlOutline,
  ReportControlsOutline,
  FiltersOutline,
  KeysOutline,
  ReportOutline,
  SetupOutline,
  TabsOutline,
} from "../../../components/dashboard/outlines.tsx";
import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { RowsSkeleton } from "../../../components/dashboard/query-state.tsx";
import { StatsSkeleton } from "../../../components/dashboard/stat-cards.tsx";
import { Spinner } from "../../../components/ui/button.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { CountriesSkeleton } from "./frame.tsx";
import { SideNav } from "./navigation.tsx";

/** By the part of the address after /dashboard. */
const SHAPES: Readonly<Record<string, ReactNode>> = {
  "": (
    <>
      <div className="@container mb-8">
        <StatsSkeleton />
      </div>
      <KeysOutline />
    </>
  ),
  bulk: <SetupOutline />,
  activity: (
    <>
      <FiltersOutline />
      <RowsSkeleton rows={8} />
    </>
  ),
  reports: (
    <>
      <ReportControlsOutline />
      <ReportOutline />
    </>
  ),
  settings: (
    <>
      <TabsOutline widths={["w-12", "w-24", "w-16"]} />
      <div className="mt-8 grid gap-x-10 gap-y-4 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <Skeleton className="w-28" />
        <RowsSkeleton rows={4} />
      </div>
    </>
  ),
};

/** The buttons beside each page's heading, by section. */
const ACTIONS: Readonly<Record<string, ReactNode>> = {
  "": <ControlOutline className="h-9 w-24 lg:hidden" />,
  activity: (
    <>
      <ControlOutline className="h-9 w-34" />
      <ControlOutline className="h-9 w-16 sm:hidden" />
    </>
  ),
  reports: <ControlOutline className="h-9 w-34" />,
};

/** The page's outline while the session is checked; also what the prerendered HTML shows. */
export function Waiting() {
  const section = useLocation().pathname.split("/")[2] ?? "";
  const isKeys = section === "";
  return (
    <div className="min-h-dvh">
      <header className="border-b border-line">
        <div className="flex min-h-16 items-center gap-2 px-5 sm:gap-4 lg:px-7">
          {/* Where the menu's button will be. */}
          <div className="-ml-2 grid size-11 place-items-center lg:hidden">
            <Skeleton className="w-5" />
          </div>
          <Logo />
          <p className="ml-auto flex items-center gap-2.5 text-sm text-muted animate-appear [animation-delay:400ms]">
            <span className="animate-appear [animation-delay:1s] max-sm:sr-only">Checking your session</span>
            <Spinner />
          </p>
        </div>
        <div className="flex items-center gap-2.5 border-t border-line px-5 py-2 sm:hidden">
          <Skeleton className="h-1.5! flex-1" />
          <Skeleton className="w-36" />
        </div>
      </header>
      <div
        className={clsx(
          "grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[15rem_minmax(0,1fr)]",
          isKeys && "xl:grid-cols-[15rem_minmax(0,1fr)_18rem]",
        )}
      >
        <aside aria-label="Sidebar" className="hidden h-[calc(100dvh-4rem-1px)] border-r border-line lg:block">
          <SideNav />
        </aside>
        <main className="px-5 py-8 md:px-8 xl:px-10">
          <div aria-busy="true" className="mx-auto max-w-[70rem]">
            <PageHeading actions={ACTIONS[section]} />
            <noscript>
              <p className="mb-8 text-soft">Turn on JavaScript to use the dashboard.</p>
            </noscript>
            {SHAPES[section]}
          </div>
        </main>
        {isKeys && (
          <div className="hidden border-l border-line p-6 pt-9 xl:block">
            <Skeleton className="mb-3 w-12" />
            <Skeleton className="mb-14 h-11" />
            <CountriesSkeleton />
          </div>
        )}
      </div>
    </div>
  );
}
