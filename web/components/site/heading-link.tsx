import type { ReactNode } from "react";
import { Link } from "react-router";

/** The words of a heading as a link to it. The sign after them shows under the pointer and in focus. */
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
