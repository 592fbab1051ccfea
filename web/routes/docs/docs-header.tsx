import { Monitor, Moon, Sun } from "lucide-react";
import { Link } from "react-router";
import { Logo } from "../../components/brand/logo.tsx";
import { ButtonLink } from "../../components/ui/button.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { chooseTheme, useTheme } from "../../lib/theme.ts";
import type { Theme } from "../../lib/theme.ts";
import { DocsMenu } from "./docs-menu.tsx";
import { Search } from "./search/search.tsx";

const ICON = { "aria-hidden": true, className: "size-4", strokeWidth: 1.5 } as const;
const THEMES: readonly { value: Theme; label: string; icon: React.ReactNode }[] = [
  { value: "system", label: "System", icon: <Monitor {...ICON} /> },
  { value: "light", label: "Light", icon: <Sun {...ICON} /> },
  { value: "dark", label: "Dark", icon: <Moon {...ICON} /> },
];

/** The header of the docs: the site's, with the search in its middle. */
export function DocsHeader() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper">
      <div className="page-width flex min-h-16 flex-wrap items-center gap-x-3 py-2">
        <div className="flex items-center gap-2.5 lg:w-[12.5rem] 2xl:w-[11.5rem]">
          <Logo />
          <Link to="/docs/introduction" className="label inline-flex min-h-11 items-center px-1 pt-0.5 hover:text-ink">
            docs
          </Link>
        </div>
        <div className="ml-auto flex flex-wrap items-center gap-2 lg:ml-9 lg:flex-1 2xl:ml-5">
          <Search />
          <div className="ml-auto hidden items-center gap-3 lg:flex">
            <div data-needs-script>
              <Segmented size="sm" label="Theme" value={useTheme()} onChange={chooseTheme} options={THEMES} iconsOnly />
            </div>
            <ButtonLink to="/dashboard" variant="secondary" size="sm">
              Dashboard
            </ButtonLink>
          </div>
          <DocsMenu />
        </div>
      </div>
    </header>
  );
}
