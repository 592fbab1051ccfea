import ArrowLeft from "lucide-react/icons/arrow-left";
import ArrowRight from "lucide-react/icons/arrow-right";
import ChevronDown from "lucide-react/icons/chevron-down";
import Copy from "lucide-react/icons/copy";
import FileText from "lucide-react/icons/file-text";
import { useEffect, useRef } from "react";
import { Link, Outlet } from "react-router";
import { useDismiss } from "../../components/site/menu-disclosure.tsx";
import { buttonClass } from "../../components/ui/button.tsx";
import { DOC_GROUPS, DOC_PAGES, docPath, listedPages } from "../../content/docs/sections.ts";
import { copyAndTell } from "../../lib/copy.ts";
import type { DocHandle } from "../../lib/doc-handle.ts";
import { useOrigin } from "../../lib/origin.ts";
import { SITE_ORIGIN } from "../../lib/site-origin.ts";
import { toast } from "../../lib/toast.ts";
import { rememberChangelog } from "../../components/site/whats-new.ts";
import { useAnchor } from "./components/choices.tsx";
import { Contents, FoldedContents } from "./contents.tsx";

const ICON = { "aria-hidden": true, className: "size-4", strokeWidth: 1.5 } as const;

async function load(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return response.text();
}

const ACTION = "flex min-h-10 w-full items-center gap-2.5 rounded-md px-3 text-left text-sm hover:bg-sunken";

/** The page as plain Markdown, to copy or to view. */
function PageActions({ slug }: { slug: string }) {
  const path = `${docPath(slug)}.md`;
  const origin = useOrigin();
  const menu = useRef<HTMLDetailsElement>(null);
  useDismiss(menu);

  async function copy() {
    menu.current!.open = false;
    menu.current!.querySelector("summary")!.focus();
    try {
      const markdown = await load(path);
      await copyAndTell(markdown.replaceAll(SITE_ORIGIN, origin));
    } catch {
      toast.error("Couldn’t copy", "Couldn’t load this page’s Markdown. Check your connection and try again.");
    }
  }

  return (
    <details ref={menu} className="group relative print:hidden">
      <summary className={buttonClass({ variant: "secondary", size: "sm" })}>
        Copy page
        <ChevronDown aria-hidden="true" className="size-3.5 transition-transform group-open:rotate-180" />
      </summary>
      <div className="absolute top-full z-1 mt-1 w-52 animate-appear rounded-lg border border-line bg-surface p-1.5 shadow-float sm:right-0">
        <button type="button" className={ACTION} onClick={() => void copy()} data-needs-script>
          <Copy {...ICON} />
          Copy as Markdown
        </button>
        <a href={path} className={ACTION}>
          <FileText {...ICON} />
          View as Markdown
        </a>
      </div>
    </details>
  );
}

const CARD = "group block rounded-md border border-line px-4 py-3.5 hover:border-edge";

/** The previous and next pages. */
function Pager({ slug }: { slug: string }) {
  const listed = listedPages(DOC_PAGES);
  const at = listed.findIndex((page) => page.slug === slug);
  const previous = listed[at - 1];
  const next = at === -1 ? undefined : listed[at + 1];
  return (
    <nav aria-label="Pages" className="mt-16 grid gap-3 border-t border-line pt-8 sm:grid-cols-2">
      {previous && (
        <Link to={docPath(previous.slug)} rel="prev" className={CARD}>
          <span className="label flex items-center gap-1.5">
            <ArrowLeft aria-hidden="true" className="size-3.5" strokeWidth={1.5} />
            Previous
          </span>
          <span className="mt-1 block font-medium">{previous.label}</span>
        </Link>
      )}
      {next && (
        <Link to={docPath(next.slug)} rel="next" className={`${CARD} text-right sm:col-start-2`}>
          <span className="label flex items-center justify-end gap-1.5">
            Next
            <ArrowRight aria-hidden="true" className="size-3.5" strokeWidth={1.5} />
          </span>
          <span className="mt-1 block font-medium">{next.label}</span>
        </Link>
      )}
    </nav>
  );
}

function groupOf(slug: string): string | undefined {
  return DOC_GROUPS.find(({ pages }) => pages.some((page) => page.slug === slug))?.title;
}

/** Opens what is folded around an anchor, and the anchor itself. */
function unfold(id: string): void {
  for (let at = document.getElementById(id); at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
}

/** A docs page: its heading, its text, and links onward. */
export function Page({ handle }: { handle: DocHandle }) {
  const { slug, title, description, headings } = handle;
  useAnchor(unfold);
  useEffect(() => {
    if (slug === "changelog") rememberChangelog();
  }, [slug]);
  return (
    <main id="main" tabIndex={-1} className="min-w-0 py-10 outline-none lg:py-12">
      <article>
        <header>
          <p className="label">{groupOf(slug)}</p>
          <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
            <h1 className="text-title">{title}</h1>
            <PageActions slug={slug} />
          </div>
          <p className="mt-4 max-w-[42rem] text-lead text-soft">{description}</p>
        </header>
        <div className="group/body mt-8 gap-x-12 border-line xl:not-has-[.doc-split]:grid xl:not-has-[.doc-split]:border-t xl:grid-cols-[minmax(0,44rem)_minmax(10rem,15rem)] xl:justify-between print:block!">
          {headings.length > 1 && <FoldedContents key={slug} headings={headings} />}
          <div className="prose doc-prose pt-8">
            <Outlet />
          </div>
          {headings.length > 1 && <Contents headings={headings} />}
        </div>
      </article>
      <Pager slug={slug} />
    </main>
  );
}
