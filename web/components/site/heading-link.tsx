import type { ReactNode } from "react";
import { Link } from "react-router";

/** A heading's text as a link to it. The symbol after it shows on hover and focus. */
export function HeadingLink({ id, children }: { id: string | undefined; children: ReactNode }) {
  return (
    <Link to={`#${id}`} className="group/anchor">
      {children}
      <span
        aria-hidden="true"
        className="ml-2 font-normal text-muted opacity-0 group-hover/anchor:opacity-100 group-focus-visible/anchor:opacity-100"
      >
        #
      </span>
    </Link>
  );
}
