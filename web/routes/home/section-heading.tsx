import type { ReactNode } from "react";

/** How every landing page section starts: a large title, and a sentence beside or below it, aligned at the top. */
export function SectionHeading({ id, title, children }: { id: string; title: ReactNode; children?: ReactNode }) {
  return (
    <div className="grid items-start gap-x-12 gap-y-4 lg:grid-cols-2">
      <h2 id={id} className="max-w-[18ch] text-title font-medium">
        {title}
      </h2>
      {children !== undefined && (
        <p className="max-w-[52ch] text-lead text-soft lg:justify-self-end lg:pt-2">{children}</p>
      )}
    </div>
  );
}
