import { useEffect } from "react";
import { Link } from "react-router";
import type { Found } from "./engine.ts";
import { marked, snippet } from "./snippet.ts";
import type { Run } from "./snippet.ts";

function Runs({ runs }: { runs: readonly Run[] }) {
  return runs.map(({ text, hit }, index) =>
    hit ? (
      <mark key={index} className="bg-transparent font-medium text-ink underline decoration-edge underline-offset-2">
        {text}
      </mark>
    ) : (
      <span key={index}>{text}</span>
    ),
  );
}

interface ResultsProps {
  /** What the ids of the options begin with. */
  readonly id: string;
  readonly results: readonly Found[];
  readonly at: number;
  readonly onPoint: (at: number) => void;
  readonly onLeave: () => void;
}

/** The sections found: heading, page, and the words around the hit. The focus stays in the field. */
export function Results({ id, results, at, onPoint, onLeave }: ResultsProps) {
  const chosen = results[at]?.id;
  useEffect(() => {
    if (chosen !== undefined) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at, chosen]);
  return (
    <div
      id={`${id}-results`}
      // See the field: no element of the browser is a list of such options.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="listbox"
      tabIndex={-1}
      aria-label="Results"
      hidden={results.length === 0}
    >
      {results.map((result, index) => (
        <Link
          key={result.id}
          to={result.id}
          id={`${id}-${index}`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="option"
          aria-selected={index === at}
          tabIndex={-1}
          onPointerMove={() => index !== at && onPoint(index)}
          onClick={onLeave}
          className="block rounded-sm px-3 py-2.5 aria-selected:bg-sunken"
        >
          <span className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 font-medium wrap-anywhere text-ink">
              <Runs runs={marked(result.heading, result.terms)} />
            </span>
            <span className="label shrink-0">{result.page}</span>
          </span>
          <span className="mt-0.5 line-clamp-2 block text-sm text-muted">
            <Runs runs={snippet(result.text, result.terms)} />
          </span>
        </Link>
      ))}
    </div>
  );
}
