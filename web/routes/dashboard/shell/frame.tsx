import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { PageNotices } from "../../../components/dashboard/page-notices.ts";
import { Checklist } from "../../../components/dashboard/checklist.tsx";
import { SubscriptionWarning } from "../../../components/dashboard/subscription-warning.tsx";
import { Header } from "./header.tsx";
import { RightPanel } from "./right-panel.tsx";
import { SideNav } from "./side-nav.tsx";

const COLUMN = "sticky top-16 h-[calc(100dvh-4rem)] overflow-y-auto overscroll-contain";

/** What stands around every page of the dashboard. */
export function Frame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const path = pathname.replace(/\/+$/, "");
  const notices = (
    <>
      {/* The page about the subscription says it in its own place. */}
      {path !== "/dashboard/settings/subscription" && <SubscriptionWarning className="mb-8" />}
      {path === "/dashboard" && <Checklist />}
    </>
  );
  return (
    <div className="min-h-dvh">
      <a
        href="#main"
        className="fixed top-2 left-2 z-30 -translate-y-20 rounded-md bg-ink px-4 py-3 text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <Header />
      <div className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[15rem_minmax(0,1fr)] xl:grid-cols-[15rem_minmax(0,1fr)_18rem]">
        <aside aria-label="Sidebar" className="hidden border-r border-line lg:block">
          <div className={COLUMN}>
            <SideNav />
          </div>
        </aside>
        <main
          id="main"
          tabIndex={-1}
          className="min-h-[calc(100dvh-4rem)] min-w-0 px-5 py-8 outline-none md:px-8 xl:px-10"
        >
          <div className="mx-auto max-w-[68rem]">
            <PageNotices value={notices}>{children}</PageNotices>
          </div>
        </main>
        <div className="hidden border-l border-line xl:block">
          <div className={COLUMN}>
            <RightPanel />
          </div>
        </div>
      </div>
    </div>
  );
}
