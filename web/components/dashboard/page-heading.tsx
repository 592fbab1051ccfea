import { createContext, use } from "react";
import type { ReactNode } from "react";

/** The dashboard's notices on a page, shown below its heading. */
export const PageNotices = createContext<ReactNode>(null);

interface PageHeadingProps {
  /** The page's `h1`. */
  title: string;
  /** A line about what is done here. */
  description?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
}

/** The head of a dashboard page, and below it the dashboard's notices. The `h1` takes the focus of what goes away. */
export function PageHeading({ title, description, actions }: PageHeadingProps) {
  const notices = use(PageNotices);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-4 md:mb-8">
        <div className="min-w-0 flex-1 basis-60">
          <h1 tabIndex={-1} className="text-2xl tracking-[-0.025em] text-ink outline-none">
            {title}
          </h1>
          {description && <p className="mt-1 max-w-[42rem] text-base text-muted">{description}</p>}
        </div>
        {actions && <div className="-mt-0.5 flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {notices}
    </>
  );
}

/** Puts the focus on the page's heading: what had it is about to go. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}
