import { clsx } from "clsx";
import { Link } from "react-router";
import { Fold } from "../../components/ui/fold.tsx";
import { useActiveHeading } from "../../lib/active-heading.ts";
import type { DocHeading } from "../../lib/doc-handle.ts";

interface ContentsProps {
  readonly headings: readonly DocHeading[];
}

function ContentsList({ headings, active }: ContentsProps & { active: string | null }) {
  return (
    <ol className="border-l border-line">
      {headings.map(({ id, text, depth }) => (
        <li key={id}>
          <Link
            to={`#${id}`}
            aria-current={active === id ? "location" : undefined}
            className={clsx(
              "-ml-px block border-l border-transparent py-1 text-sm text-muted hover:text-ink max-xl:py-2 max-xl:text-base",
              "wrap-anywhere aria-[current=location]:border-ink aria-[current=location]:text-ink",
              depth === 2 ? "pl-4" : "pl-7",
            )}
          >
            {text}
          </Link>
        </li>
      ))}
    </ol>
  );
}

/** The page's headings, beside the text unless its samples are there; the current one is marked. */
export function Contents({ headings }: ContentsProps) {
  const active = useActiveHeading(headings);
  return (
    <nav
      aria-labelledby="contents-title"
      className="sticky top-16 hidden max-h-[calc(100dvh-4rem)] self-start overflow-y-auto py-8 [scrollbar-width:thin] xl:block xl:group-has-[.doc-split]/body:hidden"
    >
      <p id="contents-title" className="label mb-3">
        On this page
      </p>
      <ContentsList headings={headings} active={active} />
    </nav>
  );
}

/** The same before the text, collapsed. Only one of the two is ever shown. */
export function FoldedContents({ headings }: ContentsProps) {
  return (
    <nav aria-label="On this page" className="xl:hidden xl:group-has-[.doc-split]/body:block">
      <Fold title="On this page">
        <div className="pt-1 pb-5">
          <ContentsList headings={headings} active={null} />
        </div>
      </Fold>
    </nav>
  );
}
