import { ArrowLeft, ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { DOC_PAGES, docPath } from "../../content/docs/sections.ts";

const CARD = "group block rounded-md border border-line px-4 py-3.5 hover:border-edge";

/** The pages before and after this one. */
export function Pager({ slug }: { slug: string }) {
  const at = DOC_PAGES.findIndex((page) => page.slug === slug);
  const previous = DOC_PAGES[at - 1];
  const next = DOC_PAGES[at + 1];
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
