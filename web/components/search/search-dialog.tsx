import { Autocomplete } from "@base-ui/react/autocomplete";
import { clsx } from "clsx";
import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import CornerDownLeft from "lucide-react/icons/corner-down-left";
import type { LucideIcon } from "lucide-react";
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { RefObject } from "react";
import { Link } from "react-router";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/input.tsx";
import { TextLink } from "../ui/link.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { find, loadIndex, snippet } from "./engine.ts";
import type { Found, SearchIndex } from "./engine.ts";

/** Something the search offers besides the docs: a page, or something to do. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** The heading above it, which it shares with its neighbors. */
  readonly group: string;
  readonly icon: LucideIcon;
  /** What tells it from others of its name. */
  readonly detail?: string;
  /** Other words that find it. */
  readonly words?: string;
  readonly run: () => void;
}

/** A line of the list: a command, or a section of the docs. */
type Option = Command | (Found & { readonly group: "Docs" });

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
  const query = useDeferredValue(question.trim());
  const { state, retry } = useIndex();
  const index = state.is === "ready" ? state.index : null;
  const options = useMemo((): Option[] => {
    const found = index && query ? find(index, query) : [];
    return [...(commandsFor?.(query) ?? []), ...found.map((section) => ({ ...section, group: "Docs" }) as const)];
  }, [commandsFor, index, query]);
  const groups = useMemo(
    () => [...Map.groupBy(options, ({ group }) => group)].map(([title, items]) => ({ title, items })),
    [options],
  );
  const count = options.length;
  // Without a query, the commands are enough.
  const needsIndex = query !== "" || count === 0;

  function tryOut(example: string) {
    setQuestion(example);
    input.current?.focus();
  }

  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      autoHighlight="always"
      keepHighlight
      value={question}
      // Not the title of what was chosen.
      onValueChange={(text, { reason }) => reason !== "item-press" && setQuestion(text)}
    >
      <Autocomplete.Input
        ref={input}
        placeholder={placeholder}
        inputMode="search"
        enterKeyHint="go"
        // Beside the dialog's cross.
        render={<Field label={label} hideLabel className="mr-10" />}
      />
      <div
        className={clsx(
          "fade-below min-h-24 flex-auto scroll-py-6 overflow-y-auto overscroll-contain",
          // A group's title has room above it.
          commandsFor ? "mt-1" : "mt-4",
        )}
      >
        <Autocomplete.List aria-label="Results">
          {({ title, items }: (typeof groups)[number]) => (
            <Autocomplete.Group key={title} items={items}>
              <Autocomplete.GroupLabel
                className={clsx(commandsFor ? "label flex h-10.5 items-end px-3 pb-1.5" : "sr-only")}
              >
                {title}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(option: Option) => <OptionLine key={option.id} option={option} onLeave={onLeave} />}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        {state.is === "loading" && needsIndex && (
          <Loading label="Loading the index" className="grid gap-3 pt-2">
            <Skeleton className="w-2/5" />
            <Skeleton className="w-4/5" />
            <Skeleton className="w-3/5" />
          </Loading>
        )}
        {state.is === "failed" && needsIndex && <NoIndex onRetry={retry} onLeave={onLeave} />}
        {index && count === 0 && <Nothing query={query} onTry={tryOut} />}
      </div>
      <div
        className={clsx(
          "label mt-4 flex min-h-8 shrink-0 items-end justify-between border-t border-line",
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
        <output>{(index || count > 0) && query && `${count} ${count === 1 ? "result" : "results"}`}</output>
      </div>
    </Autocomplete.Root>
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

function NoIndex({ onRetry, onLeave }: { onRetry: () => void; onLeave: () => void }) {
  return (
    <div role="alert">
      <p className="text-base text-invalid">The search index didn’t load. Check your connection.</p>
      <Button variant="secondary" size="sm" className="mt-3" onClick={onRetry}>
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

const LINE = "w-full rounded-sm px-3 outline-none data-highlighted:bg-line/50";

/** A command; or a section of the docs with the words around the match, a link, to open in another tab too. */
function OptionLine({ option, onLeave }: { option: Option; onLeave: () => void }) {
  if ("run" in option) {
    const { title, detail, icon: Icon, run } = option;
    return (
      <Autocomplete.Item
        value={option}
        onClick={() => {
          onLeave();
          run();
        }}
        className={clsx(LINE, "flex min-h-10.5 cursor-pointer items-center gap-3 pointer-coarse:min-h-11")}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" strokeWidth={1.5} />
        <span className="truncate font-medium text-ink">{title}</span>
        <span className="label ml-auto shrink-0">{detail}</span>
      </Autocomplete.Item>
    );
  }
  const { id, heading, page } = option;
  return (
    <Autocomplete.Item
      value={option}
      onClick={onLeave}
      render={<Link to={id} tabIndex={-1} />}
      className={clsx(LINE, "block py-2.5")}
    >
      <span className="flex w-full items-baseline justify-between gap-x-3">
        <span className="truncate font-medium text-ink">{heading}</span>
        {heading !== page && <span className="label shrink-0">{page}</span>}
      </span>
      <span className="mt-0.5 line-clamp-2 text-sm wrap-anywhere text-muted">
        {snippet(option).map(({ text, hit }, at) =>
          hit ? (
            <mark key={at} className="bg-transparent font-medium text-ink">
              {text}
            </mark>
          ) : (
            <span key={at}>{text}</span>
          ),
        )}
      </span>
    </Autocomplete.Item>
  );
}
