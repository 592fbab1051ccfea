import { useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import CornerDownLeft from "lucide-react/icons/corner-down-left";
import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import { Link, useNavigate } from "react-router";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { Field } from "../../../components/ui/input.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { Loading, Skeleton } from "../../../components/ui/skeleton.tsx";
import { find, loadIndex, snippet } from "./engine.ts";
import type { Found, Run, SearchIndex } from "./engine.ts";

export interface SearchDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

type IndexState = { readonly is: "loading" | "failed" } | { readonly is: "ready"; readonly index: SearchIndex };

function useIndex() {
  const [state, setState] = useState<IndexState>({ is: "loading" });
  const load = useCallback(() => {
    loadIndex().then(
      (index) => setState({ is: "ready", index }),
      () => setState({ is: "failed" }),
    );
  }, []);
  useEffect(load, [load]);
  function retry() {
    setState({ is: "loading" });
    load();
  }
  return { state, retry };
}

/** Searches all docs pages. Arrow keys select, Enter opens, Escape closes. */
export function SearchDialog({ open, onOpenChange }: SearchDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Search the docs" align="top" initialFocus={input}>
      <SearchBox input={input} onLeave={() => onOpenChange(false)} />
    </Dialog>
  );
}

function SearchBox({ input, onLeave }: { input: React.RefObject<HTMLInputElement | null>; onLeave: () => void }) {
  const [question, setQuestion] = useState("");
  const [chosen, setChosen] = useState(0);
  const query = useDeferredValue(question.trim());
  const { state, retry } = useIndex();
  const navigate = useNavigate();
  const id = useId();
  const index = state.is === "ready" ? state.index : null;
  const results = useMemo(() => (index && query ? find(index, query) : []), [index, query]);
  const at = Math.min(chosen, results.length - 1);

  /** Not for what is pointed at, which would move away from the pointer. */
  function scrollTo(result: number) {
    void document.getElementById(`${id}-${result}`)?.scrollIntoView({ block: "nearest" });
  }

  function tryOut(example: string) {
    setQuestion(example);
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const { length } = results;
    if (event.key === "Enter") {
      const result = results[at];
      if (result === undefined) return;
      event.preventDefault();
      onLeave();
      void navigate(result.id);
    } else if (length > 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const next = (at + (event.key === "ArrowDown" ? 1 : length - 1)) % length;
      setChosen(next);
      scrollTo(next);
    }
  }

  return (
    <>
      <Field
        ref={input}
        label="Search the docs"
        hideLabel
        placeholder="An error code, a field, a word"
        inputMode="search"
        enterKeyHint="go"
        // Its options are two-line links, which no native element supports.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="combobox"
        aria-expanded={results.length > 0}
        aria-controls={`${id}-results`}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={question}
        onChange={({ currentTarget }) => {
          setQuestion(currentTarget.value);
          setChosen(0);
          scrollTo(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        className={clsx(
          "mt-4 fade-below snap-y overflow-y-auto overscroll-contain",
          // One to six whole results, as many as the window has room for: none is cut off, and the footer stays in sight.
          // The chosen one stays above the fade.
          results.length > 0
            ? "max-h-[clamp(5.25rem,round(down,100dvh-16rem,5.25rem),31.5rem)] scroll-pb-[min(5.25rem,50%)]"
            : "min-h-24",
        )}
      >
        {state.is === "loading" && (
          <Loading label="Loading the index" className="grid gap-3 pt-2">
            <Skeleton className="w-2/5" />
            <Skeleton className="w-4/5" />
            <Skeleton className="w-3/5" />
          </Loading>
        )}
        {state.is === "failed" && (
          <div role="alert">
            <p className="text-base text-invalid">The search index didn’t load. Check your connection.</p>
            <Button variant="secondary" size="sm" className="mt-3" onClick={retry}>
              Try again
            </Button>
            <p className="mt-4 text-base text-muted">
              Or open the{" "}
              <TextLink to="/docs/api-reference" onClick={onLeave}>
                API reference
              </TextLink>{" "}
              or the{" "}
              <TextLink to="/docs/errors" onClick={onLeave}>
                list of errors
              </TextLink>
              .
            </p>
          </div>
        )}
        {state.is === "ready" && (
          <>
            {results.length === 0 && <Nothing query={query} onTry={tryOut} />}
            <Results id={id} results={results} at={at} onPoint={setChosen} onLeave={onLeave} />
          </>
        )}
      </div>
      <div
        className={clsx(
          "label mt-4 flex min-h-8 items-end justify-between border-t border-line",
          results.length === 0 && "max-sm:sr-only pointer-coarse:sr-only",
        )}
      >
        <p aria-hidden="true" className="flex gap-5 max-sm:hidden pointer-coarse:hidden">
          {results.length > 0 && (
            <>
              <Hint keys={[ArrowUp, ArrowDown]}>choose</Hint>
              <Hint keys={[CornerDownLeft]}>open</Hint>
            </>
          )}
          <Hint keys={["esc"]}>close</Hint>
        </p>
        <output>{index && query && `${results.length} ${results.length === 1 ? "result" : "results"}`}</output>
      </div>
    </>
  );
}

const KEY = "grid h-5 min-w-5 place-items-center rounded-sm border border-line px-1 font-mono";

/** Keyboard hints. */
function Hint({ keys, children }: { keys: readonly (LucideIcon | string)[]; children: string }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((Key, at) => (
        <kbd key={at} className={KEY}>
          {typeof Key === "string" ? Key : <Key className="size-3" strokeWidth={1.5} />}
        </kbd>
      ))}
      <span className="ml-1">{children}</span>
    </span>
  );
}

function Nothing({ query, onTry }: { query: string; onTry: (question: string) => void }) {
  const example = (question: string) => (
    <button type="button" className="text-link text-ink" onClick={() => onTry(question)}>
      {question}
    </button>
  );
  return (
    <div className="grid gap-2 pt-2 text-base wrap-anywhere text-muted">
      {query !== "" && <p>No results for “{query}”. Use fewer or different words.</p>}
      <p>
        Try {example("RATE_LIMITED")}, {example("line_type")}, or {example("how to rotate a key")}.
      </p>
    </div>
  );
}

function Runs({ runs }: { runs: readonly Run[] }) {
  return runs.map(({ text, hit }, index) =>
    hit ? (
      <mark key={index} className="bg-transparent font-medium text-ink">
        {text}
      </mark>
    ) : (
      <span key={index}>{text}</span>
    ),
  );
}

interface ResultsProps {
  /** The prefix of the options' ids. */
  readonly id: string;
  readonly results: readonly Found[];
  readonly at: number;
  readonly onPoint: (at: number) => void;
  readonly onLeave: () => void;
}

/** The sections found: heading, page, and the words around the match. The focus stays in the field. */
function Results({ id, results, at, onPoint, onLeave }: ResultsProps) {
  return (
    <div
      id={`${id}-results`}
      // See the field: no native element is a list of such options.
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
          className="block h-21 snap-start rounded-sm px-3 py-2.5 aria-selected:bg-line/50"
        >
          <span className="flex items-baseline justify-between gap-x-3">
            <span className="truncate font-medium text-ink">{result.heading}</span>
            <span className="label shrink-0 max-[22rem]:hidden">
              {result.heading === result.page ? "Page" : result.page}
            </span>
          </span>
          <span className="mt-0.5 line-clamp-2 text-sm wrap-anywhere text-muted">
            <Runs runs={snippet(result)} />
          </span>
        </Link>
      ))}
    </div>
  );
}
