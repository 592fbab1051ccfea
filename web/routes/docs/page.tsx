import ArrowLeft from "lucide-react/icons/arrow-left";
import ArrowRight from "lucide-react/icons/arrow-right";
import Copy from "lucide-react/icons/copy";
import FileText from "lucide-react/icons/file-text";
import { useEffect, useState } from "react";
import { Link, Outlet } from "react-router";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { DOC_GROUPS, DOC_PAGES, docPath, listedPages } from "../../content/docs/sections.ts";
import { copyAndTell } from "../../lib/copy.ts";
import type { DocHandle } from "../../lib/doc-handle.ts";
import { useOrigin } from "../../lib/origin.ts";
import { SITE_ORIGIN } from "../../lib/site-origin.ts";
import { toast } from "../../lib/toast.ts";
import { rememberChangelog } from "../../components/site/whats-new.ts";
import { Contents, FoldedContents } from "./contents.tsx";

const ICON = { "aria-hidden": true, className: "size-4", strokeWidth: 1.5 } as const;

async function load(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return response.text();
}

/** The page as plain Markdown, to copy or to view. */
function PageActions({ slug }: { slug: string }) {
  const path = `${docPath(slug)}.md`;
  const origin = useOrigin();
  const [busy, setBusy] = useState(false);

  async function copy() {
    setBusy(true);
    try {
      const markdown = await load(path);
      await copyAndTell(markdown.replaceAll(SITE_ORIGIN, origin));
    } catch {
      toast.error("Couldn’t copy", "Couldn’t load this page’s Markdown. Check your connection and try again.");
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="mt-4 -mb-5 -ml-3 flex flex-wrap items-center gap-x-1 lg:absolute lg:-top-2 lg:-right-3 lg:m-0 print:hidden forced-colors:m-0">
      <Button
        variant="quiet"
        size="sm"
        busy={busy}
        onClick={() => void copy()}
        className="text-muted hover:text-ink"
        data-needs-script
      >
        <Copy {...ICON} />
        <span>
          Copy page<span className="sr-only"> as Markdown</span>
        </span>
      </Button>
      <a href={path} className={`${buttonClass({ variant: "quiet", size: "sm" })} text-muted! hover:text-ink!`}>
        <FileText {...ICON} />
        View as Markdown
      </a>
    </div>
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

/** A docs page: its heading, its text, and links onward. */
export function Page({ handle }: { handle: DocHandle }) {
  const { slug, title, description, headings } = handle;
  useEffect(() => {
    if (slug === "changelog") rememberChangelog();
  }, [slug]);
  return (
    <>
      <main id="main" tabIndex={-1} className="min-w-0 py-10 outline-none lg:py-12">
        <article>
          <header className="relative">
            <p className="label">{groupOf(slug)}</p>
            <h1 className="mt-3 text-title">{title}</h1>
            <p className="mt-4 max-w-[42rem] text-lead text-soft">{description}</p>
            <PageActions slug={slug} />
          </header>
          {headings.length > 1 && <FoldedContents key={slug} headings={headings} />}
          <div className="prose doc-prose mt-8 border-t border-line pt-8 max-xl:border-t-0 max-xl:pt-2 max-2xl:has-[.doc-split]:border-t-0 max-2xl:has-[.doc-split]:pt-2 lg:max-2xl:has-[.doc-split]:mt-5 lg:max-2xl:has-[.doc-split]:pt-0">
            <Outlet />
          </div>
        </article>
        <Pager slug={slug} />
      </main>
      {headings.length > 1 && <Contents headings={headings} />}
    </>
  );
}
