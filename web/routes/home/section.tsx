import { clsx } from "clsx";
import type { ReactNode } from "react";

interface SectionProps {
  /** What its heading's ID begins with, and its own, which links lead to. */
  readonly id: string;
  readonly title: ReactNode;
  /** A sentence beside the title, or below. */
  readonly lead: ReactNode;
  readonly isSunken?: boolean;
  readonly children: ReactNode;
}

/** A section of the landing page. */
export function Section({ id, title, lead, isSunken = false, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={clsx("border-t border-line", isSunken && "bg-sunken")}>
      <div className="page-width py-8 md:py-24">
        <div className="mb-6 grid items-start gap-x-12 gap-y-3 md:mb-10 lg:grid-cols-2">
          <h2 id={`${id}-title`} className="max-w-[18ch] text-title font-medium">
            {title}
          </h2>
          <p className="max-w-[52ch] text-lead text-soft lg:justify-self-end lg:pt-2">{lead}</p>
        </div>
        {children}
      </div>
    </section>
  );
}
