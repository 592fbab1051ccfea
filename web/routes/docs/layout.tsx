import { useEffect, useRef } from "react";
import { Outlet, useMatches } from "react-router";
import { SiteFooter } from "../../components/site/site-footer.tsx";
import { SkipLink } from "../../components/ui/link.tsx";
import type { DocHandle } from "../../lib/doc-handle.ts";
import { DocsHeader, SectionsList } from "./header.tsx";
import { Page } from "./page.tsx";

function isDocHandle(handle: unknown): handle is DocHandle {
  return typeof handle === "object" && handle !== null && "slug" in handle && "headings" in handle;
}

/** Every docs page: header, navigation, and the page. */
export default function DocsLayout() {
  const handle = useMatches().at(-1)?.handle;
  const sections = useRef<HTMLElement>(null);
  useEffect(() => {
    const nav = sections.current!;
    const here = nav.querySelector<HTMLElement>("[aria-current=page]");
    // `scrollIntoView` would scroll the page too.
    if (here) nav.scrollTop = here.offsetTop - nav.clientHeight / 2;
  }, []);
  return (
    <div className="flex min-h-dvh flex-col 2xl:[--page-width:84rem]">
      <SkipLink />
      <DocsHeader />
      <div className="page-width flex-1 print:block! lg:grid lg:grid-cols-[11.5rem_minmax(0,1fr)] lg:gap-x-8">
        <nav
          ref={sections}
          aria-label="Documentation"
          className="sticky top-16 hidden max-h-[calc(100dvh-4rem)] self-start overflow-y-auto py-12 [scrollbar-width:thin] lg:block"
        >
          <SectionsList />
        </nav>
        {isDocHandle(handle) ? (
          <Page handle={handle} />
        ) : (
          <main id="main" tabIndex={-1} className="min-w-0 py-10 outline-none lg:py-12">
            <Outlet />
          </main>
        )}
      </div>
      <SiteFooter />
    </div>
  );
}
