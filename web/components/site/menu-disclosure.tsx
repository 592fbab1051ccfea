import { Menu, X } from "lucide-react";
import type { ReactNode } from "react";
import { useRef } from "react";
import { clsx } from "clsx";
import { useDismiss } from "./use-dismiss.ts";

interface MenuDisclosureProps {
  /** Says at which width the menu is no longer needed: `lg:hidden`. */
  readonly className: string;
  readonly children: ReactNode;
}

/** A header's menu where its links have no room: a button, and below the header a panel. It opens without a script too. */
export function MenuDisclosure({ className, children }: MenuDisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useDismiss(details);
  return (
    <details ref={details} className={clsx("group", className)}>
      <summary
        aria-label="Menu"
        className="-mr-2.5 grid size-11 list-none place-items-center rounded-md [&::-webkit-details-marker]:hidden"
      >
        <Menu aria-hidden="true" className="size-5 group-open:hidden" />
        <X aria-hidden="true" className="hidden size-5 group-open:block" />
      </summary>
      <div className="absolute inset-x-0 top-full max-h-[calc(100dvh-4rem)] overflow-y-auto border-y border-line bg-paper shadow-float">
        <div className="page-width animate-appear py-5">{children}</div>
      </div>
    </details>
  );
}
