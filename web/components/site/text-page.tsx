import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useActiveHeading } from "../../lib/active-heading.ts";
import { Fold } from "../ui/fold.tsx";

/** A heading of a long text, for the list of its contents. */
export interface TextHeading {
  readonly id: string;
  readonly text: string;
}

interface TextPageProps {
  readonly title: string;
  readonly lead: string;
  /** The date of the last change, "YYYY-MM-DD". A dated text's sections are numbered: people cite them. */
  readonly updated?: string | undefined;
  /** Must stay the same array. */
  readonly headings: readonly TextHeading[];
  readonly children: ReactNode;
}

/** "January 05, 2025": the legal texts prescribe this format, unlike other dates on the site. */
const DATE = { day: "2-digit", month: "long", year: "numeric", timeZone: "UTC" } as const;

function Updated({ day }: { day: string }) {
  return (
    <p className="label mt-8 lg:col-start-1 lg:row-start-1 lg:mt-0 lg:self-end lg:pb-1">
      Last updated <time dateTime={day}>{new Date(day).toLocaleDateString("en-US", DATE)}</time>
    </p>
  );
}

interface ContentsProps {
  readonly headings: readonly TextHeading[];
  readonly numbered: boolean;
}

function ContentsList({ headings, numbered, active }: ContentsProps & { active: string | null }) {
  return (
    <ol className="border-l border-line">
      {headings.map(({ id, text }, index) => (
        <li key={id}>
          <Link
            to={`#${id}`}
            aria-current={active === id ? "location" : undefined}
            className="-ml-px flex gap-3 border-l border-transparent py-1.5 pl-4 leading-snug text-muted hover:text-ink aria-[current=location]:border-ink aria-[current=location]:text-ink max-lg:py-2.5"
          >
            {numbered && (
              <span aria-hidden="true" className="label w-4 shrink-0 pt-0.5 text-current tabular-nums">
                {index + 1}
              </span>
            )}
            {text}
          </Link>
        </li>
      ))}
    </ol>
  );
}

/** Beside the text if there is room; otherwise before it, collapsed. Only one of the two is ever shown. */
function Contents(props: ContentsProps) {
  const active = useActiveHeading(props.headings);
  return (
    <>
      <nav
        aria-label="Contents"
        className="sticky top-24 col-start-1 hidden max-h-[calc(100dvh-8rem)] self-start overflow-y-auto lg:block"
      >
        <ContentsList {...props} active={active} />
      </nav>
      <nav aria-label="Contents" className="mb-10 max-w-2xl lg:hidden">
        <Fold title="Contents">
          <div className="pt-1 pb-5">
            <ContentsList {...props} active={null} />
          </div>
        </Fold>
      </nav>
    </>
  );
}

/** A long text: title, date, contents, and its sections, at a comfortable line length. */
export function TextPage({ title, lead, updated, headings, children }: TextPageProps) {
  const numbered = updated !== undefined;
  return (
    <article className="page-width pt-12 pb-20 md:pt-20 md:pb-28">
      <header className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20">
        <div className="lg:col-start-2">
          <h1 className="text-title">{title}</h1>
          <p className="mt-5 max-w-2xl text-lead text-soft">{lead}</p>
        </div>
        {numbered && <Updated day={updated} />}
      </header>
      <div className="mt-8 lg:mt-14 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20 lg:border-t lg:border-line lg:pt-14">
        <Contents headings={headings} numbered={numbered} />
        <div className={clsx("prose min-w-0 lg:col-start-2 [&>h2:first-child]:mt-0", numbered && "prose-numbered")}>
          {children}
        </div>
      </div>
    </article>
  );
}
