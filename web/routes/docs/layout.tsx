import { Outlet, useMatches } from "react-router";
import { SiteFooter } from "../../components/site/site-footer.tsx";
import { DOC_GROUPS } from "../../content/docs/sections.ts";
import type { DocHandle } from "../../lib/doc-handle.ts";
import { Contents, FoldedContents } from "./contents.tsx";
import { DocsHeader } from "./docs-header.tsx";
import { PageActions } from "./page-actions.tsx";
import { Pager } from "./pager.tsx";
import { SectionsList } from "./sections-list.tsx";

/** What can do nothing without a script is not shown then. The layer is the first of Tailwind's. */
const WITHOUT_SCRIPT = "@layer theme{[data-needs-script]{display:none!important}}";

function isDocHandle(handle: unknown): handle is DocHandle {
  return typeof handle === "object" && handle !== null && "slug" in handle && "headings" in handle;
}

function groupOf(slug: string): string | undefined {
  return DOC_GROUPS.find(({ pages }) => pages.some((page) => page.slug === slug))?.title;
}

function Page({ handle }: { handle: DocHandle }) {
  const { slug, title, description, headings } = handle;
  return (
    <>
      <main id="main" tabIndex={-1} className="min-w-0 py-10 outline-none lg:py-12">
        <article>
          <header>
            <p className="label">{groupOf(slug)}</p>
            <h1 className="mt-3 text-title">{title}</h1>
            <p className="mt-4 max-w-[42rem] text-lead text-soft">{description}</p>
            <PageActions slug={slug} />
          </header>
          {headings.length > 1 && <FoldedContents key={slug} headings={headings} />}
          <div className="prose doc-prose mt-8 border-t border-line pt-8 max-xl:border-t-0 max-xl:pt-2">
            <Outlet />
          </div>
        </article>
        <Pager slug={slug} />
      </main>
      {headings.length > 1 && <Contents headings={headings} />}
    </>
  );
}

/** Every page of the docs: header, navigation, text and the list of its headings. */
export default function DocsLayout() {
  const handle = useMatches().at(-1)?.handle;
  return (
    <div className="flex min-h-dvh flex-col 2xl:[--page-width:90rem]">
      <noscript>
        <style>{WITHOUT_SCRIPT}</style>
      </noscript>
      <a
        href="#main"
        className="fixed top-2 left-2 z-30 -translate-y-20 rounded-md bg-ink px-4 py-3 text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <DocsHeader />
      <div className="page-width flex-1 lg:grid lg:grid-cols-[12.5rem_minmax(0,1fr)] lg:gap-x-12 xl:grid-cols-[12.5rem_minmax(0,1fr)_11.5rem] 2xl:grid-cols-[11.5rem_minmax(0,1fr)_10rem] 2xl:gap-x-8">
        <nav
          aria-label="Documentation"
          className="sticky top-16 hidden max-h-[calc(100dvh-4rem)] self-start overflow-y-auto py-12 lg:block"
        >
          <SectionsList />
        </nav>
        {isDocHandle(handle) ? (
          <Page handle={handle} />
        ) : (
          <main id="main" tabIndex={-1} className="min-w-0 py-10 outline-none lg:py-12 xl:col-span-2">
            <Outlet />
          </main>
        )}
      </div>
      <SiteFooter />
    </div>
  );
}
