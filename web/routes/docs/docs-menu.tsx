import { MenuDisclosure } from "../../components/site/menu-disclosure.tsx";
import { ThemeChoice } from "../../components/site/theme-choice.tsx";
import { ButtonLink } from "../../components/ui/button.tsx";
import { SectionsList } from "./sections-list.tsx";

/** The navigation where there is no room beside the text. */
export function DocsMenu() {
  return (
    <MenuDisclosure className="lg:hidden">
      <nav aria-label="Documentation" className="pt-1">
        <SectionsList />
      </nav>
      <div className="mt-7 mb-1 flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
        <ThemeChoice />
        <ButtonLink to="/dashboard" variant="secondary" size="sm">
          Dashboard
        </ButtonLink>
      </div>
    </MenuDisclosure>
  );
}
