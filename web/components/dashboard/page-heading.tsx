import { createContext, use } from "react";
import type { ReactNode } from "react";
import { useLocation } from "react-router";

/** The dashboard's notices on a page, shown below its heading. */
export const PageNotices = createContext<ReactNode>(null);

interface Head {
  /** The page's `h1`. */
  readonly title: string;
  /** A line about what is done here. */
  readonly description: string;
}

/** By the part of the address after /dashboard: the heads are in the prerendered HTML, before any page's code. */
const HEADS: Readonly<Record<string, Head>> = {
  "": { title: "API Keys", description: "Use a test key in development and a live key in production." },
  bulk: {
    title: "Bulk verify",
    description: "Verify a list with live data. Only valid numbers count toward your quota.",
  },
  activity: {
    title: "Activity",
    description: "Up to 500 successful and 500 failed calls from the last 30 days. Never a phone number.",
  },
  reports: { title: "Reports", description: "Usage by day, country, and key, in UTC." },
  settings: { title: "Settings", description: "Your profile, plan, and security." },
};

/**
 * The head of a dashboard page, with buttons at the end of its line, and below it the dashboard's notices. The `h1` gets
 * the focus when the focused element disappears.
 */
export function PageHeading({ actions }: { actions?: ReactNode }) {
  const notices = use(PageNotices);
  const section = useLocation().pathname.split("/")[2] ?? "";
  const head = HEADS[section];
  if (head === undefined) throw new Error(`The page ${section} has no heading`);
  const { title, description } = head;
  return (
    <>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-4 md:mb-8">
        <div className="min-w-0 flex-1 basis-60">
          <h1 tabIndex={-1} className="text-2xl tracking-[-0.025em] text-ink outline-none">
            {title}
          </h1>
          <p className="mt-1 max-w-[42rem] text-base text-muted">{description}</p>
        </div>
        {actions && <div className="-mt-0.5 flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {notices}
    </>
  );
}

/** Moves focus to the page's heading, since the focused element is about to disappear. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}
