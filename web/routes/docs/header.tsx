import { clsx } from "clsx";
import { Link, NavLink } from "react-router";
import { Logo } from "../../components/brand/logo.tsx";
import { MenuDisclosure } from "../../components/site/menu-disclosure.tsx";
import { GetStarted } from "../../components/site/get-started.tsx";
import { ThemeChoice } from "../../components/site/theme-choice.tsx";
import { ButtonLink } from "../../components/ui/button.tsx";
import { DOC_GROUPS, docPath, listedPages } from "../../content/docs/sections.ts";
import { useSessionToken } from "../../lib/session/token.ts";
import { Search } from "../../components/search/search.tsx";

/** The way to the dashboard and, for visitors, to a key. */
function Entrance() {
  const isLoggedIn = typeof useSessionToken() === "string";
  return (
    <>
      <ButtonLink to="/dashboard" variant="secondary" size="sm">
        Dashboard
      </ButtonLink>
      {!isLoggedIn && <GetStarted size="sm">Get a test key</GetStarted>}
    </>
  );
}

/** The docs' header: the site's, with the search in the middle. */
export function DocsHeader() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper">
      <div className="page-width flex min-h-16 flex-wrap items-center gap-x-3 py-2">
        <div className="flex items-center gap-2.5 lg:w-[11.5rem]">
          <Logo />
          <Link to="/docs/introduction" className="label inline-flex min-h-11 items-center px-1 pt-0.5 hover:text-ink">
            docs
          </Link>
        </div>
        <div className="ml-auto flex flex-wrap items-center gap-2 lg:ml-5 lg:flex-1">
          <Search place="docs" label="Search the docs" placeholder="An error code, a field, a word" />
          <div className="ml-auto hidden items-center gap-3 lg:flex">
            <Entrance />
          </div>
          <DocsMenu />
        </div>
      </div>
    </header>
  );
}

/** The navigation if there is no room beside the text. */
function DocsMenu() {
  return (
    <MenuDisclosure className="lg:hidden">
      <nav aria-label="Documentation" className="pt-1">
        <SectionsList inColumns />
      </nav>
      <div className="mt-7 mb-1 flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
        <ThemeChoice />
        <div className="flex gap-3">
          <Entrance />
        </div>
      </div>
    </MenuDisclosure>
  );
}

/** All docs pages by group; the current one is marked. */
export function SectionsList({ inColumns = false }: { inColumns?: boolean }) {
  return (
    <ul className={clsx("grid gap-7", inColumns && "grid-cols-2 gap-x-4 sm:grid-cols-3")}>
      {DOC_GROUPS.map(({ title, pages }) => (
        <li key={title}>
          <p className="label mb-2">{title}</p>
          <ul className="border-l border-line">
            {listedPages(pages).map(({ slug, label, method }) => (
              <li key={slug}>
                <NavLink
                  to={docPath(slug)}
                  className="-ml-px block border-l border-transparent py-1.5 pl-4 text-base leading-snug text-soft hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:py-2.5"
                >
                  <span>{label}</span>
                  {method && (
                    <span aria-hidden="true" className="label ml-2 text-xs">
                      {method}
                    </span>
                  )}
                </NavLink>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
