import type { ReactNode } from "react";

export interface PageHeadingProps {
  /** The page's `h1`. */
  title: string;
  /** A line about what is done here. */
  description?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
}

/** The head of a dashboard page. */
export function PageHeading({ title, description, actions }: PageHeadingProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-4 md:mb-8">
      <div className="min-w-0 flex-1 basis-60">
        <h1 className="text-2xl tracking-[-0.025em] text-ink">{title}</h1>
        {description && <p className="mt-1 max-w-[42rem] text-base text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
