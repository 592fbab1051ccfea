import { useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";
import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import CornerDownLeft from "lucide-react/icons/corner-down-left";
import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import { Link, useNavigate } from "react-router";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/input.tsx";
import { TextLink } from "../ui/link.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { find, loadIndex, snippet } from "./engine.ts";
import type { Found, Run, SearchIndex } from "./engine.ts";

/** Something the search offers besides the docs: a page, or something to do. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** The heading above it, which it shares with its neighbors. */
  readonly group: string;
  /** What tells it from others of its name. */
  readonly detail?: string;
  /** Other words that find it. */
  readonly words?: string;
  readonly run: () => void;
}

export interface SearchDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The name of the dialog and its field. */
  readonly label: string;
  readonly placeholder: string;
  /** The commands for a query, all without one. They come before the docs. */
  readonly commandsFor?: (query: string) => readonly Command[];
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

/** Searches all docs pages, and commands if there are any. Arrow keys select, Enter opens, Escape closes. */
export function SearchDialog({ open, onOpenChange, ...props }: SearchDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={props.label} align="top" initialFocus={input}>
      <SearchBox {...props} input={input} onLeave={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface SearchBoxProps extends Omit<SearchDialogProps, "open" | "onOpenChange"> {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onLeave: () => void;
}

function SearchBox({ input, label, placeholder, commandsFor, onLeave }: SearchBoxProps) {
  const [question, setQuestion] = useState("");
  const [chosen, setChosen] = useState(0);
  const query = useDeferredValue(question.trim());
  const { state, retry } = useIndex();
  const navigate = useNavigate();
  const id = useId();
  const index = state.is === "ready" ? state.index : null;
  const commands = useMemo(() => commandsFor?.(query) ?? [], [commandsFor, query]);
  const options = useMemo(() => {
    const found = index && query ? find(index, query) : [];
    return [...commands, ...found.map((section) => optionOf(section, (to) => void navigate(to)))];
  }, [commands, index, query, navigate]);
  const count = options.length;
  const at = Math.min(chosen, count - 1);

  /** Not for what is pointed at, which would move away from the pointer. */
  function scrollTo(result: number) {
    void document.getElementById(`${id}-${result}`)?.scrollIntoView({ block: "nearest" });
  }

  function tryOut(example: string) {
    setQuestion(example);
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter") {
      const option = options[at];
      if (option === undefined) return;
      event.preventDefault();
      onLeave();
      option.run();
    } else if (count > 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const next = (at + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
      setChosen(next);
      scrollTo(next);
    }
  }

  return (
    <>
      <Field
        ref={input}
        label={label}
        hideLabel
        // Beside the dialog's cross.
        className="mr-10"
        placeholder={placeholder}
        inputMode="search"
        enterKeyHint="go"
        // Its options are two-line links, which no native element supports.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="combobox"
        aria-expanded={count > 0}
        aria-controls={id}
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
          "fade-below overflow-y-auto overscroll-contain",
          // A group's title has room above it.
          commands.length > 0 ? "mt-1" : "mt-4",
          // One to six whole results, as many as the window has room for: none is cut off, and the footer stays in sight.
          // The chosen one stays above the fade.
          count > 0
            ? "max-h-[clamp(5.25rem,round(down,100dvh-13rem,5.25rem),31.5rem)] scroll-pb-[min(5.25rem,50%)]"
            : "min-h-24",
        )}
      >
        <Options
          id={id}
          options={options}
          at={at}
          hasTitles={commands.length > 0}
          onPoint={setChosen}
          onLeave={onLeave}
        />
        {/* Without a query, the commands are enough. */}
        {state.is === "loading" && (query !== "" || commands.length === 0) && (
          <Loading label="Loading the index" className="grid gap-3 pt-2">
            <Skeleton className="w-2/5" />
            <Skeleton className="w-4/5" />
            <Skeleton className="w-3/5" />
          </Loading>
        )}
        {state.is === "failed" && (query !== "" || commands.length === 0) && (
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
        {state.is === "ready" && count === 0 && <Nothing query={query} onTry={tryOut} />}
      </div>
      <div
        className={clsx(
          "label mt-4 flex min-h-8 items-end justify-between border-t border-line",
          // Without its hints, there is nothing in it.
          (count === 0 || query === "") && "max-sm:sr-only pointer-coarse:sr-only",
        )}
      >
        <p aria-hidden="true" className="flex gap-5 max-sm:hidden pointer-coarse:hidden">
          {count > 0 && (
            <>
              <Hint keys={[ArrowUp, ArrowDown]}>choose</Hint>
              <Hint keys={[CornerDownLeft]}>open</Hint>
            </>
          )}
          <Hint keys={["esc"]}>close</Hint>
        </p>
        <output>{(index || commands.length > 0) && query && `${count} ${count === 1 ? "result" : "results"}`}</output>
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
        Try {example("RATE_LIMITED")}, {example("line_type")}, or {example("how to roll a key")}.
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

/** A line of the list: a command, or with its address and the words around the match, a section of the docs. */
interface Option extends Command {
  readonly to?: string;
  readonly snippet?: readonly Run[];
}

function optionOf(found: Found, navigate: (to: string) => void): Option {
  const { id, heading, page } = found;
  const detail = heading === page ? "" : page;
  return { id, title: heading, group: "Docs", detail, to: id, snippet: snippet(found), run: () => navigate(id) };
}

interface OptionsProps {
  /** The list's id, and the prefix of the options'. */
  readonly id: string;
  readonly options: readonly Option[];
  /** The chosen option. */
  readonly at: number;
  /** Shows the groups' names, which they have anyway. */
  readonly hasTitles: boolean;
  readonly onPoint: (at: number) => void;
  readonly onLeave: () => void;
}

/** What was found, in groups. The focus stays in the field. */
function Options({ id, options, at, hasTitles, onPoint, onLeave }: OptionsProps) {
  const groups = Map.groupBy(
    options.map((option, index) => ({ option, index })),
    ({ option }) => option.group,
  );
  return (
    // See the field: no native element is a list of such options.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div id={id} role="listbox" tabIndex={-1} aria-label="Results" hidden={options.length === 0}>
      {[...groups].map(([group, members]) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        <div key={group} role="group" aria-label={group}>
          {hasTitles && (
            <p aria-hidden="true" className="label flex h-10.5 items-end px-3 pb-1.5">
              {group}
            </p>
          )}
          {members.map(({ option, index }) => (
            <OptionLine
              key={option.id}
              {...option}
              lineId={`${id}-${index}`}
              isChosen={index === at}
              onPoint={() => onPoint(index)}
              onLeave={onLeave}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionLineProps extends Option {
  readonly lineId: string;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onLeave: () => void;
}

/** Title and detail, and for the docs two lines of text. A section is a link, to open in another tab too. */
function OptionLine({ lineId, title, detail, to, snippet: runs, run, isChosen, onPoint, onLeave }: OptionLineProps) {
  const line = {
    id: lineId,
    role: "option",
    "aria-selected": isChosen,
    tabIndex: -1,
    onPointerMove: () => !isChosen && onPoint(),
    className: clsx(
      "w-full rounded-sm px-3 text-left aria-selected:bg-line/50",
      runs ? "block h-21 py-2.5" : "flex h-10.5 items-center",
    ),
    children: (
      <>
        <span className="flex w-full items-baseline justify-between gap-x-3">
          <span className="truncate font-medium text-ink">{title}</span>
          <span className={clsx("label shrink-0", runs && "max-[22rem]:hidden")}>{detail}</span>
        </span>
        {runs && (
          <span className="mt-0.5 line-clamp-2 text-sm wrap-anywhere text-muted">
            <Runs runs={runs} />
          </span>
        )}
      </>
    ),
  };
  function choose() {
    onLeave();
    run();
  }
  return to === undefined ? (
    <button {...line} type="button" onClick={choose} />
  ) : (
    <Link {...line} to={to} onClick={onLeave} />
  );
}
