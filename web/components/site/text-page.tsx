import { useMemo } from "react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useActiveHeading } from "../../lib/active-heading.ts";
import { headingId } from "../../lib/heading-id.ts";
import { Fold } from "../ui/fold.tsx";
import { HeadingLink } from "./heading-link.tsx";

/** A heading of a long text, and the text under it. */
export interface TextSection {
  readonly title: string;
  readonly body: ReactNode;
}

interface TextPageProps {
  readonly title: string;
  readonly lead: string;
  /** The date of the last change, "YYYY-MM-DD". */
  readonly updated?: string;
  readonly sections: readonly TextSection[];
  /** Whether sections are numbered, for texts that people cite. */
  readonly numbered?: boolean;
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

type ContentsProps = Pick<TextPageProps, "sections" | "numbered">;

function ContentsList({ sections, numbered, active }: ContentsProps & { active: string | null }) {
  return (
    <ol className="border-l border-line">
      {sections.map(({ title }, index) => (
        <li key={title}>
          <Link
            to={`#${headingId(title)}`}
            aria-current={active === headingId(title) ? "location" : undefined}
            className="-ml-px flex gap-3 border-l border-transparent py-1.5 pl-4 leading-snug text-muted hover:text-ink aria-[current=location]:border-ink aria-[current=location]:text-ink max-lg:py-2.5"
          >
            {numbered && (
              <span aria-hidden="true" className="label w-4 shrink-0 pt-0.5 text-current tabular-nums">
                {index + 1}
              </span>
            )}
            {title}
          </Link>
        </li>
      ))}
    </ol>
  );
}

/** Beside the text if there is room; otherwise before it, collapsed. Only one of the two is ever shown. */
function Contents(props: ContentsProps) {
  const headings = useMemo(() => props.sections.map(({ title }) => ({ id: headingId(title) })), [props.sections]);
  const active = useActiveHeading(headings);
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

/** Heading and body as siblings: `.prose` spaces its direct children. */
function Section({ title, body, number }: TextSection & { number: number | null }) {
  const id = headingId(title);
  return (
    <>
      <h2 id={id} className="relative">
        {number !== null && (
          <span
            aria-hidden="true"
            className="label mr-3 tabular-nums lg:absolute lg:right-full lg:mr-6 lg:leading-[1.625rem]"
          >
            {number}
          </span>
        )}
        <HeadingLink id={id}>{title}</HeadingLink>
      </h2>
      {body}
    </>
  );
}

/** A long text: title, date, contents, and numbered or plain sections, at a comfortable line length. */
export function TextPage({ title, lead, updated, sections, numbered = false }: TextPageProps) {
  return (
    <article className="page-width pt-12 pb-20 md:pt-20 md:pb-28">
      <header className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20">
        <div className="lg:col-start-2">
          <h1 className="text-title">{title}</h1>
          <p className="mt-5 max-w-2xl text-lead text-soft">{lead}</p>
        </div>
        {updated && <Updated day={updated} />}
      </header>
      <div className="mt-8 lg:mt-14 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20 lg:border-t lg:border-line lg:pt-14">
        <Contents sections={sections} numbered={numbered} />
        <div className="prose min-w-0 lg:col-start-2 [&>h2:first-child]:mt-0">
          {sections.map((section, index) => (
            <Section key={section.title} {...section} number={numbered ? index + 1 : null} />
          ))}
        </div>
      </div>
    </article>
  );
}
