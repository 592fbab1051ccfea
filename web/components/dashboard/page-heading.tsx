import { createContext, use } from "react";
import type { ReactNode } from "react";

/** The dashboard's notices on a page, shown below its heading. */
export const PageNotices = createContext<ReactNode>(null);

interface PageHeadingProps {
  /** The page's `h1`. */
  title: string;
  /** One line about the page's purpose. */
  description?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
}

/** A dashboard page's heading, and the dashboard's notices below it. The `h1` receives focus from removed elements. */
export function PageHeading({ title, description, actions }: PageHeadingProps) {
  const notices = use(PageNotices);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-4 md:mb-8">
        <div className="min-w-0 flex-1 basis-60">
          <h1 tabIndex={-1} className="text-2xl tracking-[-0.025em] text-ink outline-none">
            {title}
          </h1>
          {description && <p className="mt-1 max-w-[42rem] text-base text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {notices}
    </>
  );
}

/** Moves focus to the page's heading, since the focused element is about to disappear. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}
