import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { Field } from "../../../components/ui/input.tsx";
import { useAnchor } from "./choices.tsx";

interface FilterProps {
  readonly label: string;
  readonly placeholder: string;
  /** What a press enters: the statuses of the errors within. The build fills it in. */
  readonly chips: readonly string[];
  /** Where the items are: elements with `data-words`. */
  readonly children: ReactNode;
}

/** A field that narrows the items within to those with its text. An address with the anchor of a hidden item empties it. */
export function Filter({ label, placeholder, chips, children }: FilterProps) {
  const root = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [count, setCount] = useState<number | null>(null);
  const wanted = query.trim().toLowerCase();

  useEffect(() => {
    const items = [...root.current!.querySelectorAll<HTMLElement>("[data-words]")];
    for (const item of items) item.hidden = !item.dataset["words"]!.toLowerCase().includes(wanted);
    setCount(wanted === "" ? null : items.filter(({ hidden }) => !hidden).length);
  }, [wanted]);

  useAnchor((id) => {
    if (id !== "" && root.current!.contains(document.getElementById(id))) setQuery("");
  });

  return (
    <div ref={root} data-filter>
      {chips.length > 0 && (
        <div data-needs-script className="mt-4 flex flex-wrap gap-1.5">
          {chips.map((chip) => (
            <button
              key={chip}
              type="button"
              aria-pressed={wanted === chip}
              onClick={() => setQuery(wanted === chip ? "" : chip)}
              className="min-h-8 rounded-full border border-line px-2.5 font-mono text-xs text-soft hover:border-edge aria-pressed:border-transparent aria-pressed:bg-ink aria-pressed:text-paper pointer-coarse:min-h-11 pointer-coarse:px-4"
            >
              {chip}
            </button>
          ))}
        </div>
      )}
      <div data-needs-script className="z-1 bg-paper py-3 sm:sticky sm:top-16 print:hidden">
        <Field
          label={label}
          hideLabel
          type="search"
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
        />
        <output className="sr-only">{count !== null && `${count} found`}</output>
        {count === 0 && <p className="mt-2 text-base text-muted">Nothing matches “{query.trim()}”.</p>}
      </div>
      {children}
    </div>
  );
}
