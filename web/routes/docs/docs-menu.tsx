import { Menu, X } from "lucide-react";
import { useRef } from "react";
import { ThemeChoice } from "../../components/site/theme-choice.tsx";
import { useDismiss } from "../../components/site/use-dismiss.ts";
import { ButtonLink } from "../../components/ui/button.tsx";
import { SectionsList } from "./sections-list.tsx";

/** The navigation where there is no room beside the text. It opens without a script too. */
export function DocsMenu() {
  const details = useRef<HTMLDetailsElement>(null);
  useDismiss(details);
  return (
    <details ref={details} className="group lg:hidden">
      <summary
        aria-label="Menu"
        className="-mr-2.5 grid size-11 list-none place-items-center rounded-md [&::-webkit-details-marker]:hidden"
      >
        <Menu aria-hidden="true" className="size-5 group-open:hidden" />
        <X aria-hidden="true" className="hidden size-5 group-open:block" />
      </summary>
      <div className="absolute inset-x-0 top-full max-h-[calc(100dvh-4rem)] overflow-y-auto border-y border-line bg-paper shadow-float">
        <div className="page-width animate-appear py-6">
          <nav aria-label="Documentation">
            <SectionsList />
          </nav>
          <div className="mt-7 flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
            <ThemeChoice />
            <ButtonLink to="/dashboard" variant="secondary" size="sm">
              Dashboard
            </ButtonLink>
          </div>
        </div>
      </div>
    </details>
  );
}
